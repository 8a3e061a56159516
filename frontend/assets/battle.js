// The engine of the battle page. It holds the battle's state, follows its stream, and raises two Gradio events:
// `paint` (at most ten times a second) fills the columns, `phase` sets box and buttons. The API decides everything;
// what is switched on here is only what the API would accept.

import { call, insist } from "./api.js";
import { Follower } from "./stream.js";
import { problemText, t } from "./texts.js";
import { on, present } from "./shell.js";
import { listenToKeys, steady } from "./keys.js";
import { LIMIT, columns, controls, repeatable } from "./battle_controls.js";
import * as entry from "./battle_entry.js";
import * as notices from "./battle_notices.js";
import * as reveal from "./battle_reveal.js";
import * as memory from "./memory.js";
import * as view from "./battle_view.js";

const FRAME = 100;
const fresh = () => ({ phase: "empty", id: null, turns: [], done: {}, stopped: false, reveal: null });

let state = fresh();
let follower = null;
let raise = () => {};
let timer = null;
let boxValue;
let retry = null;
let waiting = [];

const last = () => state.turns.at(-1);
const boxText = () => document.querySelector("#prompt textarea")?.value ?? "";
const path = (tail = "") => `/battles/${encodeURIComponent(state.id)}${tail}`;

const askable = () => ["empty", "ready", "voted", "void"].includes(state.phase);

function controlled() {
  const value = boxValue;
  boxValue = undefined;
  return controls(state, { value, blocked: notices.blocked() || view.tooLong(boxText(), LIMIT) });
}

// Painting.

function paint() {
  timer ??= setTimeout(() => {
    timer = null;
    raise("paint");
    view.painted();
  }, FRAME);
}

function enter(phase) {
  state.phase = phase;
  view.show(state);
  reveal.show(state);
  raise("phase");
  paint();
}

function fill(text) {
  boxValue = text;
  memory.keepDraft(text);
  raise("phase");
  view.count(text, LIMIT);
}

// The stream.

function follow() {
  follower?.close();
  const turn = last();
  follower = new Follower(state.id, {
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

function later(pause) {
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

async function adopt(battle) {
  state.turns = battle.turns.map((turn) => ({ ...turn, answers: { ...turn.answers } }));
  notices.clear("busy");
  if (battle.state === "voted") {
    const answer = await insist("GET", path("/reveal"));
    return answer.ok ? revealed(answer.data) : trouble(answer);
  }
  if (battle.state === "void" || last()?.state === "failed") return fail();
  if (battle.state !== "open" || !last()) return reset();
  if (last().state === "ready") return enter("ready");
  enter("running");
  follow();
}

// What a person can do.

async function send(given, followUps = []) {
  const text = given ?? boxText().trim();
  if (!text) return notices.warn(t("error.prompt_empty"));
  if (!askable() || notices.blocked() || view.tooLong(text, LIMIT)) return;
  const before = state;
  const again = state.phase === "ready";
  const resend = () => send(given, followUps);
  if (!again && !entry.agreed()) return entry.agree(null, resend);
  if (!again) state = { ...fresh(), turns: [] };
  notices.clear();
  waiting = again ? waiting : followUps;
  state.stopped = false;
  state.done = {};
  state.turns = [...state.turns, { prompt: text, answers: {} }];
  view.settle();
  enter("starting");
  const answer = await call("POST", again ? path("/turns") : "/battles", {
    body: again ? { prompt: text } : { prompt: text, terms: entry.version() },
  });
  if (!answer.ok) {
    state = { ...before, turns: again ? before.turns.slice(0, -1) : before.turns };
    waiting = [];
    enter(again ? "ready" : before.phase);
    if (given && !boxText()) fill(given);
    return answer.problem.code === "terms_not_accepted" ? entry.agree(answer.problem.terms, resend) : trouble(answer);
  }
  began(answer.data);
  if (boxText().trim() === text) fill("");
}

function began(battle) {
  state.id = battle.id;
  memory.keepBattle(battle.id);
  view.say(t("say.started"));
  return adopt(battle);
}

async function regenerate() {
  if (!repeatable(state)) return;
  state.stopped = false;
  state.done = {};
  const shown = last().answers;
  last().answers = {};
  enter("starting");
  const answer = await call("POST", path("/regenerate"));
  if (answer.ok) return began(answer.data);
  last().answers = shown;
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

async function vote(outcome) {
  if (state.phase !== "ready") return;
  steady();
  const id = state.id;
  notices.clear();
  enter("voting");
  view.chosen(outcome);
  const answer = await insist("POST", path("/vote"), { body: { outcome }, key: `${id}.${outcome}` });
  if (state.id !== id) return;
  const known = answer.ok ? answer.data : answer.problem.reveal;
  if (known) {
    revealed(known);
    view.focusReveal();
  }
  if (!answer.ok) {
    if (!known) enter("ready");
    trouble(answer, answer.status === 0 ? "notice.vote_unsure" : undefined);
  }
}

function revealed(known) {
  state.reveal = known;
  enter("voted");
  view.say(t("say.revealed", { a: known.a.name, b: known.b.name }));
}

function reset() {
  follower?.close();
  clearTimeout(retry);
  memory.dropBattle(state.id);
  state = fresh();
  waiting = [];
  enter("empty");
  view.focusBox();
}

function skip() {
  if (["ready", "running"].includes(state.phase)) insist("POST", path("/skip"));
  notices.clear();
  reset();
}

// The whole conversation again with a new pair: each follow-up is sent when both have answered the one before.
function same() {
  const [first, ...later] = state.turns.map((turn) => turn.prompt);
  if (state.phase === "voted") send(first, later);
}

function goOn(prompt) {
  state.phase = "ready";
  send(prompt);
}

// An error in words; a battle that is gone cannot be continued, so the page starts afresh with the text kept.
function trouble({ status, problem }, key) {
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
  if (["battle_not_found", "battle_closed"].includes(problem.code)) reset();
  else if (["turn_running", "turn_not_ready"].includes(problem.code)) later(500);
}

const acts = { send: () => send(), stop, regenerate, skip, vote, new_round: skip, same_prompt: same };
export async function attach(trigger, ...events) {
  await present("notice-box");
  await present("prompt");
  raise = (name) => events.includes(name) && trigger(name);
  window.arena = { columns: () => columns(state.turns), controls: controlled, paint: () => raise("paint"), act: (name, value) => acts[name](value) };
  listenToKeys({ send: () => send(), vote, votable: () => state.phase === "ready", boxText });
  document.addEventListener("input", (event) => {
    if (!event.target.closest("#prompt")) return;
    memory.keepDraft(boxText());
    if (view.count(boxText(), LIMIT)) raise("phase");
  });
  on("idea", (button) => {
    fill(button.dataset.prompt);
    view.focusBox();
  });
  view.start();
  notices.start();
  state.id = memory.battle();
  if (state.id) resume();
  else {
    enter("empty");
    view.welcome();
  }
  if (memory.draft() && !boxText()) fill(memory.draft());
  entry.greet();
}
