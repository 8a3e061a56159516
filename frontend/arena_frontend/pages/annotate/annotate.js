// The annotation page: one item after the other, by keys alone. The link's secret is in the fragment of the address, which
// no server sees; the public gets one by joining. The next item is fetched before it is needed.

import { choose, form, guide, handleKey, inWords, reference, withKey } from "./annotate_form.js";
import { showUnseen, unwatch, watch } from "./annotate_sight.js";
import * as answers from "./answers.js";
import { call, insist, lost, reconnected } from "./api.js";
import { SIDES, all, at, dropJudgementDraft, element, judgementDraft, on, storeJudgementDraft } from "./shell.js";
import { problemText, t, whole } from "./texts.js";

const BUSY = "busy";
const SMALL = window.matchMedia("(max-width: 720px), (max-height: 767px)");
const LOW = window.matchMedia("(max-height: 599px)");
const BLIND = { mayFollow: false };
const state = { link: "", view: null, items: [], judged: new Set(), phase: BUSY, shownAt: 0, timer: 0, notice: "", opened: false, held: [] };

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
  // An answer that was sent before the last judgement still has the item that was judged, and does not count it.
  const uncounted = answer.data.items.filter(({ number }) => state.judged.has(number)).length;
  state.view = { ...answer.data, done: answer.data.done + uncounted, left: answer.data.left - uncounted };
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

function linkReport({ name, rule }) {
  if (rule === "published") at("annotate-lead").append(" ", element("a", { href: `/evaluations?name=${encodeURIComponent(name)}` }, t("annotate.report")));
}

function showText(text) {
  state.phase = BUSY;
  at("annotate-lead").replaceChildren(...(state.notice ? [element("strong", {}, state.notice), " "] : []), text);
  state.notice = "";
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

function showProgress() {
  const { done, left } = state.view;
  for (const [name, value] of Object.entries({ max: done + left, value: done })) at("annotate-progress").setAttribute(name, String(value));
  at("annotate-progress").hidden = false;
  at("annotate-lead").textContent = t(hasLink() ? "annotate.count" : "annotate.count.public", { done: whole(done), left: whole(left) });
}

// Whether this address is the link of a person; one of the public is known by the browser.
const hasLink = () => location.hash.length > 1;

// What to say without an item: all are done, or there was none, be it only today.
function ending({ done, left, reviewer }) {
  if (left && !hasLink()) return t("annotate.today", { done: whole(done) });
  if (done) return t(hasLink() ? "annotate.finished" : "annotate.finished.public", { done: whole(done) });
  at("annotate-progress").hidden = true;
  if (reviewer) return t("annotate.nothing.reviewer");
  return t(hasLink() ? "annotate.nothing" : "annotate.nothing.public");
}

// Counts a judgement that was saved, or one that was undone.
function count(step) {
  Object.assign(state.view, { done: state.view.done + step, left: state.view.left - step });
  showProgress();
}

function show() {
  const { view, items } = state;
  showProgress();
  if (!items.length) return showText(ending(view));
  at("annotate-guide").replaceChildren(...guide(view.protocol));
  at("pair").hidden = false;
  at("annotate-reference").replaceChildren(...reference(items[0]));
  at("annotate-reference").hidden = !items[0].reference;
  at("judge").replaceChildren(...noticed(), ...form(view.protocol, items[0], judge, keep));
  at("judge").hidden = false;
  const draft = judgementDraft(place());
  if (draft) choose(draft, markChoice);
  fillColumns(items[0]);
  watchAnswers(draft);
  scrollToItem();
  Object.assign(state, { phase: "judging", shownAt: performance.now() });
}

// A choice between two is taken once both have been in sight; one that was made before had them in sight.
function watchAnswers(draft) {
  if (state.view.protocol.pairwise && (draft?.outcome ?? "skip") === "skip") watch(state.items[0].number);
  else unwatch();
}

// Shows the answer that has never been in sight in place of a choice, by keys too; false if there is none.
function refuseUnseen({ outcome }) {
  const side = outcome === "skip" ? null : showUnseen();
  if (!side) return false;
  removeNotices();
  at("judge").prepend(told(t(`annotate.unseen.${side}`)));
  return true;
}

const told = (text) => element("p", { class: "a-told", role: "alert" }, text);

// What became of the item before, which the next one must not hide.
function noticed() {
  const { notice } = state;
  state.notice = "";
  return notice ? [told(notice)] : [];
}

// The item of this link or, for one of the public, of this evaluation: the same person has another link after a reload.
function place() {
  const { number, prompts, answers } = state.items[0];
  return JSON.stringify([location.hash || new URL(location.href).searchParams.get("evaluation"), number, prompts, answers]);
}

// A choice, which ends what was told before.
function keep(said) {
  removeNotices();
  storeJudgementDraft(place(), said);
}

function removeNotices() {
  for (const told of all("#judge-offline, #judge [role=alert]")) told.remove();
}

// Where there is little room, the heading is scrolled out of view once it has been seen, and at once in a low window, which
// it would fill with the choice.
function scrollToItem() {
  if (LOW.matches || (SMALL.matches && state.opened)) at("annotate-progress").scrollIntoView();
  else window.scrollTo({ top: 0 });
  state.opened = true;
}

async function judge(judgement) {
  if (state.phase !== "judging" || refuseUnseen(judgement)) return;
  state.phase = BUSY;
  const { number } = state.items[0];
  const milliseconds = Math.round(performance.now() - state.shownAt);
  markChoice(judgement.outcome);
  keep(judgement);
  const answer = await save(path(number), { said: judgement, milliseconds });
  if (answer.ok || (answer.isRepeat && answer.problem.params?.rule === "same")) return saved(judgement);
  if ([404, 409].includes(answer.status)) return dropped(answer);
  markChoice(null);
  releaseChoices();
  removeNotices();
  at("judge").append(element("p", { role: "alert" }, problemText(answer.problem)));
  state.phase = "judging";
}

function saved(judgement) {
  state.judged.add(state.items[0].number);
  dropJudgementDraft();
  count(1);
  offerUndo(judgement);
}

// A judgement that the arena does not take: the item has one from another device, or the evaluation or the link has ended.
/** @type {(answer: import("./api.js").Answer) => void} */
function dropped(answer) {
  const { problem } = answer;
  dropJudgementDraft();
  if (problem.code === "already_annotated") {
    state.notice = problemText(problem);
    next();
    return;
  }
  if (!problem.params?.kept) state.notice = t("annotate.unsaved");
  showProblem(answer);
}

// What was pressed is seen at once, however long the arena takes to save it.
function markChoice(outcome) {
  for (const choice of all("#judge [data-act=say]")) choice.setAttribute("aria-pressed", String(choice.dataset.outcome === outcome));
}

// Sends a judgement until the arena has it: while there is no connection it stays in this page, which says so. Of one that
// was sent again, the arena may have kept what was sent first.
async function save(address, body, isRepeat = false) {
  const answer = await call("PUT", address, { body });
  if (!lost(answer)) return { ...answer, isRepeat };
  holdChoices();
  await reconnected();
  return save(address, body, true);
}

// The arena may have the choice although its answer was lost, so no other one can replace it until the arena answers.
function holdChoices() {
  if (at("judge-offline")) return;
  state.held = all("#judge :is(button, input):enabled:not([aria-pressed=true])");
  for (const control of state.held) control.disabled = true;
  at("judge").append(element("p", { id: "judge-offline", role: "status" }, t("annotate.offline", { seconds: state.view.undo_seconds })));
}

function releaseChoices() {
  for (const control of state.held.splice(0)) control.disabled = false;
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
  state.judged.delete(number);
  if (!answer.ok) {
    state.notice = t("annotate.kept");
    return next();
  }
  count(-1);
  keep(state.judgement);
  show();
}

async function next() {
  window.clearTimeout(state.timer);
  state.phase = BUSY;
  state.items.shift();
  const loading = loadItems();
  if (state.items.length) {
    show();
    if ((await loading) && state.phase !== BUSY) showProgress();
  } else if (await loading) show();
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (state.phase === "judged") {
    if (event.key === "Backspace" || event.key === "u") undo();
    else if (event.key === "Enter" || event.key === "ArrowRight") next();
    else return;
    event.preventDefault();
  } else if (state.phase === "judging" && !event.repeat && handleKey(event, state.view.protocol, judge)) event.preventDefault();
}

answers.begin(at("pair"), BLIND);
answers.beginTools(() => sources(state.items[0]));
// The second click of a double click does not judge what the first has only brought into sight.
on("say", ({ dataset }, { detail }) => detail < 2 && judge({ outcome: dataset.outcome }));
on("undo", undo);
on("go-on", next);
window.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => location.reload());
begin();
