// Accessibility of Gradio's answers: adds the language and a labelled copy button to code, names to task boxes and to the
// answers themselves, and a tab stop to whatever scrolls sideways; removes a label that repeats the answer's Markdown to
// screen readers.

import { all, around, at, matching } from "./shell.js";
import { t } from "./texts.js";

const NAMED = ".code_wrap, li input[type=checkbox]";
const REPEATED = "[data-testid=user][aria-label], [data-testid=bot][aria-label]";
const LOG = "#pair [role=log]";
const WIDE = "#pair :is(pre, table, .katex-display)";
const SHORT = 2000;
const SETTLED = 400;
let timer = null;

function nameElement(element) {
  if (element instanceof HTMLInputElement) return element.setAttribute("aria-label", t(element.checked ? "answer.done" : "answer.todo"));
  const language = /language-([\w+#.-]+)/.exec(element.querySelector("code")?.className ?? "")?.[1];
  element.dataset.language = language && language !== "none" ? language : t("answer.code");
  label(element.querySelector("button"), "answer.copy");
}

function label(button, key) {
  if (!button) return;
  button.removeAttribute("title");
  button.setAttribute("aria-label", t(key));
  button.dataset.label = t(key);
}

function onCopy(event) {
  const button = around(event, "#pair .code_wrap > button");
  if (!button) return;
  label(button, "share.copied");
  setTimeout(() => label(button, "answer.copy"), SHORT);
}

function nameLog(log) {
  const name = t(log.closest("#chat_b") ? "side.b" : "side.a");
  if (log.getAttribute("aria-label") !== name) log.setAttribute("aria-label", name);
}

const removeLabel = (part) => part.removeAttribute("aria-label");

// Called only when nothing grows any more, because it reads the layout.
function updateTabStops() {
  for (const part of all(WIDE)) {
    if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

function updateSoon() {
  clearTimeout(timer);
  timer = setTimeout(updateTabStops, SETTLED);
}

export function begin() {
  const onChange = (changes) => {
    for (const { target, addedNodes } of changes) {
      if (target.matches(REPEATED)) removeLabel(target);
      if (target.matches(LOG)) nameLog(target);
      for (const node of addedNodes) {
        matching(node, NAMED).forEach(nameElement);
        matching(node, REPEATED).forEach(removeLabel);
        matching(node, LOG).forEach(nameLog);
      }
    }
    updateSoon();
  };
  new MutationObserver(onChange).observe(at("pair"), { childList: true, subtree: true, attributeFilter: ["aria-label"] });
  document.addEventListener("click", onCopy, true);
  addEventListener("resize", updateSoon);
  all(LOG).forEach(nameLog);
}
