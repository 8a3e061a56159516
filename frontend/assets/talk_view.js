// The parts of a battle or chat page that are plain markup: heads of the columns, the switch between them, hints, the counter.

import { at, element } from "./dom.js";
import { OUTCOMES, SIDES } from "./sides.js";
import * as ideas from "./ideas.js";
import { on } from "./shell.js";
import { t } from "./texts.js";

const NEAR = 1000;
let over = false;
const seen = {};
const unread = new Set();

// The whole page follows one attribute, `data-phase`, in the style sheet.
export function show(state) {
  document.documentElement.dataset.phase = state.phase;
  states(state);
  if (state.phase !== "voting") chosen(state.outcome);
  mark(state.phase);
  if (state.phase === "ready" || state.phase === "voted") quieten();
}

// Where one answer covers the other (on a telephone), the switch tells which one has not been looked at yet.
const facing = () => (SIDES.length > 1 && at("pair").scrollLeft > at("pair").clientWidth / 2 ? "b" : "a");

function mark(phase) {
  if (phase === "starting") SIDES.forEach((side) => unread.add(side));
  if (["empty", "voted", "void"].includes(phase)) unread.clear();
  turned();
}

function turned() {
  const shown = facing();
  if (["running", "ready"].includes(document.documentElement.dataset.phase)) unread.delete(shown);
  for (const tab of document.querySelectorAll("#switch button")) {
    tab.setAttribute("aria-pressed", String(tab.dataset.side === shown));
    tab.querySelector(".a-unread").hidden = !unread.has(tab.dataset.side);
  }
}

const SLOW = 8000;
let slow = null;
let hinted = "";

// A model may need half a minute for its first word, so the page says after some seconds that it is still waiting.
function patience({ phase, turns }) {
  const waiting = phase === "starting" || (phase === "running" && SIDES.every((side) => !turns.at(-1)?.answers[side]));
  if (!waiting) {
    clearTimeout(slow);
    slow = null;
  } else slow ??= setTimeout(() => at("hint-text").replaceChildren(t("vote.hint.slow")), SLOW);
}

function hint({ phase, stopped, done }) {
  const finished = SIDES.filter((side) => done[side]);
  if (phase === "running" && SIDES.length > 1 && finished.length === 1) return [t(`vote.hint.one.${finished[0]}`)];
  if (phase === "starting" || phase === "running") return [t("vote.hint.running")];
  if (phase === "voting") return [t("vote.hint.voting")];
  if (phase !== "ready") return [];
  return stopped ? [t("vote.hint.stopped")] : [t("vote.hint.ready"), element("span", { class: "a-keys" }, t("vote.hint.keys"))];
}

export function states(state) {
  patience(state);
  const now = hint(state);
  const words = now.map((part) => part.textContent ?? part).join("");
  if (words !== hinted) at("hint-text").replaceChildren(...now);
  hinted = words;
  const answers = state.turns.at(-1)?.answers ?? {};
  for (const side of SIDES) {
    const name = sideState(state, side, answers[side]);
    const called = state.names?.[side] ?? t(`side.${side}`);
    if (seen[side] === `${name} ${called}`) continue;
    seen[side] = `${name} ${called}`;
    at(`side_${side}`).dataset.state = name;
    at(`head_${side}`).querySelector(".a-side-state").textContent = name ? t(`side.${name}`) : "";
    for (const place of document.querySelectorAll(`.a-side-head[data-side=${side}], #switch button[data-side=${side}]`)) {
      place.dataset.state = name;
      place.querySelector(".a-side-name").textContent = called;
    }
  }
}

function sideState({ phase, done, stopped, outcome }, side, text) {
  if (outcome) return outcome === side ? "winner" : "";
  if (phase === "void") return text ? "" : "failed";
  if (phase === "starting") return "waiting";
  if (phase === "running") return !text ? "waiting" : done[side] ? "done" : "writing";
  return phase === "ready" || phase === "voting" ? (stopped ? "stopped" : "done") : "";
}

export function chosen(outcome) {
  for (const name of OUTCOMES) at(`vote_${name}`)?.classList.toggle("a-chosen", name === outcome);
}

export const say = (text) => (at("say").textContent = text);
// The pressed button is gone, so the keyboard goes on where the names are; a pointer's focus stays where it is.
export const focusReveal = () => at("reveal-box").focus({ preventScroll: true });

// On a telephone the focus would bring up the keyboard before anything was read.
export const welcome = () => matchMedia("(pointer: fine)").matches && focusBox();

export const focusBox = () => document.querySelector("#prompt textarea")?.focus({ preventScroll: true });

// Characters as the API counts them: code points of the trimmed text.
const length = (text) => (text.length < 6000 ? text.trim().length : [...text.trim()].length);
export const tooLong = (text, limit) => length(text) > limit;

// Shows the counter near the limit; true when the text has just crossed it.
export function count(text, limit) {
  const used = length(text);
  const line = at("count");
  const values = { count: used.toLocaleString(), limit: limit.toLocaleString(), over: (used - limit).toLocaleString() };
  const key = used > limit ? "prompt.over" : used > limit - NEAR ? "prompt.count" : "prompt.keys";
  line.firstChild.textContent = t(key, values);
  line.classList.toggle("a-over", used > limit);
  const crossed = over !== used > limit;
  over = used > limit;
  return crossed;
}

// A reader hears "both answers are ready", not every token of two answers.
function quieten() {
  for (const log of document.querySelectorAll("#chat_a [role=log], #chat_b [role=log]")) log.setAttribute("aria-live", "off");
}

// In a later turn the new question moves to the top, so that both answers are read from their beginning; from then on
// the reader alone scrolls.
let settling = false;
export const settle = () => (settling = true);

export function painted() {
  if (!settling) return;
  requestAnimationFrame(() => {
    for (const side of SIDES) {
      const panel = document.querySelector(`#chat_${side} .panel-wrap`);
      const questions = [...panel.querySelectorAll(".user-row")];
      if (settling && questions.length > 1) panel.scrollTop = questions.at(-1).offsetTop - panel.offsetTop - 16;
    }
  });
}

export function start() {
  for (const kind of ["wheel", "touchmove", "keydown"])
    document.addEventListener(kind, (event) => (settling &&= !event.target.closest?.("#pair")), { passive: true });
  quieten();
  ideas.begin();
  on("show", (button) => {
    const side = button.dataset.side;
    at(`side_${side}`).scrollIntoView({ behavior: "smooth", inline: "start", block: "nearest" });
  });
  const pair = at("pair");
  pair.addEventListener("scroll", turned, { passive: true });
}
