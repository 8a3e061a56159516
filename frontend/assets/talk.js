// The engine of the pages of battles and of chats. It holds the talk's state, follows its stream, and raises two Gradio
// events: `paint` (at most ten times a second) fills the columns, `phase` sets box and buttons. The API decides
// everything; what is switched on here is only what the API would accept. What differs between a blind battle and a
// chat with chosen models is in the `kind` that the page's own script gives to `start`.

import { call, insist } from "./api.js";
import { Follower } from "./stream.js";
import { problemText, t } from "./texts.js";
import { on, present } from "./shell.js";
import { listenToKeys } from "./keys.js";
import { LIMIT, columns, repeatable } from "./talk_controls.js";
import * as entry from "./entry.js";
import * as notices from "./notices.js";
import * as view from "./talk_view.js";

const FRAME = 100;
const fresh = () => ({ phase: "empty", id: null, turns: [], done: {}, stopped: false, names: null, outcome: null });

let kind;
let state = fresh();
let follower = null;
let raise = () => {};
let timer = null;
let boxValue;
let retry = null;
let waiting = [];

const boxText = () => document.querySelector("#prompt textarea")?.value ?? "";

export const now = () => state;
export const last = () => state.turns.at(-1);
export const path = (tail = "") => `${kind.place}/${encodeURIComponent(state.id)}${tail}`;
export const phase = () => raise("phase");

const askable = () => ["empty", "ready", "voted", "void"].includes(state.phase);
const blocked = () => notices.blocked() || view.tooLong(boxText(), LIMIT);

function controlled() {
  const value = boxValue;
  boxValue = undefined;
  return kind.controls(state, { value, blocked: blocked() });
}

// Painting.

function paint() {
  timer ??= setTimeout(() => {
    timer = null;
    raise("paint");
    view.painted();
  }, FRAME);
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
      notices.busy(t("notice.restarting"));
      later(pause);
    },
    open: () => notices.clear("busy"),
    waiting: () => notices.busy(t("notice.reconnecting")),
    lost: () => later(300),
  });
}

export function later(pause) {
  clearTimeout(retry);
  retry = setTimeout(resume, pause);
}

function fail(code) {
  notices.warn(t(code === "shutting_down" ? "error.shutting_down" : "notice.failed"));
  view.say(t("say.failed"));
  waiting = [];
  if (!boxText()) fill(last()?.prompt ?? "");
  enter("void");
}

// How things stand according to the API: after a reload, in a second tab, or when a stream was lost.
async function resume() {
  const id = state.id;
  const answer = await insist("GET", path(), {}, []);
  if (state.id !== id) return;
  if (answer.ok) await adopt(answer.data);
  else if (answer.status === 0 || answer.status >= 500) {
    notices.busy(t("notice.reconnecting"));
    later(2000);
  } else reset();
}

export async function adopt(talk) {
  state.turns = talk.turns.map((turn) => ({ ...turn, answers: { ...turn.answers } }));
  notices.clear("busy");
  if (await kind.adopted(talk)) return;
  if (talk.state === "void" || last()?.state === "failed") return fail();
  if (talk.state !== "open" || !last()) return reset();
  if (last().state === "ready") return enter("ready");
  enter("running");
  follow();
}

// What a person can do.

export async function send(given, followUps = []) {
  const text = given ?? boxText().trim();
  if (!text) return notices.warn(t("error.prompt_empty"));
  if (!askable() || notices.blocked() || view.tooLong(text, LIMIT)) return;
  const opening = state.phase === "ready" ? {} : kind.opening();
  if (!opening) return;
  const before = state;
  const again = state.phase === "ready";
  const resend = () => send(given, followUps);
  if (!again && !entry.agreed()) return entry.agree(null, resend);
  const { outcome } = state;
  if (!again) state = { ...fresh(), names: kind.names() };
  notices.clear();
  waiting = again ? waiting : followUps;
  anew();
  state.turns = [...state.turns, { prompt: text, answers: {} }];
  view.settle();
  enter("starting");
  const answer = await call("POST", again ? path("/turns") : kind.place, {
    body: again ? { prompt: text } : { prompt: text, terms: entry.version(), ...opening },
  });
  if (!answer.ok) {
    state = { ...before, outcome, turns: again ? before.turns.slice(0, -1) : before.turns };
    waiting = [];
    enter(again ? "ready" : before.phase);
    if (given && !boxText()) fill(given);
    return answer.problem.code === "terms_not_accepted" ? entry.agree(answer.problem.terms, resend) : trouble(answer);
  }
  began(answer.data);
  if (boxText().trim() === text) fill("");
}

// Other answers are to come: what was said of the last ones is not said of them.
const anew = () => Object.assign(state, { stopped: false, done: {}, outcome: null });

function began(talk) {
  state.id = talk.id;
  kind.memory.keep(talk.id);
  view.say(t("say.started"));
  return adopt(talk);
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

// An error in words; a battle that is gone cannot be continued, so the page starts afresh with the text kept.
export function trouble({ status, problem }, key) {
  const free = () => {
    view.say(t("say.free"));
    raise("phase");
  };
  if (status === 0 && !key) return entry.comeBack(free);
  if (problem.retry_after && askable()) {
    notices.countdown(problem, free);
    return raise("phase");
  }
  notices.warn(key ? t(key) : problemText(problem));
  if (["battle_not_found", "chat_not_found", "battle_closed"].includes(problem.code)) reset();
  else if (["turn_running", "turn_not_ready"].includes(problem.code)) later(500);
}

const common = { send: () => send(), stop, regenerate };

export async function start(given, trigger, events) {
  kind = given;
  await present("notice-box");
  await present("prompt");
  const acts = { ...common, ...kind.acts };
  raise = (name) => events.includes(name) && trigger(name);
  window.arena = { columns: () => columns(state.turns), controls: controlled, paint: () => raise("paint"), act: (name, value) => acts[name](value) };
  listenToKeys({ send: () => send(), vote: acts.vote, votable: () => state.phase === "ready", boxText });
  document.addEventListener("input", (event) => {
    if (!event.target.closest("#prompt")) return;
    kind.memory.keepDraft(boxText());
    if (view.count(boxText(), LIMIT)) raise("phase");
  });
  on("idea", (button) => {
    fill(button.dataset.prompt);
    view.focusBox();
  });
  view.start();
  notices.start();
  state.id = kind.memory.held();
  if (state.id) resume();
  else {
    enter("empty");
    view.welcome();
  }
  if (kind.memory.draft() && !boxText()) fill(kind.memory.draft());
  entry.greet(kind.name);
}
