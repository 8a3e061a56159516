// The surface of a page of the server: its elements are there from the beginning, and the engine sets their states.

import * as answers from "./answers.js";
import * as columns from "./page_columns.js";
import { at } from "./dom.js";
import { on } from "./shell.js";
import { OUTCOMES } from "./sides.js";
import * as notices from "./notices.js";
import { t } from "./texts.js";

const HTML = "?as=html";

/** @type {() => HTMLTextAreaElement} */
const box = () => document.querySelector("#prompt textarea");

function fitHeight() {
  box().style.height = "auto";
  box().style.height = `${box().scrollHeight}px`;
}

/** @type {(controls: import("./conversation_controls.js").Controls) => void} */
function showControls({ box: { placeholder, value }, isVoteOpen, buttons }) {
  box().placeholder = placeholder;
  if (value !== undefined && box().value !== value) {
    box().value = value;
    fitHeight();
  }
  for (const outcome of OUTCOMES) button(`vote_${outcome}`).disabled = !isVoteOpen;
  for (const [name, state] of Object.entries(buttons)) showButton(button(name), state);
}

/** @type {(name: string) => HTMLButtonElement} */
const button = (name) => /** @type {HTMLButtonElement} */ (at(name));

// A button with the focus that goes, or can do nothing, leaves it to the text box; on a phone that would open the keyboard.
/** @type {(part: HTMLButtonElement, state: import("./conversation_controls.js").Button) => void} */
function showButton(part, { isVisible, isEnabled = true, text }) {
  const hadFocus = part === document.activeElement;
  part.hidden = !isVisible;
  part.disabled = !isEnabled;
  if (text && part.textContent !== text) part.textContent = text;
  if (hadFocus && (part.hidden || part.disabled) && matchMedia("(pointer: fine)").matches) box().focus({ preventScroll: true });
}

/** @type {() => import("./conversation.js").Surface} */
export function pageSurface() {
  let engine;
  let hasAsked = false;
  return {
    query: HTML,
    prepare: async () => null,
    begin(given) {
      engine = given;
      for (const name of ["send", "stop", "regenerate", "skip", "same_prompt", "new_round"]) on(name, () => engine.act(name));
      on("vote", ({ dataset }) => engine.act("vote", dataset.outcome));
      box().addEventListener("input", fitHeight);
      answers.begin(at("pair"), { mayFollow: true });
    },
    lacks(turns) {
      const isLacking = turns.some((turn) => turn.state !== "running" && columns.isPlain(turn));
      if (isLacking && hasAsked) notices.warn(t("notice.old_server"));
      return isLacking && (hasAsked = !hasAsked);
    },
    paint() {
      columns.show(engine.state().turns);
      answers.showLinks(at("pair"), engine.hasLinks());
    },
    update: () => showControls(engine.controls()),
    takeOver() {
      const { dataset } = document.documentElement;
      const isSent = dataset.early === "sent";
      delete dataset.early;
      if (box().value) box().dispatchEvent(new Event("input", { bubbles: true }));
      return isSent ? box().value.trim() : "";
    },
  };
}
