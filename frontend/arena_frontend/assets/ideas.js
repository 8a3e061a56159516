// Example prompts for an empty text box: ten kinds, three of each; at first two of different kinds, then four. Whoever
// asks for others gets those of the public question sets too. Prompts about safety are withheld unless real models answer.

import { call } from "./api.js";
import { at, element, first } from "./dom.js";
import { on } from "./shell.js";
import { language, raw, t } from "./texts.js";

const [FIRST, SHOWN] = [2, 4];
const KINDS = ["understanding", "chat", "dialogue", "writing", "knowledge", "code", "reasoning", "calculation", "roleplay", "safety"];
const SAFETY = KINDS.indexOf("safety");
/** @type {string[][]} a title and prompts per kind */
let ideas = raw("ideas");
const isOperators = ideas.length !== KINDS.length; // the operator's own ideas are one kind, in place of the ten
let isPractice = true;
let extension; // the promise of more ideas, once somebody has asked for others
let start = Math.floor(Math.random() * 30);
let kind = -1; // index of the chosen kind; -1 for all
let isOfPages = false;

function choose() {
  // The first three are in the script of the practice models.
  if (isOfPages) return raw("web.ideas").slice(0, isPractice ? SHOWN - 1 : SHOWN);
  if (kind >= 0) {
    const [title, ...prompts] = ideas[kind];
    return prompts.slice(0, SHOWN).map((_, step) => [title, prompts[(start + step) % prompts.length]]);
  }
  const kinds = isPractice && !isOperators ? ideas.filter((_, number) => number !== SAFETY) : ideas;
  return Array.from({ length: extension ? SHOWN : FIRST }, (_, step) => {
    const [title, ...prompts] = kinds[(start + step) % kinds.length];
    return [title, prompts[Math.floor((start + step) / kinds.length) % prompts.length]];
  });
}

function chip(title, number) {
  const attributes = { type: "button", class: "a-chip", "data-act": "kind", "data-kind": number, "aria-pressed": String(number === kind) };
  return element("button", { ...attributes, hidden: isPractice && !isOperators && number === SAFETY }, title);
}

const card = ([title, prompt]) => element("button", { type: "button", class: "a-idea", "data-act": "idea", "data-prompt": prompt }, element("strong", {}, title), element("span", {}, prompt));
const showCards = () => at("idea-list").replaceChildren(...choose().map(card));

// Categories of question sets that are not one of the ten kinds become kinds of their own.
async function extend() {
  const answer = await call("GET", `/ideas?language=${language.split("-")[0]}`);
  if (!answer.ok) return;
  const promptsOf = new Map(answer.data.map(({ category, prompts }) => [category, prompts]));
  const extended = isOperators ? ideas : ideas.map((idea, number) => [...idea, ...(promptsOf.get(KINDS[number]) ?? [])]);
  const others = [...promptsOf].filter(([category]) => isOperators || !KINDS.includes(category)).map(([category, prompts]) => [category, ...prompts]);
  at("idea-kinds").append(...others.map(([title], number) => chip(title, extended.length + number)));
  ideas = [...extended, ...others];
}

// Shows other ideas for battles of web pages, of one kind.
export function offerPages(yes) {
  isOfPages = yes;
  at("idea-kinds").hidden = yes || !extension;
  first("[data-act=ideas]").hidden = yes;
  showCards();
}

// Real models answer, so they may be asked about safety.
export function offerSafety() {
  isPractice = false;
  if (isOfPages) showCards();
  if (!isOperators) first(`#idea-kinds [data-kind="${SAFETY}"]`).hidden = false;
}

let hasBegun = false;

// Called by the first view and by the engine; does nothing the second time.
export function begin() {
  if (hasBegun) return;
  hasBegun = true;
  at("idea-kinds").replaceChildren(chip(t("ideas.all"), -1), ...ideas.map(([title], number) => chip(title, number)));
  showCards();
  on("ideas", () => {
    const before = first("#idea-list .a-idea").dataset.prompt;
    start += extension ? SHOWN : FIRST;
    // Once real models answer there is one kind more, and the same idea may come again.
    if (choose()[0][1] === before) start += 1;
    extension ??= extend();
    at("idea-kinds").hidden = false;
    showCards();
  });
  on("kind", (button) => {
    kind = Number(button.dataset.kind);
    for (const other of at("idea-kinds").children) other.setAttribute("aria-pressed", String(other === button));
    showCards();
  });
}
