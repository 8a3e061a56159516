// The start page while only its first view is there: offers ideas for its text box, and sends the first prompt.

import { beginIdeas } from "./composer.js";
import { begin } from "./first_battle.js";
import { on } from "./shell.js";
import { localizeTimes } from "./texts.js";

beginIdeas();
begin();

on("idea", ({ dataset }) => {
  /** @type {HTMLTextAreaElement | null} */
  const box = document.querySelector("#early textarea");
  if (!box) return;
  box.value = dataset.prompt;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.focus({ preventScroll: true });
});

localizeTimes(document);
