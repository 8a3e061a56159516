// Parts of answers that the server has rendered: a button that copies code, tab stops on what scrolls sideways, and
// addresses that can be followed once they may be.

import { all, around, copy, element, first, matching } from "./dom.js";
import { leave } from "./leave.js";
import { on } from "./shell.js";
import { t } from "./texts.js";

const WIDE = ".a-answer :is(pre, table, p)";
const SHORT = 2000;
const SETTLED = 400;
let timer = 0;

// Dresses the elements of a new block.
/** @type {(nodes: Node[]) => void} */
export function dress(nodes) {
  for (const node of nodes)
    for (const code of matching(node, ".a-code")) code.append(element("button", { type: "button", "data-act": "copy-code", "aria-label": t("answer.copy") }, t("answer.copy")));
  clearTimeout(timer);
  timer = setTimeout(updateTabStops, SETTLED);
}

// Called only when nothing grows any more, because it reads the layout.
function updateTabStops() {
  for (const part of all(WIDE)) {
    if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

async function copyCode(button) {
  if (!(await copy(first("code", button.parentElement).textContent))) return;
  button.textContent = t("share.copied");
  setTimeout(() => (button.textContent = t("answer.copy")), SHORT);
}

// Lets addresses be followed, or makes them text again.
/** @type {(mayFollow: boolean) => void} */
export function showLinks(mayFollow) {
  if (!mayFollow) all(".a-address[data-address]").forEach(disarm);
  else all(".a-address:not([data-address])").forEach(arm);
}

const LINK = { role: "link", tabindex: "0", "aria-haspopup": "dialog" };

// The address of a link with other words stands in brackets.
function arm(part) {
  const text = part.textContent.replace(/^\((.*)\)$/s, "$1");
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return;
  const { href } = new URL(text);
  for (const [name, value] of Object.entries({ ...LINK, "data-address": href, title: href })) part.setAttribute(name, value);
}

function disarm(part) {
  for (const name of [...Object.keys(LINK), "data-address", "title"]) part.removeAttribute(name);
}

function onActivate(event) {
  const link = around(event, ".a-address[data-address]");
  if (!link || (event.type === "keydown" && event.key !== "Enter")) return;
  event.preventDefault();
  leave(new URL(link.dataset.address));
}

export function begin() {
  on("copy-code", copyCode);
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, onActivate);
  addEventListener("resize", updateTabStops);
}
