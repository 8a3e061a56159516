// Static markup of a battle or chat page: headings of the columns, the switch between them, hints, the counter.

import { all, at, element, first } from "./dom.js";
import { OUTCOMES, SIDES } from "./sides.js";
import * as ideas from "./ideas.js";
import * as images from "./images.js";
import * as marks from "./answer_marks.js";
import * as tools from "./answer_tools.js";
import { on } from "./shell.js";
import { t } from "./texts.js";

const NEAR = 1000;
const GAP = 12;
let over = false;
const seen = {};
const unread = new Set();

// The style sheet follows one attribute of the page, `data-phase`.
export function show(state) {
  document.documentElement.dataset.phase = state.phase;
  states(state);
  images.show(state.turns);
  if (state.phase !== "voting") chosen(state.outcome);
  mark(state.phase);
  if (state.phase === "ready" || state.phase === "voted") quieten();
}

// Where only one answer is visible (on a phone), the switch marks the one that has not been looked at yet.
const facing = () => (SIDES.length > 1 && at("pair").scrollLeft > at("pair").clientWidth / 2 ? "b" : "a");

function mark(phase) {
  if (["starting", "empty"].includes(phase)) for (const side of SIDES) delete places[side];
  if (phase === "starting") SIDES.forEach((side) => unread.add(side));
  if (["empty", "voted", "void"].includes(phase)) unread.clear();
  turned();
}

function turned() {
  const shown = facing();
  turnedTo(shown);
  if (["running", "ready"].includes(document.documentElement.dataset.phase)) unread.delete(shown);
  for (const tab of all("#switch button")) {
    tab.setAttribute("aria-pressed", String(tab.dataset.side === shown));
    first(".a-unread", tab).hidden = !unread.has(tab.dataset.side);
  }
}

const SLOW = 10_000;
let slow = null;
let hinted = "";

// A model may think for two minutes before its first token, so after some seconds the page says so, and never which.
function patience({ phase, turns }) {
  const waiting = phase === "starting" || (phase === "running" && SIDES.every((side) => !turns.at(-1)?.answers[side]));
  if (!waiting) {
    clearTimeout(slow);
    if (slow) hinted = "";
    slow = null;
  } else slow ??= setTimeout(() => at("notice-box").hidden && at("hint-text").replaceChildren(t("vote.hint.slow")), SLOW);
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
    for (const place of all(`.a-side-head[data-side=${side}], #switch button[data-side=${side}]`)) {
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
  if (outcome) at("pair").dataset.outcome = outcome;
  else delete at("pair").dataset.outcome;
  for (const name of OUTCOMES) at(`vote_${name}`)?.classList.toggle("a-chosen", name === outcome);
}

export const say = (text) => (at("say").textContent = text);
// The pressed button is gone, so keyboard focus moves to the names; with a pointer it stays.
export const focusReveal = () => at("reveal-box").focus({ preventScroll: true });

// On a phone the focus would open the keyboard before anything was read.
export const welcome = () => matchMedia("(pointer: fine)").matches && focusBox();

export const focusBox = () => first("#prompt textarea")?.focus({ preventScroll: true });

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

// Screen readers announce "both answers are ready", not every token.
function quieten() {
  for (const log of document.querySelectorAll("#chat_a [role=log], #chat_b [role=log]")) log.setAttribute("aria-live", "off");
}

// In a later turn the new prompt is scrolled to the top. From there the page follows the growing text until its reader
// scrolls.
let following = false;
let followed = 0;

export function settle() {
  following = true;
  followed = scrollY;
}

// A reader who has just scrolled is let go before the event that says so has come.
function follow() {
  release();
  if (!following) return;
  const questions = all("#chat_a .user-row");
  const start = questions.length < 2 ? 0 : questions.at(-1).getBoundingClientRect().top - top() - GAP;
  const ends = visible().map((side) => all(`#chat_${side} .message-content`).at(-1)?.getBoundingClientRect().bottom ?? 0);
  scrollBy(0, Math.max(start, Math.max(...ends) + GAP - at("dock").getBoundingClientRect().top));
  followed = scrollY;
}

function release() {
  if (Math.abs(scrollY - followed) > GAP) following = false;
}

function scrolled() {
  release();
  further();
}

// Where the answers begin below what stays above them.
const top = () => Math.max(0, ...all("#bar, #head_a, #head_b, #switch").filter(sticks).map((part) => offset(part) + part.offsetHeight));
const sticks = (part) => part.offsetHeight > 0 && getComputedStyle(part).position === "sticky";
const offset = (part) => parseFloat(getComputedStyle(part).top) || 0;

// Calls `done` when what has been painted is laid out.
export function painted(done) {
  requestAnimationFrame(() => {
    follow();
    further();
    setTimeout(done);
  });
}

// Beside a longer answer the shorter one stays in view, its end at the lowest; the style sheet makes it sticky.
function keepBeside() {
  if (at("switch")?.offsetHeight) return;
  const room = at("dock").getBoundingClientRect().top - GAP;
  const highest = top();
  for (const chat of SIDES.map((side) => at(`chat_${side}`)).filter(Boolean)) {
    chat.style.setProperty("--a-beside", `${Math.min(highest, room - chat.offsetHeight)}px`);
  }
}

// The cue over the votes: an answer goes on below them.
function further() {
  const [cue, dock] = [first(".a-further"), at("dock")];
  if (!cue || !dock) return;
  keepBeside();
  const edge = dock.getBoundingClientRect().top;
  cue.hidden = !visible().some((side) => at(`chat_${side}`)?.getBoundingClientRect().bottom > edge + GAP);
}

const visible = () => SIDES.filter((side) => (at("switch")?.offsetHeight ? side === facing() : at(`side_${side}`).offsetHeight));

const places = {};

// On a phone each answer keeps its own place while the other is read.
function turnedTo(shown) {
  const pair = at("pair");
  const before = pair.dataset.facing ?? "a";
  if (before === shown) return;
  places[before] = scrollY;
  pair.dataset.facing = shown;
  if (at("switch")?.offsetHeight) scrollTo({ top: places[shown] ?? Math.min(scrollY, scrollY + pair.getBoundingClientRect().top - top() - GAP) });
  further();
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Without snapping on the way: the layout of an answer that grows would snap the pair back to the other side.
function slideTo(side) {
  const pair = at("pair");
  const snap = () => (pair.style.scrollSnapType = "");
  pair.style.scrollSnapType = "none";
  pair.addEventListener("scrollend", snap, { once: true });
  setTimeout(snap, 1000); // not every browser has that event
  pair.scrollTo({ left: at(`side_${side}`).offsetLeft - pair.offsetLeft, behavior: calm.matches ? "instant" : "smooth" });
}

export function start(turns) {
  quieten();
  ideas.begin();
  images.begin();
  tools.begin(turns);
  marks.begin();
  const pair = at("pair");
  on("show", ({ dataset: { side } }) => facing() !== side && slideTo(side));
  pair.addEventListener("scroll", turned, { passive: true });
  on("further", () => scrollBy({ top: innerHeight / 2, behavior: "smooth" }));
  addEventListener("scroll", scrolled, { passive: true });
  const narrow = matchMedia("(max-width: 720px)");
  const swiped = () => (narrow.matches ? pair.setAttribute("tabindex", "0") : pair.removeAttribute("tabindex"));
  narrow.addEventListener("change", swiped);
  swiped();
  new ResizeObserver(() => document.documentElement.style.setProperty("--a-composer", `${at("composer").offsetHeight}px`)).observe(at("composer"));
}
