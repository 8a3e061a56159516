// The first view lies in the page's HTML, over Gradio's part, until that is ready.

import { at } from "./dom.js";
import * as images from "./images.js";
import { uncover } from "./shell.js";

/**
 * Hands the text of the first view, with its caret and images, over to the page's own box, and uncovers the page.
 * @param {HTMLTextAreaElement} box
 * @returns {string} a prompt that was sent already
 */
export function takeOver(box) {
  const form = /** @type {HTMLFormElement | null} */ (at("early"));
  const early = form?.querySelector("textarea");
  const { value = "", selectionStart = 0, selectionEnd = 0 } = early ?? {};
  const focused = document.activeElement === early;
  if (value) {
    box.value = value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
  images.add(/** @type {any} */ (form)?.images ?? []);
  uncover();
  if (focused) {
    box.focus();
    box.setSelectionRange(selectionStart, selectionEnd);
  }
  return form && "sent" in form.dataset ? value.trim() : "";
}
