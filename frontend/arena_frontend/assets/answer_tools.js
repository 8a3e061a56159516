// The tools in the head of a column: copying the whole answer, and showing it at the full width of the page.

import { all, at } from "./dom.js";
import { on } from "./shell.js";
import { t } from "./texts.js";

const SHORT = 2000;

// `turns()` has the turns whose last answers are copied.
export function begin(turns) {
  on("copy-answer", async (button) => {
    if (!(await copy(turns().at(-1)?.answers[button.dataset.side] ?? ""))) return;
    name(button, "share.copied");
    setTimeout(() => name(button, "answer.copy.whole"), SHORT);
  });
  on("wide", ({ dataset: { side } }) => {
    const { dataset } = at("pair");
    if (dataset.wide === side) delete dataset.wide;
    else dataset.wide = side;
    for (const button of all("[data-act=wide]")) button.setAttribute("aria-pressed", String(button.dataset.side === dataset.wide));
  });
}

function name(button, key) {
  button.title = t(key);
  button.setAttribute("aria-label", t(key));
}

// Without HTTPS there is no clipboard API, but a selected text can still be copied.
async function copy(text) {
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (isCopied) return true;
  const box = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(box);
  box.select();
  const result = document.execCommand("copy");
  box.remove();
  return result;
}
