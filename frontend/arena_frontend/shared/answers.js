// Answers that the server has rendered: their blocks as they come, buttons that copy code, tab stops on what scrolls
// sideways, and, where links may be followed, addresses that lead away after a warning.

import { SIDES, all, around, at, copy, element, first, matching, modal, nodesOf, on } from "./shell.js";
import { t } from "./texts.js";

// The window before a link of an answer leads away: it has the only real link.

// The host is emphasised because it alone identifies the site.
export function leave({ host, href }) {
  const stay = element("button", { type: "button", class: "a-act" }, t("leave.stay"));
  const go = element("a", { class: "a-act", "data-kind": "primary", href, target: "_blank", rel: "noopener noreferrer nofollow ugc", referrerpolicy: "no-referrer" }, t("leave.go"));
  const dialog = element(
    "dialog",
    { class: "a-dialog a-leave", "aria-labelledby": "leave-title", "aria-describedby": "leave-text" },
    element("h3", { id: "leave-title" }, t("leave.title")),
    element("div", { id: "leave-text" }, element("p", {}, t("leave.text")), element("p", { class: "a-leave-host", dir: "ltr" }, element("bdi", {}, host))),
    element("p", { class: "a-leave-address", dir: "ltr", tabindex: "0" }, href),
    element("p", { class: "a-leave-note" }, t("leave.note")),
    element("p", { class: "a-acts" }, stay, go),
  );
  for (const choice of [stay, go]) choice.addEventListener("click", () => dialog.close());
  modal(dialog, stay);
}

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
function dressCode(nodes) {
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
function updateTabStops(place) {
  for (const part of all(WIDE, place)) {
    if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

// The tools in the head of a column: copying the whole answer, and showing it at the full width of the page.

// `turns()` has the turns whose last answers are copied, or soon has them.
/** @type {(turns: () => any[] | Promise<any[]>) => void} */
export function beginTools(turns) {
  on("copy-answer", async (button) => {
    if (!(await copy((await turns()).at(-1)?.answers[button.dataset.side] ?? ""))) return;
    nameButton(button, "share.copied");
    setTimeout(() => nameButton(button, "answer.copy.whole"), SHORT);
  });
  on("wide", ({ dataset: { side } }) => {
    const { dataset } = at("pair");
    if (dataset.wide === side) delete dataset.wide;
    else dataset.wide = side;
    for (const button of all("[data-act=wide]")) button.setAttribute("aria-pressed", String(button.dataset.side === dataset.wide));
  });
}

function nameButton(button, key) {
  button.title = t(key);
  button.setAttribute("aria-label", t(key));
}

// The columns of a page of the server: of each turn its question, and its answer as blocks of HTML, of which only those
// that have changed are put in again.

/** @typedef {{ html: string, nodes: Node[] }} Block */
/** @typedef {{ question: HTMLElement, answer: HTMLElement, blocks: Block[] }} Row */

/** @type {Record<string, Row[]>} */
const rows = Object.fromEntries(SIDES.map((side) => [side, []]));

const SETTLED = 400;
let timer = 0;

function updateSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => updateTabStops(at("pair")), SETTLED);
}

/** @type {(row: string, text: string) => HTMLElement} */
const message = (row, text) => element("div", { class: row }, element("div", { class: text, dir: "auto" }));

/** @type {() => Row} */
const row = () => ({ question: message("a-question", "a-prompt"), answer: message("a-reply", "a-answer"), blocks: [] });

// What the blocks of an answer are, or its text where a server of before sends no HTML.
/** @type {(turn: any, side: string) => { html: string, text?: string }[]} */
function blocksOf({ html, blocks, answers }, side) {
  if (html?.[side]) return [{ html: html[side] }];
  const { closed = [], open = "" } = blocks?.[side] ?? {};
  if (closed.length || open) return [...closed, open].filter(Boolean).map((part) => ({ html: part }));
  return answers[side] ? [{ html: "", text: answers[side] }] : [];
}

/** @type {(side: string, turns: any[]) => void} */
function showSide(side, turns) {
  const place = at(`chat_${side}`);
  for (const { question, answer } of rows[side].splice(turns.length)) [question, answer].forEach((part) => part.remove());
  turns.forEach((turn, index) => {
    const shown = (rows[side][index] ??= row());
    if (!shown.question.isConnected) place.append(shown.question);
    const words = shown.question.firstElementChild;
    if (words.textContent !== turn.prompt) words.textContent = turn.prompt;
    const blocks = blocksOf(turn, side);
    if (!blocks.length) shown.answer.remove();
    else if (!shown.answer.isConnected) shown.question.after(shown.answer);
    showBlocks(shown, blocks);
    markCut(shown, turn.cut?.includes(side));
  });
}

// Says below an answer that it ended at its length limit; the arena tells this only of models whose names are known.
/** @type {(row: Row, isCut: boolean) => void} */
function markCut({ answer }, isCut) {
  const mark = answer.querySelector(":scope > .a-cut");
  if (isCut && !mark) answer.append(element("p", { class: "a-cut" }, t("answer.cut")));
  else if (!isCut) mark?.remove();
}

/** @type {(row: Row, blocks: { html: string, text?: string }[]) => void} */
function showBlocks({ answer, blocks: shown }, blocks) {
  const same = blocks.findIndex(({ html, text }, index) => text !== undefined || shown[index]?.html !== html);
  const kept = same < 0 ? blocks.length : same;
  for (const { nodes } of shown.splice(kept)) for (const node of nodes) /** @type {ChildNode} */ (node).remove();
  for (const { html, text } of blocks.slice(kept)) {
    const nodes = text === undefined ? nodesOf(html) : [element("p", { class: "a-source", dir: "auto" }, text)];
    dressCode(nodes);
    updateSoon();
    answer.firstElementChild.append(...nodes);
    shown.push({ html, nodes });
  }
}

/** @type {(turns: any[]) => void} */
export const showTurns = (turns) => SIDES.forEach((side) => showSide(side, turns));
