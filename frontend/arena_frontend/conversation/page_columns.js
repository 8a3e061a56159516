// The columns of a page of the server: of each turn its question, and its answer as blocks of HTML, of which only those
// that have changed are put in again.

import { dressCode, updateTabStops } from "./answers.js";
import { at, element, first } from "./dom.js";
import { SIDES } from "./sides.js";
import { nodesOf } from "./trusted.js";

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

/** @type {(kind: string, name: string) => HTMLElement} */
const message = (kind, name) => element("div", { class: `${kind} ${kind}-row` }, element("div", { class: `message-content ${name}`, dir: "auto" }));

/** @type {() => Row} */
const row = () => ({ question: message("user", "a-prompt"), answer: message("bot", "a-answer"), blocks: [] });

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
  const place = first(`#chat_${side} .panel-wrap`);
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
  });
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
export const show = (turns) => SIDES.forEach((side) => showSide(side, turns));

// Whether an answer is there as text alone.
/** @type {(turn: any) => boolean} */
export const isPlain = (turn) => SIDES.some((side) => blocksOf(turn, side).some(({ text }) => text !== undefined));
