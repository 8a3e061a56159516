// The annotation page: one item after the other, by keys alone. The link's secret is behind the # of the address, which
// no server sees; the public gets one by joining. The next item is here before it is needed.

import * as marks from "./answer_marks.js";
import * as tools from "./answer_tools.js";
import { form, guide, keyed } from "./annotate_form.js";
import { call, insist, lost } from "./api.js";
import { columns } from "./conversation_controls.js";
import { at, element } from "./dom.js";
import { back } from "./line.js";
import { whole } from "./numbers.js";
import { on, present } from "./shell.js";
import { problemText, t } from "./texts.js";

const BUSY = "busy";
const state = { link: "", view: null, items: [], phase: BUSY, shownAt: 0, done: 0, timer: 0 };
let paint = () => {};

export async function attach(trigger, event) {
  for (const part of ["foot", "judge", "pair", "chat_b"]) await present(part);
  document.documentElement.dataset.phase = "shared";
  Object.assign(window, { arena: { columns: () => columns(turns(state.items[0]), false) } });
  paint = () => trigger(event);
  tools.begin(() => turns(state.items[0]));
  marks.begin();
  on("say", ({ dataset }) => say({ outcome: dataset.outcome }));
  on("undo", undo);
  on("go-on", next);
  window.addEventListener("keydown", keys);
  window.addEventListener("hashchange", () => location.reload());
  await begin();
}

async function begin() {
  state.link ||= location.hash.slice(1) || (await joined());
  if (state.link && (await more())) show();
}

// One of the public: the secret stays in this tab, a later visit gets another.
async function joined() {
  const name = new URL(location.href).searchParams.get("evaluation");
  if (!name) return elsewhere();
  const answer = await insist("POST", `/evaluations/${encodeURIComponent(name)}/annotators`);
  return answer.ok ? answer.data.link : refused(answer);
}

function elsewhere() {
  tell(t("annotate.nolink"));
  at("annotate-lead").append(" ", element("a", { href: "/evaluations" }, t("annotate.open")));
  return null;
}

const path = (number) => `/annotate/${encodeURIComponent(state.link)}/items${number ? `/${number}` : ""}`;

async function more() {
  const answer = await insist("POST", path());
  if (!answer.ok) return refused(answer);
  state.view = answer.data;
  const known = new Set(state.items.map(({ number }) => number));
  state.items.push(...answer.data.items.filter(({ number }) => !known.has(number)));
  return true;
}

function refused(answer) {
  if (lost(answer)) back().then(begin);
  return tell(problemText(answer.problem));
}

function tell(text) {
  state.phase = BUSY;
  at("annotate-lead").textContent = text;
  at("pair").hidden = true;
  at("judge").hidden = true;
  return null;
}

const turns = (item) =>
  item.prompts.map((prompt, number) => ({ prompt, answers: { a: item.answers[0][number], b: item.answers[1]?.[number] } }));

function show() {
  const { view, items } = state;
  for (const [name, value] of Object.entries({ max: view.done + view.left, value: view.done })) at("annotate-progress").setAttribute(name, String(value));
  at("annotate-progress").hidden = false;
  if (!items.length) return tell(t("annotate.finished", { done: whole(view.done) }));
  at("annotate-lead").textContent = t("annotate.count", { done: whole(view.done), left: whole(view.left) });
  at("annotate-guide").replaceChildren(guide(view.protocol, items[0]));
  at("pair").hidden = false;
  at("side_b").hidden = items[0].answers.length < 2;
  at("judge").replaceChildren(...form(view.protocol, items[0], say));
  at("judge").hidden = false;
  paint();
  window.scrollTo({ top: 0 });
  Object.assign(state, { phase: "judging", shownAt: performance.now() });
}

async function say(said) {
  if (state.phase !== "judging") return;
  state.phase = BUSY;
  const { number } = state.items[0];
  const milliseconds = Math.round(performance.now() - state.shownAt);
  const answer = await insist("PUT", path(number), { body: { said, milliseconds } });
  if (answer.ok) return offerUndo();
  if (answer.problem.code === "already_annotated") return next();
  notice(problemText(answer.problem));
  state.phase = "judging";
}

function notice(text) {
  at("judge").append(element("p", { role: "alert" }, text));
}

function offerUndo() {
  state.phase = "said";
  const buttons = [button("undo", "annotate.undo"), button("go-on", "annotate.next")];
  at("judge").replaceChildren(element("p", { role: "status" }, t("annotate.saved")), element("p", { class: "a-judge-row" }, buttons));
  state.timer = window.setTimeout(next, state.view.undo_seconds * 1000);
}

const button = (act, key) => element("button", { type: "button", class: "a-button", "data-act": act }, t(key));

async function undo() {
  if (state.phase !== "said") return;
  window.clearTimeout(state.timer);
  state.phase = BUSY;
  const answer = await call("DELETE", path(state.items[0].number));
  if (answer.ok) return show();
  next();
}

async function next() {
  window.clearTimeout(state.timer);
  state.phase = BUSY;
  state.items.shift();
  const loading = more();
  if (state.items.length) {
    Object.assign(state.view, { done: state.view.done + 1, left: state.view.left - 1 });
    show();
    await loading;
  } else if (await loading) show();
}

function keys(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (state.phase === "said") {
    if (event.key === "Backspace" || event.key === "u") undo();
    else if (event.key === "Enter" || event.key === "ArrowRight") next();
    else return;
    event.preventDefault();
  } else if (state.phase === "judging" && keyed(event, state.view.protocol, say)) event.preventDefault();
}
