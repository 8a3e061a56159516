// The first view lies in the page's HTML, over Gradio's part, until that is ready.

import { all } from "./dom.js";
import { firstBattle, form as early, leave } from "./first_battle.js";
import * as images from "./images.js";
import { uncover } from "./shell.js";

/** @typedef {{ images: File[], busy: boolean, wrote: number }} Early what early.js keeps at the form */

const PAUSE = 400;

/** @type {(link: HTMLLinkElement) => unknown} */
const styled = (link) => link.sheet || new Promise((done) => (link.onload = link.onerror = done));

// Resolves when the page can be uncovered: its styles are there, and nobody is amid a word, a press or a line of an input
// method, or else the text is sent; to the battle that has begun meanwhile, if there is one.
export async function uncoverable() {
  await Promise.all(/** @type {HTMLLinkElement[]} */ (all("link[rel=stylesheet]")).map(styled));
  for (let form = early(); form && writing(form); form = early()) await new Promise((done) => setTimeout(done, 30));
  return firstBattle();
}

/** @type {(form: HTMLFormElement & Early) => boolean} */
const writing = ({ busy, wrote, dataset }) => !("sent" in dataset) && (busy || performance.now() - wrote < PAUSE);

/**
 * Hands the text of the first view, with its caret and images, over to the page's own box, and uncovers the page.
 * @param {HTMLTextAreaElement} box
 * @returns {string} a prompt that was sent already
 */
export function takeOver(box) {
  const form = early();
  const from = form?.querySelector("textarea");
  const { value = "", selectionStart = 0, selectionEnd = 0 } = from ?? {};
  const focused = document.activeElement;
  if (value) {
    box.value = value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
  images.add(form?.images ?? []);
  leave();
  uncover();
  if (from && focused === from) {
    box.focus({ preventScroll: true });
    box.setSelectionRange(selectionStart, selectionEnd);
  }
  return form && "sent" in form.dataset ? value.trim() : "";
}
