// The engine of the pages of battles and chats. It has the conversation's state, follows its stream, and has both shown: the
// answers at most ten times a second, text box and buttons with each change. The API makes all decisions; controls are
// enabled here only for requests that it would accept. Differences between a blind battle and a chat with chosen models are
// in the `kind` that the page's own script passes to `start`.

import { BOUNDED, call, follow, insist, lost } from "./api.js";
import * as composer from "./composer.js";
import * as view from "./conversation_view.js";
import { around, on } from "./shell.js";
import { listed, problemText, t, waitOf } from "./texts.js";

// The state of text box and buttons, in plain values that conversation_view.js shows.

export const LIMIT = 12000;
const REGENERATIONS = 3;
const TURNS = 20;

/** @typedef {{ isVisible: boolean, isEnabled?: boolean, text?: string }} Button */
/** @typedef {{ box: { placeholder: string, value?: string }, isVoteOpen: boolean, buttons: Record<string, Button> }} Controls */

const repeatable = ({ phase, turns }) => phase === "ready" && (turns.at(-1).generation ?? 0) < REGENERATIONS;

const isFull = ({ phase, turns }) => phase === "ready" && turns.length >= TURNS;

function placeholder(state, over) {
  if (isFull(state)) return t("prompt.last");
  return t(over ? "prompt.again" : state.phase === "empty" ? "prompt.placeholder" : "prompt.follow");
}

// What all pages have; a page adds its own buttons.
/** @type {(state: any, over: boolean, options: { value?: string, blocked: boolean }) => Controls} */
export function commonControls(state, over, { value, blocked }) {
  const sendable = (over || ["empty", "ready"].includes(state.phase)) && !isFull(state) && !blocked;
  return {
    box: { placeholder: placeholder(state, over), value },
    isVoteOpen: state.phase === "ready",
    buttons: {
      send: { isVisible: state.phase !== "running", isEnabled: sendable, text: t("send") },
      stop: { isVisible: state.phase === "running", isEnabled: !state.stopped },
      regenerate: { isVisible: repeatable(state) },
    },
  };
}

// Milliseconds between two paintings: more where one takes long, as with a long answer or on a slow device, so that text
// costs at most a twentieth of the main thread.
const [FRAME, SLOWEST, SHARE] = [100, 250, 20];
// What a failed turn says, by the code of its end; without one the models have failed.
const FAILURES = { stopped_early: "notice.stopped_early", store_unavailable: "error.store_unavailable" };
const NO_ANSWERS = () => ({ answers: {}, blocks: {}, html: null });
const emptyState = () => ({ phase: "empty", id: null, turns: [], done: {}, stopped: false, names: null, outcome: null, hasCome: false });

// Codes of the API that say of a conversation that it cannot be continued.
const GONE = ["battle_not_found", "chat_not_found", "battle_closed"];

let kind;
let state = emptyState();
/** @type {EventSource | null} */
let source = null;
let paintTimer = null;
let frame = FRAME;
let resumeTimer = null;
let newText; // for the text box, at its next update
/** @typedef {{ prompt: string, images?: string[] }} Question not read from the box; without images, those beside the box are its own */
/** @type {Question[]} */
let followUps = []; // to send one after the other
let unsent = null; // a request that a previous load of the page could not send
let confirmed = null; // a prompt to send although the arena has warned of it
let isResuming = false; // the conversation of a previous load is on its way
let early = ""; // a prompt to send once that is there

/** @type {() => HTMLTextAreaElement | null} */
const box = () => document.querySelector("#prompt textarea");
const boxText = () => box()?.value ?? "";

export const current = () => state;
export const lastTurn = () => state.turns.at(-1);
// Which answers the visitor sees, for a vote: another tab may have asked for others.
export const shownAnswers = () => ({ turn: lastTurn()?.number, generation: lastTurn()?.generation ?? 0 });
export const path = (tail = "") => `${kind.place}/${encodeURIComponent(state.id)}${tail}`;
export const updateControls = () => view.showControls(controls());

const paintTurns = () => view.showAnswers(state.turns, kind.hasLinks(state));
const canAsk = () => ["empty", "ready", "voted", "void"].includes(state.phase);

function controls() {
  const value = newText;
  newText = undefined;
  return kind.controls(state, { value, blocked: composer.isBlocked() || view.isTooLong(boxText(), LIMIT) });
}

// Rendering.

function paint() {
  paintTimer ??= setTimeout(() => {
    paintTimer = null;
    const start = performance.now();
    paintTurns();
    view.afterPaint(() => (frame = Math.min(SLOWEST, Math.max(FRAME, SHARE * (performance.now() - start)))));
  }, frame);
}

export function enter(phase) {
  state.phase = phase;
  view.show(state);
  kind.onShow(state);
  updateControls();
  paint();
}

function setText(text) {
  newText = text;
  kind.memory.storeDraft(text);
  updateControls();
  view.showCount(text, LIMIT);
}

// Puts a question with its images into the box again, unless something else is there; says whether it stands there.
/** @type {(question: Question) => boolean} */
export function giveBack({ prompt, images }) {
  const text = boxText().trim();
  if ((text && text !== prompt) || (images && composer.hasOtherImages(images))) return false;
  if (!text) setText(prompt);
  if (images) composer.reuseImages(images);
  return true;
}

// All questions of the conversation, with those that were still to be sent.
/** @type {() => Question[]} */
export const questions = () => [...state.turns.map(questionOf), ...followUps];
const questionOf = ({ prompt, images = [] }) => ({ prompt, images });

// Shows the last words at once, and resolves when they are drawn; without frames, as in a hidden tab, soon.
async function paintLast() {
  clearTimeout(paintTimer);
  paintTimer = null;
  await paintTurns();
  await Promise.race([new Promise(view.afterPaint), new Promise((resolve) => setTimeout(resolve, SLOWEST))]);
}

// The stream. Over HTTP/1.1 the tabs of a browser share six connections to a host, and each stream takes one: a hidden tab
// leaves its own and asks for the state when it is shown, unless it has more prompts to send.

const mayFollow = () => !document.hidden || followUps.length > 0;

function leaveStream() {
  source?.close();
  source = null;
}

function followIfShown() {
  if (state.phase !== "running") return;
  if (!mayFollow()) leaveStream();
  else if (!source) resume();
}

function followTurn() {
  leaveStream();
  if (!mayFollow()) return;
  const turn = lastTurn();
  const handlers = {
    first() {
      Object.assign(turn, NO_ANSWERS());
      state.done = {};
    },
    delta({ side, text }) {
      turn.answers[side] = (turn.answers[side] ?? "") + text;
      view.showStates(state);
      paint();
    },
    blocks({ side, from, html, open }) {
      const before = turn.blocks[side]?.closed ?? [];
      turn.blocks[side] = { closed: [...before.slice(0, from), ...html], open };
      view.showStates(state);
      paint();
    },
    sideDone({ side }) {
      state.done[side] = true;
      view.showStates(state);
    },
    async ready() {
      const asking = state;
      turn.stopped = state.stopped;
      await paintLast();
      if (state !== asking || state.phase !== "running") return;
      const question = followUps.shift();
      if (question) {
        state.phase = "ready";
        return send(question);
      }
      view.say(t(turn.stopped ? "vote.hint.stopped" : state.kind === "web_page" ? "say.ready.web" : "say.ready"));
      composer.endWarning("answers");
      view.shieldVotes(updateControls);
      enter("ready");
      if (view.isPlain(turn)) composer.warn(t("notice.old_server"));
    },
    failed({ code, failed }) {
      turn.failed = failed;
      fail(code);
    },
    closing({ retry_ms: pause }) {
      composer.away(t("notice.restarting"));
      resumeLater(pause);
    },
    open() {
      state.hasCome = true;
      composer.clearNotice("busy");
    },
    waiting: () => composer.away(t("notice.reconnecting")),
    lost: () => resumeLater(300),
  };
  source = follow(path(), handlers, view.HTML);
}

function resumeLater(pause) {
  clearTimeout(resumeTimer);
  resumeTimer = setTimeout(resume, pause);
}

// Where the names are known, those of the models that failed.
function failureText(code) {
  const names = (lastTurn()?.failed ?? []).map((side) => state.names?.[side]).filter(Boolean);
  if (FAILURES[code] || !names.length) return t(FAILURES[code] ?? "notice.failed");
  return t("notice.failed.named", { names: listed(names) });
}

function fail(code) {
  const isBack = state.turns.length > 0 && giveBack(questionOf(lastTurn()));
  if (code === "shutting_down") composer.away(t("error.shutting_down"));
  else composer.warn([failureText(code), ...(isBack ? [t(state.turns.length > 1 ? "notice.back.last" : "notice.back")] : [])].join(" "));
  view.say(t("say.failed"));
  enter("void");
}

// Loads the state from the API: after a reload, in a second tab, or when a stream was lost.
async function resume() {
  const id = state.id;
  const answer = await insist("GET", path(view.HTML), BOUNDED, []);
  if (state.id !== id) return;
  if (answer.ok) {
    state.hasCome = true;
    await adopt(answer.data);
  } else if (GONE.includes(answer.problem.code)) leave(answer.problem);
  else {
    composer.away(t("notice.reconnecting"));
    return resumeLater(2000);
  }
  resumeUnsent();
  sendEarly();
}

// Leaves a conversation that the arena does not know, and says so in a tab that has shown it or was to show it. If it
// began here and nothing of it ever came, the browser keeps no cookie, by which the arena would know whose it is: the
// question goes back.
function leave(problem) {
  const question = !state.hasCome && state.turns.length === 1 ? questionOf(state.turns[0]) : null;
  const isOfTab = kind.memory.isOfTab(state.id);
  reset();
  if (question) giveBack(question);
  if (question || isOfTab) composer.warn(question ? t("notice.cookies") : problemText(problem));
}

// What is shown of a turn already: what the API returns for a request has answers as text alone.
function rendered({ number, generation }) {
  const turn = state.turns.find((other) => other.number === number && other.generation === generation);
  return { blocks: turn?.blocks ?? {}, html: turn?.html ?? null };
}

// Asks once for answers as HTML, which the API leaves out of what it returns for a request.
let hasAsked = false;

function lacksHtml() {
  const isLacking = state.turns.some((turn) => turn.state !== "running" && view.isPlain(turn));
  if (isLacking && hasAsked) composer.warn(t("notice.old_server"));
  hasAsked = isLacking && !hasAsked;
  return hasAsked;
}

export async function adopt(conversation) {
  state.turns = conversation.turns.map((turn) => ({ ...rendered(turn), ...turn, answers: { ...turn.answers } }));
  if (lacksHtml()) return resume();
  composer.clearNotice("busy");
  if (await kind.onAdopt(conversation)) return;
  if (conversation.state === "void" || lastTurn()?.state === "failed") return fail(lastTurn()?.failure);
  if (conversation.state !== "open" || !lastTurn()) return reset();
  if (lastTurn().state === "ready") return enter("ready");
  enter("running");
  followTurn();
}

// The turns with answers as their models wrote them, for which a page that shows HTML has to ask.
async function writtenTurns() {
  const { ok, data } = await call("GET", path());
  return ok ? data.turns : [];
}

// Actions of the visitor.

/** @type {(given?: Question, later?: Question[]) => Promise<unknown>} */
export async function send(given, later = []) {
  const text = given?.prompt ?? boxText().trim();
  if (!text) {
    composer.focusBox();
    return ["empty", "ready"].includes(state.phase) ? composer.warnUntil(t("error.prompt_empty"), "text") : undefined;
  }
  if (isResuming) return void (early = text);
  if (["starting", "running"].includes(state.phase)) return composer.warnUntil(t("prompt.kept"), "answers");
  if (!canAsk() || composer.isBlocked() || view.isTooLong(text, LIMIT)) return;
  if (!given?.images && composer.hasPendingImages()) return composer.whenImagesSent((complete) => (complete ? send(given, later) : given && giveBack(given)));
  const again = state.phase === "ready";
  if (!again && !composer.hasTerms()) return composer.whenTermsKnown(() => send(given, later));
  const opening = again ? {} : kind.opening();
  if (!opening) return;
  if (!again && !composer.hasAgreed()) return composer.askToAgree(null, () => send(given, later));
  const prompt = { prompt: text, images: given?.images ?? composer.attachedIds(), ...(confirmed === text ? { sure: true } : {}) };
  const body = again ? prompt : { ...prompt, terms: composer.termsVersion(), ...opening };
  return ask({ id: state.id ?? "", again, turns: state.turns.length, body }, given, later);
}

async function ask(request, given, later) {
  const { again, body } = request;
  const before = state;
  const { outcome } = state;
  if (!again) state = { ...emptyState(), names: kind.names(body) };
  const asking = state;
  unsent = null;
  composer.clearNotice();
  followUps = again ? followUps : later;
  clearOpinion();
  state.turns = [...state.turns, { prompt: body.prompt, images: body.images, ...NO_ANSWERS() }];
  view.startFollowing();
  enter("starting");
  const post = () => call("POST", again ? `${kind.place}/${request.id}/turns` : kind.place, { body });
  const answer = await composer.deliver(kind.memory, request, post, () => composer.existingConversation(kind.place, request));
  if (state !== asking) return;
  if (!answer.ok) {
    state = { ...before, outcome, turns: again ? before.turns.slice(0, -1) : before.turns };
    followUps = [];
    enter(again ? "ready" : before.phase);
    if (given) giveBack(body);
    const resend = () => send(given, later);
    if (answer.problem.code === "prompt_doubtful")
      return composer.propose(problemText(answer.problem), "prompt.send_anyway", () => {
        confirmed = body.prompt;
        resend();
      });
    return answer.problem.code === "terms_not_accepted" ? composer.askToAgree(answer.problem.terms, resend) : showProblem(answer);
  }
  begin(answer.data);
  composer.dropImages(body.images);
  if (boxText().trim() === body.prompt) setText("");
}

// Sends what was to be sent before the conversation was there, which it may belong to.
function sendEarly() {
  const prompt = early;
  isResuming = false;
  early = "";
  if (prompt) send({ prompt });
}

// Sends what a previous load of the page could not send.
function resumeUnsent() {
  const request = unsent;
  unsent = null;
  if (!request) return;
  const isHere = request.id === state.id && state.phase === "ready";
  if (request.again === false || (isHere && request.body)) return ask(request, request.body, []);
  if (isHere) return kind.acts.vote(request.outcome, request.shown);
  if (request.id === state.id) kind.memory.storeUnsent(null);
}

// New answers will come: the opinion on the previous ones no longer holds.
const clearOpinion = () => Object.assign(state, { stopped: false, done: {}, outcome: null });

function begin(conversation) {
  state.id = conversation.id;
  kind.memory.storeId(conversation.id);
  view.say(t("say.started"));
  return adopt(conversation);
}

async function regenerate() {
  if (!repeatable(state)) return;
  const { outcome } = state;
  const turn = lastTurn();
  const before = { ...turn };
  clearOpinion();
  Object.assign(turn, NO_ANSWERS());
  enter("starting");
  const answer = await call("POST", path("/regenerate"));
  if (answer.ok) return begin(answer.data);
  Object.assign(turn, before);
  state.outcome = outcome;
  enter("ready");
  showProblem(answer);
}

async function stop() {
  if (state.phase !== "running" || state.stopped) return;
  state.stopped = true;
  followUps = [];
  updateControls();
  const answer = await call("POST", path("/stop"));
  if (answer.ok) return;
  if (answer.problem.code === "network") {
    state.stopped = false;
    updateControls();
  }
  showProblem(answer);
}

export function reset() {
  source?.close();
  clearTimeout(resumeTimer);
  kind.memory.forgetId(state.id);
  state = emptyState();
  followUps = [];
  enter("empty");
  scrollTo({ top: 0, behavior: "instant" });
  composer.focusBox();
}

// Shows a problem. A battle that no longer exists cannot be continued, so the page is reset; the text stays.
/** @type {(answer: { status: number, problem?: any }) => any} */
export function showProblem({ status, problem }) {
  const unblock = () => {
    view.say(t("say.free"));
    updateControls();
  };
  if (lost({ ok: false, status, problem })) return composer.away(t("notice.unreachable")).then(unblock);
  if (waitOf(problem) && canAsk()) {
    composer.countdown(problem, unblock);
    return updateControls();
  }
  composer.warn(problemText(problem));
  if (GONE.includes(problem.code)) reset();
  else if (["turn_running", "turn_not_ready", "answers_changed"].includes(problem.code)) resumeLater(500);
}

export function start(pageKind) {
  kind = pageKind;
  const acts = { send: () => send(), stop, regenerate, ...kind.acts };
  window.addEventListener("offline", () => composer.away(t("notice.offline")));
  document.addEventListener("visibilitychange", followIfShown);
  for (const name of ["send", "stop", "regenerate", "skip", "same_prompt", "new_round"]) on(name, () => acts[name]());
  on("vote", ({ dataset }, { detail }) => view.showUnrun() || (detail && view.showUnseen()) || acts.vote(dataset.outcome));
  view.listenToKeys({ send: () => send(), vote: (outcome) => view.showUnrun() || acts.vote(outcome), canVote: () => state.phase === "ready", boxText });
  document.addEventListener("input", (event) => {
    if (!around(event, "#prompt")) return;
    kind.memory.storeDraft(boxText());
    if (boxText()) composer.endWarning("text");
    if (view.showCount(boxText(), LIMIT)) updateControls();
  });
  on("idea", ({ dataset: { prompt } }) => {
    if (!view.insertText(prompt)) setText(prompt);
  });
  view.start(writtenTurns);
  composer.beginNotices();
  kind.onStart?.();
  state.id = kind.isNew() ? null : kind.memory.id();
  unsent = composer.waitingRequest(kind.memory);
  isResuming = Boolean(state.id);
  if (isResuming) resume();
  else {
    enter("empty");
    composer.focusIfPointer();
  }
  const sent = view.earlyPrompt();
  if (kind.memory.draft() && !boxText()) setText(kind.memory.draft());
  composer.greet(kind.name).then(updateControls);
  composer.beginImages(kind.memory.images(), kind.memory.storeImages);
  // Later, so that clicks made before this script was there come first, such as one that chooses the kind of battle.
  if (sent) setTimeout(() => send({ prompt: sent }));
  else if (!state.id) resumeUnsent();
}
