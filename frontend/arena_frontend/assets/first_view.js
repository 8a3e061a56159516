// The first view lies in the page's HTML, over Gradio's part, until that is ready.

import * as composer from "./composer.js";
import { firstBattle, form as early, stopFollowing } from "./first_battle.js";
import { all, uncover } from "./shell.js";

/** @typedef {{ images: File[], isBusy: boolean, lastInput: number }} Early what early.js keeps at the form */

const PAUSE = 400;

/** @type {(link: HTMLLinkElement) => unknown} */
const loaded = (link) => link.sheet || new Promise((resolve) => (link.onload = link.onerror = resolve));

// Resolves when the page can be uncovered, to the battle of the first prompt if there is one: its styles are there, and
// nobody is in the middle of a word, a press or an input method's line, or else the text is sent.
export async function uncoverable() {
  await Promise.all(/** @type {HTMLLinkElement[]} */ (all("link[rel=stylesheet]")).map(loaded));
  for (let form = early(); form && isTyping(form); form = early()) await new Promise((resolve) => setTimeout(resolve, 30));
  return firstBattle();
}

/** @type {(form: HTMLFormElement & Early) => boolean} */
const isTyping = ({ isBusy, lastInput, dataset }) => !("sent" in dataset) && (isBusy || performance.now() - lastInput < PAUSE);

// Hands the text of the first view, with its caret and images, over to the page's own box, and uncovers the page. Returns
// a prompt that was submitted but is not sent yet.
/** @type {(box: HTMLTextAreaElement) => string} */
export function takeOver(box) {
  const form = early();
  const earlyBox = form?.querySelector("textarea");
  const { value = "", selectionStart = 0, selectionEnd = 0 } = earlyBox ?? {};
  const focused = document.activeElement;
  if (value) {
    box.value = value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
  composer.addImages(form?.images ?? []);
  stopFollowing();
  uncover();
  if (earlyBox && focused === earlyBox) {
    box.focus({ preventScroll: true });
    box.setSelectionRange(selectionStart, selectionEnd);
  }
  return form && "sent" in form.dataset ? value.trim() : "";
}
