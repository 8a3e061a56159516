// The annotation page: one item after the other, by keys alone. The link's secret is in the fragment of the address, which
// no server sees; the public gets one by joining. The next item is fetched before it is needed.

import { choose, form, guide, handleKey, inWords, reference, withKey } from "./annotate_form.js";
import * as answers from "./answers.js";
import { call, insist, lost, reconnected } from "./api.js";
import { SIDES, all, at, element, on } from "./shell.js";
import { problemText, t, whole } from "./texts.js";

const BUSY = "busy";
const NARROW = window.matchMedia("(max-width: 720px)");
const BLIND = { mayFollow: false };
const state = { link: "", view: null, items: [], judged: new Set(), phase: BUSY, shownAt: 0, done: 0, timer: 0 };

async function begin() {
  state.link ||= location.hash.slice(1) || (await join());
  if (state.link && (await loadItems())) show();
}

// Makes an annotator of one of the public; the secret stays in this tab, a later visit gets another.
async function join() {
  const name = new URL(location.href).searchParams.get("evaluation");
  if (!name) return showOpenEvaluations();
  const answer = await insist("POST", `/evaluations/${encodeURIComponent(name)}/annotators`);
  return answer.ok ? answer.data.link : showProblem(answer);
}

function showOpenEvaluations() {
  showText(t("annotate.nolink"));
  at("annotate-lead").append(" ", element("a", { href: "/evaluations" }, t("annotate.open")));
  return null;
}

const path = (number) => `/annotate/${encodeURIComponent(state.link)}/items${number ? `/${number}` : ""}`;

async function loadItems() {
  const answer = await insist("POST", `${path()}?as=html`);
  if (!answer.ok) return showProblem(answer);
  state.view = answer.data;
  // An answer that was sent before the last judgement still has the item that was judged.
  const known = new Set([...state.judged, ...state.items.map(({ number }) => number)]);
  state.items.push(...answer.data.items.filter(({ number }) => !known.has(number)));
  return true;
}

function showProblem(answer) {
  if (lost(answer)) reconnected().then(begin);
  at("annotate-progress").hidden = true;
  showText(problemText(answer.problem));
  if (answer.problem.code === "evaluation_closed") linkReport(answer.problem.params);
  return null;
}

// The report of a closed evaluation; one that is not published yet will stand at the address that is shown.
function linkReport({ name, rule }) {
  const href = `/evaluations?name=${encodeURIComponent(name)}`;
  at("annotate-lead").append(" ", element("a", { href }, rule === "published" ? t("annotate.report") : location.origin + href));
}

function showText(text) {
  state.phase = BUSY;
  at("annotate-lead").textContent = text;
  at("annotate-guide").replaceChildren();
  for (const id of ["pair", "annotate-reference", "judge"]) at(id).hidden = true;
  return null;
}

const sources = ({ answers: [a, b] }) => [{ answers: { a: a.at(-1), b: b?.at(-1) } }];

function fillColumns({ prompts, html }) {
  for (const [index, side] of SIDES.entries()) at(`chat_${side}`).replaceChildren(...prompts.flatMap((prompt, turn) => [element("div", { class: "a-prompt", dir: "auto" }, prompt), answers.answer(html[index]?.[turn] ?? "")]));
  at("side_b").hidden = html.length < 2;
  answers.dress(at("pair"), BLIND);
}

function show() {
  const { view, items } = state;
  for (const [name, value] of Object.entries({ max: view.done + view.left, value: view.done })) at("annotate-progress").setAttribute(name, String(value));
  at("annotate-progress").hidden = false;
  if (!items.length) return showText(t("annotate.finished", { done: whole(view.done) }));
  at("annotate-lead").textContent = t("annotate.count", { done: whole(view.done), left: whole(view.left) });
  at("annotate-guide").replaceChildren(...guide(view.protocol));
  at("pair").hidden = false;
  at("annotate-reference").replaceChildren(...reference(items[0]));
  at("annotate-reference").hidden = !items[0].reference;
  at("judge").replaceChildren(...form(view.protocol, items[0], judge));
  at("judge").hidden = false;
  fillColumns(items[0]);
  scrollToItem();
  Object.assign(state, { phase: "judging", shownAt: performance.now() });
}

// Where there is little room, what is above the answers is scrolled out of view.
function scrollToItem() {
  if (NARROW.matches) at("annotate-guide").scrollIntoView();
  else window.scrollTo({ top: 0 });
}

async function judge(judgement) {
  if (state.phase !== "judging") return;
  state.phase = BUSY;
  const { number } = state.items[0];
  const milliseconds = Math.round(performance.now() - state.shownAt);
  markChoice(judgement.outcome);
  const answer = await save(path(number), { said: judgement, milliseconds });
  if (answer.ok) {
    state.judged.add(number);
    return offerUndo(judgement);
  }
  if (answer.problem.code === "already_annotated") return next();
  if ([404, 409].includes(answer.status)) return showProblem(answer); // the evaluation or the link has ended
  markChoice(null);
  at("judge").append(element("p", { role: "alert" }, problemText(answer.problem)));
  state.phase = "judging";
}

// What was pressed is seen at once, however long the arena takes to save it.
function markChoice(outcome) {
  for (const choice of all("#judge [data-act=say]")) choice.setAttribute("aria-pressed", String(choice.dataset.outcome === outcome));
}

// Sends a judgement until the arena has it: while there is no connection it stays in this page, which says so.
async function save(address, body) {
  const answer = await call("PUT", address, { body });
  if (!lost(answer)) return answer;
  if (!at("judge-offline")) at("judge").append(element("p", { id: "judge-offline", role: "status" }, t("annotate.offline")));
  await reconnected();
  return save(address, body);
}

function offerUndo(judgement) {
  Object.assign(state, { phase: "judged", judgement });
  const buttons = [button("undo", "annotate.undo", "Backspace"), button("go-on", "annotate.next", "Enter")];
  at("judge").replaceChildren(element("p", { role: "status" }, t("annotate.saved", { choice: inWords(judgement, state.view.protocol, state.items[0]) })), element("p", { class: "a-judge-row" }, buttons));
  state.timer = window.setTimeout(next, state.view.undo_seconds * 1000);
}

const button = (act, key, name) => element("button", { type: "button", class: "a-button", "data-act": act }, ...withKey(key, name));

async function undo() {
  if (state.phase !== "judged") return;
  window.clearTimeout(state.timer);
  state.phase = BUSY;
  const { number } = state.items[0];
  const answer = await call("DELETE", path(number));
  if (answer.ok) {
    state.judged.delete(number);
    show();
    return choose(state.judgement, markChoice);
  }
  next();
}

async function next() {
  window.clearTimeout(state.timer);
  state.phase = BUSY;
  state.items.shift();
  const loading = loadItems();
  if (state.items.length) {
    Object.assign(state.view, { done: state.view.done + 1, left: state.view.left - 1 });
    show();
    await loading;
  } else if (await loading) show();
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (state.phase === "judged") {
    if (event.key === "Backspace" || event.key === "u") undo();
    else if (event.key === "Enter" || event.key === "ArrowRight") next();
    else return;
    event.preventDefault();
  } else if (state.phase === "judging" && handleKey(event, state.view.protocol, judge)) event.preventDefault();
}

answers.begin(at("pair"), BLIND);
answers.beginTools(() => sources(state.items[0]));
on("say", ({ dataset }) => judge({ outcome: dataset.outcome }));
on("undo", undo);
on("go-on", next);
window.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => location.reload());
begin();
