// The page of public question sets: the tree of a set with counts, filters, and questions to read. The address keeps
// what is shown.

import { call } from "./api.js";
import { at, element } from "./dom.js";
import { failure } from "./failure.js";
import { whole } from "./numbers.js";
import { on, present } from "./shell.js";
import { raw, t } from "./texts.js";

const KEPT = ["set", "area", "category", "turns", "q", "start"];
const wish = Object.fromEntries(KEPT.map((key) => [key, new URLSearchParams(location.search).get(key)]));
let asked = 0;

export async function attach() {
  await present("questions");
  on("reload", load);
  on("place", ({ dataset }) => go({ area: dataset.area, category: dataset.category ?? null }));
  on("everything", () => go({ area: null, category: null }));
  on("turn-page", ({ dataset }) => go({ start: dataset.start }));
  await load();
}

async function load() {
  const answer = await call("GET", "/questions");
  at("sets").removeAttribute("aria-busy");
  if (!answer.ok) return fail(answer);
  if (!answer.data.length) return at("sets").replaceChildren(element("p", { class: "a-empty" }, t("sets.none")));
  if (!answer.data.some(({ name }) => name === wish.set)) Object.assign(wish, { set: preferred(answer.data).name, area: null, category: null });
  await open(answer.data);
}

const preferred = (sets) => sets.find(({ language }) => language && raw("lang.code").startsWith(language)) ?? sets[0];

function fail(answer) {
  at("sets").replaceChildren(failure(answer, load));
  at("questions").replaceChildren();
}

async function open(sets) {
  const answer = await call("GET", `/questions/${encodeURIComponent(wish.set)}`);
  if (!answer.ok) return fail(answer);
  at("sets").replaceChildren(choice(sets), facts(answer.data), tree(answer.data), filters());
  await show();
}

function choice(sets) {
  const options = sets.map(({ name, questions }) => element("option", { value: name, selected: name === wish.set }, `${name} (${whole(questions)})`));
  const select = element("select", { id: "set-choice" }, options);
  select.addEventListener("change", () => {
    Object.assign(wish, { set: select.value, area: null, category: null, start: null });
    open(sets);
  });
  return element("div", { class: "a-toolbar a-filters" }, element("label", {}, t("sets.set"), " ", select));
}

// What the shipped sets say of themselves.
const OURS = "written for this arena";

function facts(set) {
  const lines = [
    ["sets.version", whole(set.version)],
    ["sets.licence", set.licence],
    ["sets.source", set.source === OURS ? t("sets.source.ours") : set.source],
    ["sets.digest", element("code", {}, set.digest)],
  ];
  return element("dl", { class: "a-facts-list a-set-facts" }, lines.map(([key, value]) => element("div", {}, element("dt", {}, t(key)), element("dd", {}, value))));
}

// A treemap: areas and their categories are as wide as they have questions.
function tree(set) {
  const areas = set.tree.map((area) => {
    const leaves = element("div", { class: "a-set-leaves" }, area.children.map((leaf) => place(area, leaf, true)));
    const made = element("li", {}, place(area, area), leaves);
    made.style.flexGrow = area.questions;
    return made;
  });
  const all = element("button", { type: "button", class: "a-link", "data-act": "everything" }, t("sets.everything"));
  return element("section", { class: "a-figure" }, element("h2", {}, t("sets.tree")), element("p", { class: "a-note" }, t("sets.tree.help"), " ", all), element("ul", { class: "a-set-tree" }, areas));
}

function place(area, node, leaf = false) {
  const attributes = { type: "button", class: leaf ? "a-set-leaf" : "a-set-area", "data-act": "place", "data-area": area.name, "data-category": leaf ? node.name : null };
  const pressed = wish.area === area.name && (wish.category ?? null) === (leaf ? node.name : null);
  return element("button", { ...attributes, "aria-pressed": String(pressed) }, element("span", {}, named(node.name)), " ", element("b", {}, whole(node.questions)));
}

// Names of the ten capabilities are words of the arena; all others are the set's own.
const named = (name) => raw(`category.${name}`) ?? (name || t("sets.unnamed"));

function filters() {
  const search = element("input", { type: "search", value: wish.q ?? "", placeholder: t("sets.search"), "aria-label": t("sets.search"), maxlength: 200 });
  search.addEventListener("change", () => go({ q: search.value || null }));
  const kinds = ["", "one", "several"].map((kind) => element("option", { value: kind, selected: kind === (wish.turns ?? "") }, t(`sets.turns.${kind || "any"}`)));
  const turns = element("select", { "aria-label": t("sets.turns") }, kinds);
  turns.addEventListener("change", () => go({ turns: turns.value || null }));
  return element("div", { class: "a-toolbar a-filters" }, search, turns);
}

async function go(change) {
  Object.assign(wish, { start: null }, change);
  for (const button of document.querySelectorAll("[data-act=place]")) {
    const { area, category } = /** @type {HTMLElement} */ (button).dataset;
    button.setAttribute("aria-pressed", String(area === wish.area && (category ?? null) === (wish.category ?? null)));
  }
  await show();
}

function keep() {
  const address = new URL(location.href);
  for (const [key, value] of Object.entries(wish)) {
    if (value === null || value === undefined) address.searchParams.delete(key);
    else address.searchParams.set(key, value);
  }
  history.replaceState(history.state, "", address);
}

// An answer that arrives after a later wish is dropped.
async function show() {
  keep();
  const number = ++asked;
  const query = new URLSearchParams();
  for (const [key, value] of [["area", wish.area], ["category", wish.category], ["text", wish.q], ["start", wish.start]]) if (value !== null && value !== undefined) query.set(key, value);
  if (wish.turns) query.set("several_turns", String(wish.turns === "several"));
  const answer = await call("GET", `/questions/${encodeURIComponent(wish.set)}/items?${query}`);
  if (number !== asked) return;
  if (!answer.ok) return fail(answer);
  at("questions").replaceChildren(...page(answer.data));
}

function page({ matching, start, questions }) {
  const count = element("p", { class: "a-note", role: "status" }, t("sets.matching", { count: whole(matching) }));
  const steps = element("p", { class: "a-set-steps" }, step("sets.before", start - 50, start > 0), step("sets.after", start + questions.length, start + questions.length < matching));
  return [count, ...questions.map(card), steps];
}

function step(key, start, there) {
  return there ? element("button", { class: "a-button", type: "button", "data-act": "turn-page", "data-start": Math.max(0, start) }, t(key)) : null;
}

function card(question) {
  const where = [question.area, question.category, question.task].filter(Boolean).map(named).join(" · ");
  const head = element("summary", {}, element("span", { class: "a-set-prompt" }, question.turns[0]), element("small", {}, where));
  const turns = element("ol", { class: "a-set-turns" }, question.turns.map((turn) => element("li", {}, turn)));
  return element("details", { class: "a-set-question" }, head, turns, element("dl", { class: "a-facts-list" }, known(question)));
}

function known(question) {
  const options = question.options.map((option, number) => `${String.fromCharCode(65 + number)}. ${option}`).join("\n");
  const lines = [
    ["sets.id", question.id],
    ["sets.difficulty", question.difficulty],
    ["sets.hint", question.hint],
    ["sets.options", options],
    ["sets.key", question.key],
    ["sets.reference", question.reference],
    ["sets.answers", question.answers.length ? whole(question.answers.length) : null],
  ];
  return lines.filter(([, value]) => value).map(([key, value]) => element("div", {}, element("dt", {}, t(key)), element("dd", {}, value)));
}
