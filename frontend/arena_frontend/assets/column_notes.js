// A note at each column that says what it means: a button, reached by finger and key alike, opens it beneath the head.

import { element, first } from "./dom.js";
import { t } from "./texts.js";

const EDGE = 8;

/** @param {string} key of the column */
export function note(key) {
  const name = t(`col.${key}`);
  const id = `note-${key}`;
  const box = element("div", { id, class: "a-note-box", popover: "auto", role: "note" }, element("strong", {}, name), element("p", {}, t(`col.${key}.help`)));
  const button = element("button", { type: "button", class: "a-note-mark", popovertarget: id, "aria-label": t("col.note", { name }) }, element("span", { "aria-hidden": "true" }, "?"));
  box.addEventListener("toggle", () => box.matches(":popover-open") && settle(box, button));
  return [button, box];
}

// Beneath its button, inside the window.
function settle(box, button) {
  const { left, bottom } = button.getBoundingClientRect();
  const most = document.documentElement.clientWidth - box.offsetWidth - EDGE;
  box.style.left = `${Math.max(EDGE, Math.min(left, most))}px`;
  box.style.top = `${bottom + EDGE}px`;
}

// A note that lies open hides nothing once the page moves under it.
document.addEventListener("scroll", () => first(".a-note-box:popover-open")?.hidePopover(), { capture: true, passive: true });
