// The engine of the pages of battles and chats. It has the conversation's state, follows its stream, and raises two
// Gradio events: `paint` (at most ten times a second) fills the columns, `phase` sets text box and buttons. The API makes
// all decisions; controls are enabled here only for requests that it would accept. Differences between a blind battle and
// a chat with chosen models are in the `kind` that the page's own script passes to `start`.

import { call, insist, lost } from "./api.js";
import { around } from "./dom.js";
import { Follower } from "./stream.js";
import { problemText, short, t } from "./texts.js";
import { on, present } from "./shell.js";
import { listenToKeys } from "./keys.js";
import { conversation as arrived, deliver } from "./unsent.js";
import { LIMIT, columns, repeatable } from "./conversation_controls.js";
import { takeOver, uncoverable } from "./first_view.js";
import * as answers from "./answer_links.js";
import * as entry from "./entry.js";
import * as images from "./images.js";
import * as notices from "./notices.js";
import * as view from "./conversation_view.js";

// Milliseconds between two paintings: more where one takes long, as with a long answer or on a slow device, so that text
// costs at most a twentieth of the main thread.
const [FRAME, SLOWEST, SHARE] = [100, 250, 20];
const fresh = () => ({ phase: "empty", id: null, turns: [], done: {}, stopped: false, names: null, outcome: null });

let kind;
let state = fresh();
let follower = null;
/** @type {(event: "paint" | "phase") => unknown} */
let raise = () => {};
let timer = null;
let pause = FRAME;
let boxValue;
let retry = null;
let waiting = [];
let unfinished = null;
// The question that is sent although the arena has warned of it.
let sure = null;

/** @type {() => HTMLTextAreaElement | null} */
const box = () => document.querySelector("#prompt textarea");
const boxText = () => box()?.value ?? "";

export const now = () => state;
export const last = () => state.turns.at(-1);
export const path = (tail = "") => `${kind.place}/${encodeURIComponent(state.id)}${tail}`;
export const phase = () => raise("phase");

const followable = () => kind.followable(state);
const askable = () => ["empty", "ready", "voted", "void"].includes(state.phase);
const blocked = () => notices.blocked() || view.tooLong(boxText(), LIMIT);

function controlled() {
  const value = boxValue;
  boxValue = undefined;
  return kind.controls(state, { value, blocked: blocked() });
}

// Rendering.

function paint() {
  timer ??= setTimeout(() => {
    timer = null;
    const began = performance.now();
    raise("paint");
    view.painted(() => (pause = Math.min(SLOWEST, Math.max(FRAME, SHARE * (performance.now() - began)))));
  }, pause);
}

export function enter(phase) {
  state.phase = phase;
  view.show(state);
  kind.shown(state);
  raise("phase");
  paint();
}

function fill(text) {
  boxValue = text;
  kind.memory.keepDraft(text);
  raise("phase");
  view.count(text, LIMIT);
}

// The stream.

function follow() {
  follower?.close();
  const turn = last();
  follower = new Follower(path(), {
    first() {
      turn.answers = {};
      state.done = {};
    },
    delta({ side, text }) {
      turn.answers[side] = (turn.answers[side] ?? "") + text;
      view.states(state);
      paint();
    },
    sideDone({ side }) {
      state.done[side] = true;
      view.states(state);
    },
    ready() {
      const next = waiting.shift();
      if (next) return goOn(next);
      view.say(t("say.ready"));
      enter("ready");
    },
    failed: ({ code }) => fail(code),
    closing({ retry_ms: pause }) {
      notices.away(t("notice.restarting"));
      later(pause);
    },
    open: () => notices.clear("busy"),
    waiting: () => notices.away(t("notice.reconnecting")),
    lost: () => later(300),
  });
}

export function later(pause) {
  clearTimeout(retry);
  retry = setTimeout(resume, pause);
}

function fail(code) {
  if (code === "shutting_down") notices.away(t("error.shutting_down"));
  else notices.warn(t("notice.failed"));
  view.say(t("say.failed"));
  waiting = [];
  if (!boxText()) fill(last()?.prompt ?? "");
  enter("void");
}

// Loads the state from the API: after a reload, in a second tab, or when a stream was lost.
async function resume() {
  const id = state.id;
  const answer = await insist("GET", path(), {}, []);
  if (state.id !== id) return;
  if (answer.status === 0 || answer.status >= 500) {
    notices.away(t("notice.reconnecting"));
    return later(2000);
  }
  if (answer.ok) await adopt(answer.data);
  else reset();
  takeUp();
}

export async function adopt(conversation) {
  state.turns = conversation.turns.map((turn) => ({ ...turn, answers: { ...turn.answers } }));
  notices.clear("busy");
  if (await kind.adopted(conversation)) return;
  if (conversation.state === "void" || last()?.state === "failed") return fail();
  if (conversation.state !== "open" || !last()) return reset();
  if (last().state === "ready") return enter("ready");
  enter("running");
  follow();
}

// Actions of the visitor.

export async function send(given, followUps = []) {
  const text = given ?? boxText().trim();
  if (!text) {
    view.focusBox();
    return ["voted", "void"].includes(state.phase) ? undefined : notices.warn(t("error.prompt_empty"));
  }
  if (["starting", "running"].includes(state.phase)) return notices.warn(t("prompt.kept"));
  if (!askable() || notices.blocked() || view.tooLong(text, LIMIT)) return;
  if (images.pending()) return images.settled((whole) => (whole ? send(given, followUps) : given && !boxText() && fill(given)));
  const again = state.phase === "ready";
  const opening = again ? {} : kind.opening();
  if (!opening) return;
  if (!again && !entry.agreed()) return entry.agree(null, () => send(given, followUps));
  const asked = { prompt: text, images: images.ids(), ...(sure === text ? { sure: true } : {}) };
  const body = again ? asked : { ...asked, terms: entry.version(), ...opening };
  return ask({ id: state.id ?? "", again, turns: state.turns.length, body, notice: "notice.unsent" }, given, followUps);
}

async function ask(request, given, followUps) {
  const { again, body } = request;
  const before = state;
  const { outcome } = state;
  if (!again) state = { ...fresh(), names: kind.names(body) };
  const mine = state;
  unfinished = null;
  notices.clear();
  waiting = again ? waiting : followUps;
  anew();
  state.turns = [...state.turns, { prompt: body.prompt, images: body.images, answers: {} }];
  view.settle();
  enter("starting");
  const post = () => call("POST", again ? `${kind.place}/${request.id}/turns` : kind.place, { body });
  const answer = await deliver(kind.memory, request, post, () => arrived(kind.place, request));
  if (state !== mine) return;
  if (!answer.ok) {
    state = { ...before, outcome, turns: again ? before.turns.slice(0, -1) : before.turns };
    waiting = [];
    enter(again ? "ready" : before.phase);
    if (given && !boxText()) fill(given);
    const resend = () => send(given, followUps);
    if (answer.problem.code === "prompt_doubtful")
      return notices.askSure(problemText(answer.problem), () => {
        sure = body.prompt;
        resend();
      });
    return answer.problem.code === "terms_not_accepted" ? entry.agree(answer.problem.terms, resend) : trouble(answer);
  }
  began(answer.data);
  images.clear();
  if (boxText().trim() === body.prompt) fill("");
}

// Goes on with what waited for the line when the tab was loaded again.
function takeUp() {
  const request = unfinished;
  unfinished = null;
  if (!request) return;
  const here = request.id === state.id && state.phase === "ready";
  if (request.again === false || (here && request.body)) return ask(request, request.body.prompt, []);
  if (here) return kind.acts.vote(request.outcome);
  kind.memory.keepUnsent(null);
}

// New answers will come, so the opinion on the previous ones is cleared.
const anew = () => Object.assign(state, { stopped: false, done: {}, outcome: null });

function began(conversation) {
  state.id = conversation.id;
  kind.memory.keep(conversation.id);
  view.say(t("say.started"));
  return adopt(conversation);
}

// Goes on with the battle of the first view, whose answers so far are painted before that goes.
async function goOnWith(battle) {
  view.settle();
  await began(battle);
  raise("paint");
  await new Promise(view.painted);
}

async function regenerate() {
  if (!repeatable(state)) return;
  const { outcome } = state;
  const shown = last().answers;
  anew();
  last().answers = {};
  enter("starting");
  const answer = await call("POST", path("/regenerate"));
  if (answer.ok) return began(answer.data);
  last().answers = shown;
  state.outcome = outcome;
  enter("ready");
  trouble(answer);
}

async function stop() {
  if (state.phase !== "running" || state.stopped) return;
  state.stopped = true;
  waiting = [];
  raise("phase");
  const answer = await call("POST", path("/stop"));
  if (answer.ok || answer.problem.code !== "network") return answer.ok ? undefined : trouble(answer);
  state.stopped = false;
  raise("phase");
  trouble(answer);
}

export function reset() {
  follower?.close();
  clearTimeout(retry);
  kind.memory.drop(state.id);
  state = fresh();
  waiting = [];
  enter("empty");
  view.focusBox();
}

function goOn(prompt) {
  state.phase = "ready";
  send(prompt);
}

/**
 * An error in words; a battle that is gone cannot be continued, so the page starts afresh with the text kept.
 * @param {{ status: number, problem?: any }} answer
 */
export function trouble({ status, problem }) {
  const free = () => {
    view.say(t("say.free"));
    raise("phase");
  };
  if (lost({ ok: false, status, problem })) return notices.away(t("notice.unreachable")).then(free);
  if (short(problem.retry_after) && askable()) {
    notices.countdown(problem, free);
    return raise("phase");
  }
  notices.warn(problemText(problem));
  if (["battle_not_found", "chat_not_found", "battle_closed"].includes(problem.code)) reset();
  else if (["turn_running", "turn_not_ready"].includes(problem.code)) later(500);
}

const common = { send: () => send(), stop, regenerate };

export async function start(given, trigger, events) {
  kind = given;
  await present("say");
  await present("prompt");
  const battle = await uncoverable();
  const acts = { ...common, ...kind.acts };
  raise = (name) => events.includes(name) && trigger(name);
  window.addEventListener("offline", () => notices.away(t("notice.offline")));
  const hooks = { columns: () => columns(state.turns, followable(), state.phase === "running"), controls: controlled, paint: () => raise("paint"), act: (name, value) => acts[name](value) };
  Object.assign(window, { arena: hooks });
  answers.begin(followable);
  listenToKeys({ send: () => send(), vote: acts.vote, votable: () => state.phase === "ready", boxText });
  document.addEventListener("input", (event) => {
    if (!around(event, "#prompt")) return;
    kind.memory.keepDraft(boxText());
    if (view.count(boxText(), LIMIT)) raise("phase");
  });
  on("idea", (button) => {
    fill(button.dataset.prompt);
    view.focusBox();
  });
  view.start(() => state.turns);
  notices.start();
  kind.begin?.();
  state.id = kind.memory.held();
  unfinished = kind.memory.unsent();
  if (battle) await goOnWith(battle);
  else if (state.id) resume();
  else {
    enter("empty");
    view.welcome();
  }
  const sent = takeOver(box());
  if (kind.memory.draft() && !boxText()) fill(kind.memory.draft());
  entry.greet(kind.name);
  // After what was pressed before, as a kind.
  if (sent) setTimeout(() => send(sent));
  else if (!state.id) takeUp();
}
