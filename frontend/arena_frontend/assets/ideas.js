// Example prompts for an empty text box: ten kinds, three of each; at first two of different kinds, then four. Who asks for
// others gets those of the public sets of questions too. Those about safety are withheld unless real models answer.

import { call } from "./api.js";
import { at, element, first } from "./dom.js";
import { on } from "./shell.js";
import { language, raw, t } from "./texts.js";

const [FIRST, SHOWN] = [2, 4];
const KINDS = ["understanding", "chat", "dialogue", "writing", "knowledge", "code", "reasoning", "calculation", "roleplay", "safety"];
const SAFETY = KINDS.indexOf("safety");
let all = raw("ideas");
// Those of the operator are one kind, in place of the ten.
const own = all.length !== KINDS.length;
let practising = true;
let more;
let start = Math.floor(Math.random() * 30);
let kind = -1;
let pages = false;

function chosen() {
  // What practice models have in their script comes first.
  if (pages) return raw("web.ideas").slice(0, practising ? SHOWN - 1 : SHOWN);
  if (kind >= 0) {
    const [title, ...prompts] = all[kind];
    return prompts.slice(0, SHOWN).map((_, step) => [title, prompts[(start + step) % prompts.length]]);
  }
  const mixed = practising && !own ? all.filter((_, number) => number !== SAFETY) : all;
  return Array.from({ length: more ? SHOWN : FIRST }, (_, step) => {
    const [title, ...prompts] = mixed[(start + step) % mixed.length];
    return [title, prompts[Math.floor((start + step) / mixed.length) % prompts.length]];
  });
}

function chip(title, number) {
  const attributes = { type: "button", class: "a-chip", "data-act": "kind", "data-kind": number, "aria-pressed": String(number === kind) };
  if (practising && !own && number === SAFETY) attributes.hidden = true;
  return element("button", attributes, title);
}

function cards() {
  at("idea-list").replaceChildren(
    ...chosen().map(([title, prompt]) =>
      element(
        "button",
        { type: "button", class: "a-idea", "data-act": "idea", "data-prompt": prompt },
        element("strong", {}, title),
        element("span", {}, prompt),
      ),
    ),
  );
}

// Categories of sets that are not one of the ten kinds become kinds of their own.
async function extend() {
  const answer = await call("GET", `/ideas?language=${language.split("-")[0]}`);
  if (!answer.ok) return;
  const given = new Map(answer.data.map(({ category, prompts }) => [category, prompts]));
  const known = own ? all : all.map((idea, number) => [...idea, ...(given.get(KINDS[number]) ?? [])]);
  const others = [...given].filter(([category]) => own || !KINDS.includes(category)).map(([category, prompts]) => [category, ...prompts]);
  at("idea-kinds").append(...others.map(([title], number) => chip(title, known.length + number)));
  all = [...known, ...others];
}

// Other examples for battles of web pages, of one kind.
export function offerPages(yes) {
  pages = yes;
  at("idea-kinds").hidden = yes || !more;
  first("[data-act=ideas]").hidden = yes;
  cards();
}

// Real models answer, so they may be asked about safety.
export function offerSafety() {
  practising = false;
  if (pages) cards();
  if (own) return;
  first(`#idea-kinds [data-kind="${SAFETY}"]`).hidden = false;
}

let begun = false;

// Once: the first view may have begun with them.
export function begin() {
  if (begun) return;
  begun = true;
  at("idea-kinds").replaceChildren(chip(t("ideas.all"), -1), ...all.map(([title], number) => chip(title, number)));
  cards();
  on("ideas", () => {
    const seen = first("#idea-list .a-idea").dataset.prompt;
    start += more ? SHOWN : FIRST;
    // Once real models answer there is one kind more, and the same idea may come again.
    if (chosen()[0][1] === seen) start += 1;
    more ??= extend();
    at("idea-kinds").hidden = false;
    cards();
  });
  on("kind", (button) => {
    kind = Number(button.dataset.kind);
    for (const other of at("idea-kinds").children) other.setAttribute("aria-pressed", String(other === button));
    cards();
  });
}
