// The tools in the head of a column: copying the whole answer, and showing it at the full width of the page.

import { all, at, copy } from "./dom.js";
import { on } from "./shell.js";
import { t } from "./texts.js";

const SHORT = 2000;

// `turns()` has the turns whose last answers are copied, or soon has them.
/** @type {(turns: () => any[] | Promise<any[]>) => void} */
export function begin(turns) {
  on("copy-answer", async (button) => {
    if (!(await copy((await turns()).at(-1)?.answers[button.dataset.side] ?? ""))) return;
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
