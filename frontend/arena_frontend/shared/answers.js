// Answers that the server has rendered: buttons that copy code, tab stops on what scrolls sideways, and, where links may be
// followed, addresses that lead away after a warning.

import { all, around, copy, element, first, matching } from "./dom.js";
import { leave } from "./leave.js";
import { on } from "./shell.js";
import { t } from "./texts.js";
import { nodesOf } from "./trusted.js";

const WIDE = ".a-answer, .a-answer :is(pre, table, p)";
const SHORT = 2000;
const LINK = { role: "link", tabindex: "0", "aria-haspopup": "dialog" };
const ADDRESS = ".a-answer .a-address[data-address]";

// An answer that the API has rendered: safe HTML (arena/domain/answers), parsed without running or fetching anything.
/** @type {(html: string) => HTMLElement} */
export const answer = (html) => element("div", { class: "a-answer" }, ...nodesOf(html));

// Begins with the answers inside `place`; those that come later are dressed by `dress`.
/** @type {(place: HTMLElement, options: { mayFollow: boolean }) => void} */
export function begin(place, { mayFollow }) {
  on("copy-code", copyCode);
  for (const tools of all(".a-side-tools", place)) tools.hidden = false;
  if (mayFollow) for (const kind of ["click", "keydown"]) place.addEventListener(kind, onActivate);
  addEventListener("resize", () => updateTabStops(place));
  dress(place, { mayFollow });
}

/** @type {(place: HTMLElement, options: { mayFollow: boolean }) => void} */
export function dress(place, { mayFollow }) {
  dressCode(all(".a-answer", place));
  if (mayFollow) showLinks(place, mayFollow);
  updateTabStops(place);
}

// Adds what copies code to new elements of an answer.
/** @type {(nodes: Node[]) => void} */
export function dressCode(nodes) {
  for (const node of nodes)
    for (const code of matching(node, ".a-code")) code.append(element("button", { type: "button", "data-act": "copy-code" }, t("answer.copy")));
}

// Lets addresses be followed, or makes them text again.
/** @type {(place: HTMLElement, mayFollow: boolean) => void} */
export function showLinks(place, mayFollow) {
  if (mayFollow) all(".a-answer .a-address:not([data-address])", place).forEach(arm);
  else all(ADDRESS, place).forEach(disarm);
}

async function copyCode(button) {
  if (!(await copy(first("code", button.parentElement).textContent))) return;
  button.textContent = t("share.copied");
  setTimeout(() => (button.textContent = t("answer.copy")), SHORT);
}

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
  const link = around(event, ADDRESS);
  if (!link || (event.type === "keydown" && event.key !== "Enter")) return;
  event.preventDefault();
  leave(new URL(link.dataset.address));
}

// It reads the layout, so while an answer grows it has to wait.
/** @type {(place: HTMLElement) => void} */
export function updateTabStops(place) {
  for (const part of all(WIDE, place)) {
    if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}
