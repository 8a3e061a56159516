// The engine of the battle page. It holds the battle's state, follows its stream, and raises two Gradio events:
// `paint` (at most ten times a second) fills the columns, `phase` sets box and buttons. The API decides everything;
// what is switched on here is only what the API would accept.

import { call, insist } from "./api.js";
import { Follower } from "./stream.js";
import { literal, neutralise } from "./neutralise.js";
import { problemText, t } from "./texts.js";
import { on, present } from "./shell.js";
import { listenToKeys } from "./keys.js";
import * as view from "./battle_view.js";

const SIDES = ["a", "b"];
const OUTCOMES = ["a", "tie", "both_bad", "b"];
const LIMIT = 12000;
const FRAME = 100;
const KEPT = "arena_battle";
const fresh = () => ({ phase: "empty", id: null, turns: [], done: {}, stopped: false, reveal: null, accepting: true });

let state = fresh();
let follower = null;
let raise = () => {};
let timer = null;
let boxValue;
let retry = null;

const last = () => state.turns.at(-1);
const boxText = () => document.querySelector("#prompt textarea")?.value ?? "";
const message = (role, text) => ({ role, content: [{ type: "text", text }], metadata: null, options: null });
const path = (tail = "") => `/battles/${encodeURIComponent(state.id)}${tail}`;

// What Gradio's listeners ask for.

function columns() {
  return SIDES.map((side) =>
    state.turns.flatMap((turn) => {
      const answer = turn.answers[side];
      const asked = message("user", literal(turn.prompt));
      return answer ? [asked, message("assistant", neutralise(answer))] : [asked];
    }),
  );
}

function controls() {
  const { phase } = state;
  const update = (values) => ({ __type__: "update", ...values });
  const tool = (shown, interactive = true) => update({ visible: shown ? true : "hidden", interactive });
  const over = phase === "voted" || phase === "void";
  const box = { placeholder: t(over ? "prompt.again" : phase === "empty" ? "prompt.placeholder" : "prompt.follow") };
  if (boxValue !== undefined) box.value = boxValue;
  boxValue = undefined;
  const sendable = ["empty", "ready", "voted", "void"].includes(phase) && !view.tooLong(boxText(), LIMIT);
  return [
    update(box),
    ...OUTCOMES.map(() => update({ interactive: phase === "ready" })),
    update({ interactive: sendable, visible: phase === "running" ? "hidden" : true, value: t(over ? "send.next" : "send") }),
    tool(phase === "running", !state.stopped),
    tool(phase === "ready"),
    tool(phase === "ready" || phase === "running"),
    tool(phase === "voted"),
    tool(over),
  ];
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
  raise("phase");
  paint();
}

function fill(text) {
  boxValue = text;
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
      view.say(t("say.ready"));
      enter("ready");
    },
    failed: ({ code }) => fail(code),
    closing({ retry_ms: pause }) {
      view.notice(t("notice.restarting"), "busy");
      later(pause);
    },
    open: () => view.clear("busy"),
    waiting: () => view.notice(t("notice.reconnecting"), "busy"),
    lost: () => later(300),
  });
}

function later(pause) {
  clearTimeout(retry);
  retry = setTimeout(resume, pause);
}

function fail(code) {
  view.notice(t(code === "shutting_down" ? "error.shutting_down" : "notice.failed"), "warn");
  view.say(t("say.failed"));
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
    view.notice(t("notice.reconnecting"), "busy");
    later(2000);
  } else reset();
}

async function adopt(battle) {
  state.turns = battle.turns.map((turn) => ({ ...turn, answers: { ...turn.answers } }));
  view.clear("busy");
  if (battle.state === "voted") {
    const answer = await insist("GET", path("/reveal"));
    return answer.ok ? reveal(answer.data) : trouble(answer);
  }
  if (battle.state === "void" || last()?.state === "failed") return fail();
  if (battle.state !== "open" || !last()) return reset();
  if (last().state === "ready") return enter("ready");
  enter("running");
  follow();
}

// What a person can do.

async function send(text = boxText().trim()) {
  if (!text) return view.notice(t("error.prompt_empty"), "warn");
  if (!["empty", "ready", "voted", "void"].includes(state.phase) || view.tooLong(text, LIMIT)) return;
  const before = state;
  const again = state.phase === "ready";
  if (!again) state = { ...fresh(), turns: [] };
  view.clear();
  state.stopped = false;
  state.done = {};
  state.turns = [...state.turns, { prompt: text, answers: {} }];
  view.settle();
  enter("starting");
  const answer = await call("POST", again ? path("/turns") : "/battles", { body: { prompt: text } });
  if (!answer.ok) {
    state = { ...before, turns: again ? before.turns.slice(0, -1) : before.turns };
    enter(again ? "ready" : before.phase);
    return trouble(answer);
  }
  began(answer.data);
  if (boxText().trim() === text) fill("");
}

function began(battle) {
  state.id = battle.id;
  localStorage.setItem(KEPT, battle.id);
  view.say(t("say.started"));
  return adopt(battle);
}

async function regenerate() {
  if (state.phase !== "ready") return;
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
  raise("phase");
  const answer = await call("POST", path("/stop"));
  if (answer.ok || answer.problem.code !== "network") return answer.ok ? undefined : trouble(answer);
  state.stopped = false;
  raise("phase");
  trouble(answer);
}

async function vote(outcome) {
  if (state.phase !== "ready") return;
  const id = state.id;
  view.clear();
  enter("voting");
  view.chosen(outcome);
  const answer = await insist("POST", path("/vote"), { body: { outcome }, key: `${id}.${outcome}` });
  if (state.id !== id) return;
  const known = answer.ok ? answer.data : answer.problem.reveal;
  if (known) reveal(known);
  if (!answer.ok) {
    if (!known) enter("ready");
    trouble(answer, answer.status === 0 ? "notice.vote_unsure" : undefined);
  }
}

function reveal(known) {
  state.reveal = known;
  enter("voted");
  view.say(t("say.revealed", { a: known.a.name, b: known.b.name }));
}

function reset() {
  follower?.close();
  clearTimeout(retry);
  localStorage.removeItem(KEPT);
  state = fresh();
  enter("empty");
  view.focusBox();
}

function skip() {
  if (["ready", "running"].includes(state.phase)) insist("POST", path("/skip"));
  view.clear();
  reset();
}

// An error in words; a battle that is gone cannot be continued, so the page starts afresh with the text kept.
function trouble({ status, problem }, key) {
  const text = key ? t(key) : status === 0 ? t("notice.network") : problemText(problem);
  view.notice(text, "warn");
  if (["battle_not_found", "battle_closed"].includes(problem.code)) reset();
  else if (["turn_running", "turn_not_ready"].includes(problem.code)) later(500);
}

const acts = {
  send: () => send(),
  stop,
  regenerate,
  skip,
  vote,
  new_round: skip,
  same_prompt: () => send(state.turns[0].prompt),
};

async function greet() {
  const answer = await insist("GET", "/status");
  if (!answer.ok) return;
  if (answer.data.endpoints < 2) view.notice(t("notice.few"), "warn");
  else if (!answer.data.accepting) view.notice(t("notice.not_accepting"), "warn");
}

export async function attach(trigger, ...events) {
  await present("notice-box");
  await present("prompt");
  raise = (name) => events.includes(name) && trigger(name);
  window.arena = { columns, controls, paint: () => raise("paint"), act: (name, value) => acts[name](value) };
  listenToKeys({ send: () => send(), vote, votable: () => state.phase === "ready", boxText });
  document.addEventListener("input", (event) => {
    if (!event.target.closest("#prompt")) return;
    if (view.count(boxText(), LIMIT)) raise("phase");
  });
  on("idea", (button) => {
    fill(button.dataset.prompt);
    view.focusBox();
  });
  on("retry", () => send());
  view.start();
  state.id = localStorage.getItem(KEPT);
  if (state.id) resume();
  else enter("empty");
  greet();
}
