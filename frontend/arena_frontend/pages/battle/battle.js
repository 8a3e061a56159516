// The battle page: two hidden models, a vote, and only then their names.

import { call, insist, loaded } from "./api.js";
import * as composer from "./composer.js";
import { commonControls, current, enter, giveBack, path, questions, reset, send, showProblem, shownAnswers, start, updateControls } from "./conversation.js";
import * as view from "./conversation_view.js";
import { all, at, conversationMemory, on, scriptAddress } from "./shell.js";
import { localizeTimes, t } from "./texts.js";

// The bot check: solves one challenge a day in a web worker while the visitor reads, without a widget or another host.

const PLACE = "/bot-check";
let checkedDay = ""; // in UTC

// Runs once per page and day, and again after a failure; without WebCrypto, as on plain http in a local network, the
// verdict stays unknown.
async function prove() {
  const day = new Date().toISOString().slice(0, 10);
  if (checkedDay === day || !globalThis.crypto?.subtle || typeof Worker === "undefined") return;
  checkedDay = day;
  const retry = () => (checkedDay = "");
  const { ok, data } = await call("GET", PLACE);
  if (!ok) return retry();
  if (!data.challenge) return;
  const worker = new Worker(scriptAddress(new URL("./bot_check_worker.js", import.meta.url)), { type: "module" });
  worker.onmessage = async ({ data: payload }) => {
    worker.terminate();
    if (!payload || !(await call("POST", PLACE, { body: { payload } })).ok) retry();
  };
  worker.onerror = () => {
    worker.terminate();
    retry();
  };
  worker.postMessage(data.challenge);
}

// The kind of a battle: texts that are read, or web pages that are run.

const HAS_PAGES = ["ready", "voting", "voted"];
const PAGE = "web_page";
let chosen = "text";
/** @type {typeof import("./page_stage.js") | null} */
let stage = null;
let loadingStage = null;

const loadStage = () =>
  (loadingStage ??= loaded(() => import("./page_stage.js")).then((script) => {
    script.begin();
    stage = script;
  }));

const isOfPages = () => chosen === PAGE;

// What a vote on pages reports of them.
/** @type {(battle: any) => object} */
const ballot = ({ kind }) => (kind === PAGE ? { seen: stage?.seenTexts() ?? {} } : {});

// What the first prompt of a battle says of its kind.
const opening = () => (isOfPages() ? { kind: PAGE } : {});

function chooseKind(kind) {
  chosen = kind;
  for (const button of all("[data-act=web-kind]")) button.setAttribute("aria-pressed", String(button.dataset.value === kind));
  composer.offerPages(isOfPages());
  if (isOfPages()) loadStage();
}

/** @type {(battle: any) => unknown} */
function showStage({ id, kind, phase, turns, names }) {
  if (!at("stage")) return;
  if (kind !== PAGE || !HAS_PAGES.includes(phase)) return stage?.close();
  if (!stage) return loadStage().then(() => showStage(current()));
  const key = `${id} ${turns.map(({ generation }) => generation ?? 0)}`;
  stage.open(`/battles/${encodeURIComponent(id)}/pages`, key, phase === "voted" ? names : null, turns.map(({ prompt }) => prompt), view.updateHint);
}

function beginKinds(onChange) {
  on("web-kind", ({ dataset: { value } }) => {
    chooseKind(value);
    onChange();
  });
}

// Practice models that can answer a prompt are mostly the same two, and a vote on the same question to them does not count.
/** @type {(battle: any, asked?: { images?: string[] }[]) => boolean} */
const hasOtherPair = ({ reveal }, asked = questions()) => composer.hasPairs(asked.some(({ images }) => images?.length)) && reveal?.reason !== "repeated" && !(reveal?.a.demo && reveal.b.demo);

// The common controls and skip, same prompt, new round.
function controls(state, options) {
  const { phase } = state;
  const isLong = questions().length > 1;
  const over = phase === "voted" || phase === "void";
  const { box, buttons, ...rest } = commonControls(state, over, options);
  if (phase === "empty" && isOfPages()) box.placeholder = t("web.placeholder");
  const tools = {
    skip: { isVisible: phase === "ready" || phase === "running" },
    same_prompt: { isVisible: (phase === "voted" || (phase === "void" && isLong)) && hasOtherPair(state), text: t(isLong ? "same_prompts" : "same_prompt") },
    new_round: { isVisible: over },
  };
  return { ...rest, box, buttons: { ...buttons, ...tools } };
}

async function vote(outcome, shown = shownAnswers()) {
  if (current().phase !== "ready") return;
  view.ignoreDoubleClick();
  const { id } = current();
  composer.clearNotice();
  enter("voting");
  view.showOutcome(outcome);
  // The key keeps a vote that has arrived from being cast again, so no earlier attempt has to be looked for.
  const post = () => call("POST", path("/vote"), { body: { outcome, ...shown, ...ballot(current()) }, key: `${id}.${outcome}` });
  const answer = await composer.deliver(kind.memory, { id, outcome, shown }, post, async () => null);
  if (current().id !== id) return;
  const names = answer.ok ? answer.data : answer.problem.reveal;
  if (names) {
    await showReveal(names);
    view.focusReveal();
    markCuts(current());
  }
  if (!answer.ok) {
    if (!names) enter("ready");
    showProblem(answer);
  }
}

/** @type {typeof import("./battle_reveal.js") | null} */
let reveal = null;
const loadReveal = async () => (reveal ??= await loaded(() => import("./battle_reveal.js")));

async function showReveal(data) {
  const battle = current();
  await loadReveal();
  if (current() !== battle) return;
  const names = { a: data.a.name, b: data.b.name };
  Object.assign(current(), { reveal: data, outcome: data.outcome, names });
  view.ignoreDoubleClick();
  enter("voted");
  view.say(t("say.revealed", names));
}

// Which answers ended at their length limit is told from the vote on.
async function markCuts(battle) {
  const { ok, data } = await call("GET", path());
  if (!ok || current() !== battle || current().phase !== "voted") return;
  const cuts = new Map(data.turns.map(({ number, cut }) => [number, cut]));
  for (const turn of battle.turns) turn.cut = cuts.get(turn.number);
  if ([...cuts.values()].some(Boolean)) enter("voted");
}

async function onAdopt(battle) {
  const { kind = "text" } = battle;
  current().kind = kind;
  if (kind !== chosen) chooseKind(kind);
  if (battle.state !== "voted") return false;
  const answer = await insist("GET", path("/reveal"));
  if (answer.ok) await showReveal(answer.data);
  else showProblem(answer);
  return true;
}

// The question stands in the box again, selected: it goes to another pair, or is typed over. Of several it is the first,
// and all are offered to another pair.
function skip() {
  if (!["ready", "running"].includes(current().phase)) return;
  const asked = questions();
  insist("POST", path("/skip"));
  newRound();
  const isBack = giveBack(asked[0]);
  if (isBack) view.selectText();
  if (asked.length > 1) tellOfSkip(t(isBack ? "notice.skipped.first" : "notice.skipped"), asked);
  else view.say(t(isBack ? "say.skipped" : "notice.skipped"));
}

function tellOfSkip(text, asked) {
  if (hasOtherPair(current(), asked)) composer.propose(text, "same_prompts", () => repeat(asked));
  else composer.note([text]);
}

function newRound() {
  composer.clearNotice();
  reset();
  // Models may have come or gone since the page was opened.
  composer.greet(kind.name);
}

// Asks a new pair the same: each follow-up is sent once both have answered the previous question.
function repeat([question, ...later] = questions()) {
  if (["empty", "voted", "void"].includes(current().phase)) send(question, later);
}

function onShow(state) {
  if (state.phase === "running") prove();
  if (state.phase === "ready") loadReveal(); // while somebody reads
  reveal?.show(state);
  showStage(state);
}

const kind = {
  name: "battle",
  place: "/battles",
  memory: conversationMemory("battle"),
  isNew: () => false,
  opening,
  hasLinks: ({ phase }) => phase === "voted",
  controls,
  onStart: () => beginKinds(updateControls),
  onShow,
  onAdopt,
  names: () => null,
  acts: { vote, skip, new_round: newRound, same_prompt: repeat },
};

start(kind);
localizeTimes(document);
