// What Gradio leaves out of an answer: the language and the labelled copy button of code, names of task boxes and of the
// answers themselves, and a place in the order of the Tab key for whatever scrolls sideways. What it has too much: a label that repeats the
// answer's Markdown to screen readers.

import { all, around, at } from "./dom.js";
import { t } from "./texts.js";

const NAMED = ".code_wrap, li input[type=checkbox]";
const REPEATED = "[data-testid=user][aria-label], [data-testid=bot][aria-label]";
const LOG = "#pair [role=log]";
const WIDE = "#pair :is(pre, table, .katex-display)";
const SHORT = 2000;
const SETTLED = 400;
let resting = null;

function named(part) {
  if (part instanceof HTMLInputElement) return part.setAttribute("aria-label", t(part.checked ? "answer.done" : "answer.todo"));
  const language = /language-([\w+#.-]+)/.exec(part.querySelector("code")?.className ?? "")?.[1];
  part.dataset.language = language && language !== "none" ? language : t("answer.code");
  label(part.querySelector("button"), "answer.copy");
}

function label(button, key) {
  if (!button) return;
  button.removeAttribute("title");
  button.setAttribute("aria-label", t(key));
  button.dataset.label = t(key);
}

function copied(event) {
  const button = around(event, "#pair .code_wrap > button");
  if (!button) return;
  label(button, "share.copied");
  setTimeout(() => label(button, "answer.copy"), SHORT);
}

/** @param {Node} node */
function added(node) {
  if (!(node instanceof Element)) return;
  if (node.matches(NAMED)) named(node);
  node.querySelectorAll(NAMED).forEach(named);
  node.querySelectorAll(REPEATED).forEach(unlabelled);
  if (node.matches(LOG)) called(node);
  node.querySelectorAll(LOG).forEach(called);
}

function called(log) {
  const name = t(log.closest("#chat_b") ? "side.b" : "side.a");
  if (log.getAttribute("aria-label") !== name) log.setAttribute("aria-label", name);
}

const unlabelled = (part) => part.removeAttribute("aria-label");

// Only when nothing grows any more, because it reads the layout.
function reachable() {
  for (const part of all(WIDE)) {
    if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

function rest() {
  clearTimeout(resting);
  resting = setTimeout(reachable, SETTLED);
}

export function begin() {
  const changed = (changes) => {
    for (const { target, addedNodes } of changes) {
      addedNodes.forEach(added);
      if (target.matches(REPEATED)) unlabelled(target);
      if (target.matches(LOG)) called(target);
    }
    rest();
  };
  new MutationObserver(changed).observe(at("pair"), { childList: true, subtree: true, attributeFilter: ["aria-label"] });
  document.addEventListener("click", copied, true);
  addEventListener("resize", rest);
  all(LOG).forEach(called);
}
