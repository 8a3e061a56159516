// What is shown of a conversation beside its answers: headings, switch, hints, counter and controls, and what is scrolled
// into view.

import { loaded } from "./api.js";
import * as composer from "./composer.js";
import { OUTCOMES, SIDES, all, around, at, element, first, on, readSides, storeReadSides } from "./shell.js";
import { t } from "./texts.js";

// Keyboard: Enter sends (not while an input method composes), Alt and an arrow key vote. Pointer: the second click of a
// double click on a vote neither presses what has moved to its place nor selects text.

const OF_TWO = { ArrowLeft: "a", ArrowRight: "b", ArrowUp: "tie", ArrowDown: "both_bad" };
const VOTES = SIDES.length > 1 ? OF_TWO : { ArrowLeft: "good", ArrowRight: "bad" };

export function listenToKeys({ send, vote, canVote, boxText }) {
  const onKey = (event) => {
    const isInBox = around(event, "#prompt");
    const isComposing = event.isComposing || event.keyCode === 229;
    if (isInBox && event.key === "Enter" && !event.shiftKey && !isComposing) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!event.repeat) send();
    } else if (event.altKey && !event.ctrlKey && !event.metaKey && event.key in VOTES && document.documentElement.dataset.phase !== "empty") {
      // Pressed too early or twice, the same keys would navigate away in some browsers.
      event.preventDefault();
      if (canVote() && !(isInBox && boxText())) vote(VOTES[event.key]);
    }
  };
  window.addEventListener("keydown", onKey, true);
}

const DOUBLE_CLICK = 700;
let until = 0;

export const ignoreDoubleClick = () => (until = performance.now() + DOUBLE_CLICK);

for (const kind of /** @type {const} */ (["mousedown", "click", "dblclick"]))
  window.addEventListener(
    kind,
    (event) => {
      if (event.detail < 2 || performance.now() > until) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

const COUNTED = 1000; // characters below the limit from which the counter is shown
const GAP = 12;
let isOver = false; // the text is longer than the limit
const shownStates = {}; // by side
const unread = new Set(); // sides

// The style sheet follows one attribute of the page, `data-phase`.
export function show(state) {
  document.documentElement.dataset.phase = state.phase;
  if (["empty", "starting", "voting"].includes(state.phase)) say("");
  showStates(state);
  composer.showImages(state.turns);
  if (state.phase !== "voting") showOutcome(state.outcome);
  updateUnread(state);
  if (state.phase === "ready" || state.phase === "voted") muteLogs();
}

// Where only one answer is visible (on a phone), the switch marks the other one until it is looked at.
const facing = () => (SIDES.length > 1 && at("pair").scrollLeft > at("pair").clientWidth / 2 ? "b" : "a");
const hasSwitch = () => at("switch")?.offsetHeight;
const visibleSides = () => SIDES.filter((side) => (hasSwitch() ? side === facing() : at(`side_${side}`).offsetHeight));

let lastPhase = "empty";
let shownAnswers = ""; // battle, turn and generation

// After a reload those are unread that the tab has not noted as read.
function updateUnread({ phase, id, turns }) {
  shownAnswers = [id, turns.length, turns.at(-1)?.generation ?? 0].join(" ");
  if (["starting", "empty"].includes(phase)) for (const side of SIDES) delete positions[side];
  if (phase === "starting") SIDES.forEach((side) => unread.add(side));
  else if (lastPhase === "empty") SIDES.filter((side) => !readSides(shownAnswers).includes(side)).forEach((side) => unread.add(side));
  if (["empty", "voted", "void"].includes(phase)) unread.clear();
  lastPhase = phase;
  updateSwitch();
}

function updateSwitch() {
  const shown = facing();
  restorePosition(shown);
  if (["running", "ready"].includes(document.documentElement.dataset.phase)) {
    visibleSides().filter(isWritten).forEach((side) => unread.delete(side));
    storeReadSides(shownAnswers, SIDES.filter((side) => !unread.has(side)));
  }
  for (const tab of all("#switch button")) {
    const isShown = tab.dataset.side === shown;
    tab.setAttribute("aria-pressed", String(isShown));
    first(".a-unread", tab).hidden = isShown || !unread.has(tab.dataset.side);
  }
  updateHint();
}

const isWritten = (side) => !["", "waiting"].includes(at(`side_${side}`).dataset.state ?? "");

// The answer that has never been in sight: where only one is visible, and where the pages of both run, the page.
function unseen() {
  const { pages, unseen: page } = document.documentElement.dataset;
  if (pages) return pages === "run" ? page : undefined;
  return hasSwitch() ? SIDES.find((side) => unread.has(side)) : undefined;
}

// Shows the answer that has never been in sight in place of a vote by pointer; false if there is none. Keys vote at once.
export function showUnseen() {
  const side = unseen();
  if (!side) return false;
  ignoreDoubleClick();
  say(t(`vote.hint.unseen.${side}`));
  if (document.documentElement.dataset.pages) slideToPage(side);
  else slideTo(side);
  return true;
}

// Where the other page is shown alone, this one is from now on.
function slideToPage(side) {
  if (first(".a-stage-pair").dataset.alone) first(`[data-act=pages-alone][data-side=${side}]`).click();
  at("stage").scrollIntoView({ block: "start" });
  first(`.a-stage-side[data-side=${side}]`).scrollIntoView({ block: "nearest", inline: "center" });
}

const isUnrun = () => "unrun" in document.documentElement.dataset;

// Shows the pages that have not been run in place of a vote, by keys too; false if there are none.
export function showUnrun() {
  if (!isUnrun()) return false;
  ignoreDoubleClick();
  say(t("vote.hint.unrun"));
  at("stage").scrollIntoView({ block: "start" });
  return true;
}

const SLOW = 10_000;
let slowTimer = null;
let shownHint = "";

// A model may think for two minutes before its first token, so after some seconds the page says so, and never which.
function hintIfSlow({ phase, turns }) {
  const isWaiting = phase === "starting" || (phase === "running" && SIDES.every((side) => !hasAnswer(turns.at(-1), side)));
  if (!isWaiting) {
    clearTimeout(slowTimer);
    if (slowTimer) shownHint = "";
    slowTimer = null;
  } else slowTimer ??= setTimeout(() => at("notice-box").hidden && at("hint-text").replaceChildren(t("vote.hint.slow")), SLOW);
}

function hint({ phase, kind, turns, names, done }) {
  const finished = SIDES.filter((side) => done[side]);
  if (phase === "running" && SIDES.length > 1 && finished.length === 1) return [t(`vote.hint.one.${finished[0]}`)];
  if (phase === "starting" || phase === "running") return [t("vote.hint.running")];
  if (phase === "voting") return [t("vote.hint.voting")];
  if (phase !== "ready") return [];
  if (isUnrun()) return [t("vote.hint.unrun")];
  if (unseen()) return [t(`vote.hint.unseen.${unseen()}`)];
  // A vote on hidden models is on all turns, an opinion on known ones on the last.
  const judged = names ? turns.slice(-1) : turns;
  return judged.some((turn) => turn.stopped) ? [t("vote.hint.stopped")] : [t(kind === "web_page" ? "vote.hint.ready.web" : "vote.hint.ready"), element("span", { class: "a-keys" }, t("vote.hint.keys"))];
}

let newest = null; // the state that is shown

function showHint(state) {
  const parts = hint(state);
  const text = parts.map((part) => part.textContent ?? part).join("");
  if (text !== shownHint) at("hint-text").replaceChildren(...parts);
  shownHint = text;
}

export const updateHint = () => newest && showHint(newest);

export function showStates(state) {
  newest = state;
  hintIfSlow(state);
  showHint(state);
  for (const side of SIDES) {
    const sideState = stateOf(state, side);
    const name = state.names?.[side] ?? t(`side.${side}`);
    if (shownStates[side] === `${sideState} ${name}`) continue;
    shownStates[side] = `${sideState} ${name}`;
    at(`side_${side}`).dataset.state = sideState;
    at(`head_${side}`).querySelector(".a-side-state").textContent = sideState ? t(`side.${sideState}`) : "";
    for (const heading of all(`.a-side-head[data-side=${side}], #switch button[data-side=${side}]`)) {
      heading.dataset.state = sideState;
      heading.querySelector(".a-side-name").textContent = name;
    }
  }
}

// Answers come as text, or as blocks of HTML.
const hasAnswer = (turn, side) => Boolean(turn?.answers[side] || turn?.blocks?.[side]);

// The API says which side has failed where the names are known.
const failedState = (failed, isBegun, side) => (!isBegun ? "failed" : failed?.includes(side) ? "broken" : "");

function stateOf({ phase, turns, done, outcome }, side) {
  const isBegun = hasAnswer(turns.at(-1), side);
  if (outcome) return outcome === side ? "winner" : "";
  if (phase === "void") return failedState(turns.at(-1)?.failed, isBegun, side);
  if (phase === "starting") return "waiting";
  if (phase === "running") return !isBegun ? "waiting" : done[side] ? "done" : "writing";
  return phase === "ready" || phase === "voting" ? (turns.at(-1)?.stopped && !done[side] ? "stopped" : "done") : "";
}

export function showOutcome(outcome) {
  if (outcome) at("pair").dataset.outcome = outcome;
  else delete at("pair").dataset.outcome;
  for (const name of OUTCOMES) at(`vote_${name}`)?.classList.toggle("a-chosen", name === outcome);
}

export const say = (text) => (at("say").textContent = text);
// The pressed button is hidden, so the focus moves to the names.
export const focusReveal = () => at("reveal-box").focus({ preventScroll: true });

// Writes a text in place of the one in the box, as if typed, so that undo brings that one back; false if the browser does not.
/** @type {(text: string) => boolean} */
export function insertText(text) {
  composer.focusBox();
  box().select();
  return document.execCommand("insertText", false, text);
}

export const selectText = () => box().select();

// Characters as the API counts them: code points of the trimmed text.
const length = (text) => (text.length < 6000 ? text.trim().length : [...text.trim()].length);
export const isTooLong = (text, limit) => length(text) > limit;

// Shows the counter near the limit; true when the text has just crossed it.
export function showCount(text, limit) {
  const used = length(text);
  const line = at("count");
  const values = { count: used.toLocaleString(), limit: limit.toLocaleString(), over: (used - limit).toLocaleString() };
  const key = used > limit ? "prompt.over" : used > limit - COUNTED ? "prompt.count" : "prompt.keys";
  line.firstChild.textContent = t(key, values);
  line.classList.toggle("a-over", used > limit);
  const wasOver = isOver;
  isOver = used > limit;
  return wasOver !== isOver;
}

// Screen readers announce "both answers are ready", not every token.
function muteLogs() {
  for (const log of all("#chat_a, #chat_b")) log.setAttribute("aria-live", "off");
}

// In a later turn the new prompt is scrolled to the top. From there the page follows the growing text until its reader
// scrolls. A finger on the page holds it, and has scrolled it if it leaves it elsewhere.
let isFollowing = false;
let lastScroll = 0;
/** @type {number | null} */
let heldAt = null;

// The part under the finger may leave the page before the finger does, and has then its events alone.
function hold({ target }) {
  heldAt ??= scrollY;
  for (const act of ["touchend", "touchcancel"]) target.addEventListener(act, release, { once: true, passive: true });
}

/** @type {(event: TouchEvent) => void} */
function release({ touches }) {
  if (touches.length || heldAt === null) return;
  if (Math.abs(scrollY - heldAt) >= 1) isFollowing = false;
  heldAt = null;
}

export function startFollowing() {
  isFollowing = true;
  lastScroll = scrollY;
}

function follow() {
  stopIfScrolled(); // the reader's scroll event may not have come yet
  if (!isFollowing || heldAt !== null) return;
  const prompts = all("#chat_a .a-question");
  const start = prompts.length < 2 ? 0 : prompts.at(-1).getBoundingClientRect().top - stickyHeight() - GAP;
  const ends = visibleSides().map((side) => all(`#chat_${side} :is(.a-prompt, .a-answer)`).at(-1)?.getBoundingClientRect().bottom ?? 0);
  scrollBy(0, Math.max(start, Math.max(...ends) + GAP - at("dock").getBoundingClientRect().top));
  lastScroll = scrollY;
}

function stopIfScrolled() {
  if (Math.abs(scrollY - lastScroll) > GAP) isFollowing = false;
}

// Height of the bar and headings that stay above the answers.
const stickyHeight = () => Math.max(0, ...all("#bar, #head_a, #head_b, #switch").filter(isSticky).map((part) => (parseFloat(getComputedStyle(part).top) || 0) + part.offsetHeight));
const isSticky = (part) => part.offsetHeight > 0 && getComputedStyle(part).position === "sticky";

// Calls `done` when what has been painted is laid out.
export function afterPaint(done) {
  requestAnimationFrame(() => {
    follow();
    updateDock();
    setTimeout(done);
  });
}

// Beside a longer answer the shorter one stays in view, its end at the lowest; the style sheet makes it sticky.
function keepShorterInView() {
  if (hasSwitch()) return;
  const room = at("dock").getBoundingClientRect().top - GAP;
  const highest = stickyHeight();
  for (const chat of SIDES.map((side) => at(`chat_${side}`)).filter(Boolean)) {
    chat.style.setProperty("--a-beside", `${Math.min(highest, room - chat.offsetHeight)}px`);
  }
}

// Shows the cue over the votes while an answer goes on below them.
function updateDock() {
  const [cue, dock] = [first(".a-further"), at("dock")];
  if (!cue || !dock) return;
  keepShorterInView();
  const edge = dock.getBoundingClientRect().top;
  cue.hidden = !visibleSides().some((side) => at(`chat_${side}`)?.getBoundingClientRect().bottom > edge + GAP);
}

const positions = {}; // scroll positions by side

// On a phone each answer keeps its own scroll position while the other is read.
function restorePosition(shown) {
  const pair = at("pair");
  const before = pair.dataset.facing ?? "a";
  if (before === shown) return;
  positions[before] = scrollY;
  pair.dataset.facing = shown;
  if (hasSwitch()) scrollTo({ top: positions[shown] ?? Math.min(scrollY, scrollY + pair.getBoundingClientRect().top - stickyHeight() - GAP) });
  updateDock();
}

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

// Without snapping on the way: the layout of an answer that grows would snap the pair back to the other side.
function slideTo(side) {
  const pair = at("pair");
  const snap = () => (pair.style.scrollSnapType = "");
  pair.style.scrollSnapType = "none";
  pair.addEventListener("scrollend", snap, { once: true });
  setTimeout(snap, 1000); // not every browser has that event
  pair.scrollTo({ left: at(`side_${side}`).offsetLeft - pair.offsetLeft, behavior: reducedMotion.matches ? "instant" : "smooth" });
}

// `writtenTurns()` soon has the turns with answers as their models wrote them.
/** @type {(writtenTurns: () => Promise<any[]>) => void} */
export function start(writtenTurns) {
  turnsToCopy = writtenTurns;
  for (const act of ["input", "pointerdown", "keydown"]) addEventListener(act, answers, { once: true, passive: true });
  box().addEventListener("input", fitHeight);
  muteLogs();
  composer.beginIdeas();
  const pair = at("pair");
  on("show", ({ dataset: { side } }) => (facing() === side ? updateSwitch() : slideTo(side)));
  pair.addEventListener("scroll", updateSwitch, { passive: true });
  // Another width, as of a turned phone, or its first words may bring an answer into view without a scroll event.
  new ResizeObserver(updateSwitch).observe(pair);
  on("further", () => scrollBy({ top: innerHeight / 2, behavior: "smooth" }));
  addEventListener("scroll", () => (stopIfScrolled(), updateDock()), { passive: true });
  addEventListener("touchstart", hold, { passive: true });
  addEventListener("resize", () => (fitHeight(), updateDock()));
  const makeFocusable = () => (narrow.matches ? pair.setAttribute("tabindex", "0") : pair.removeAttribute("tabindex"));
  narrow.addEventListener("change", makeFocusable);
  makeFocusable();
  new ResizeObserver(() => document.documentElement.style.setProperty("--a-composer", `${at("composer").offsetHeight}px`)).observe(at("composer"));
}

const narrow = matchMedia("(max-width: 720px)");
const TAP = 500;
let areShielded = false;

// On a phone the votes come where the button to stop was: for a moment they take no tap that was meant for it.
/** @type {(update: () => unknown) => void} */
export function shieldVotes(update) {
  areShielded = narrow.matches;
  if (!areShielded) return;
  setTimeout(() => {
    areShielded = false;
    update();
  }, TAP);
}

// Text box, votes and buttons, which are there from the beginning: their states are set.

/** @type {() => HTMLTextAreaElement} */
const box = () => document.querySelector("#prompt textarea");

function fitHeight() {
  box().style.height = "auto";
  box().style.height = `${box().scrollHeight}px`;
}

/** @type {(controls: import("./conversation.js").Controls) => void} */
export function showControls({ box: { placeholder, value }, isVoteOpen, buttons }) {
  box().placeholder = placeholder;
  if (value !== undefined && box().value !== value) {
    box().value = value;
    fitHeight();
  }
  for (const outcome of OUTCOMES) button(`vote_${outcome}`).disabled = !isVoteOpen || areShielded;
  for (const [name, state] of Object.entries(buttons)) showButton(button(name), state);
}

/** @type {(name: string) => HTMLButtonElement} */
const button = (name) => /** @type {HTMLButtonElement} */ (at(name));

// A button with the focus that goes, or can do nothing, leaves it to the text box; on a phone that would open the keyboard.
/** @type {(part: HTMLButtonElement, state: import("./conversation.js").Button) => void} */
function showButton(part, { isVisible, isEnabled = true, text }) {
  const hadFocus = part === document.activeElement;
  part.hidden = !isVisible;
  part.disabled = !isEnabled;
  if (text && part.textContent !== text) part.textContent = text;
  if (hadFocus && (part.hidden || part.disabled) && matchMedia("(pointer: fine)").matches) box().focus({ preventScroll: true });
}

// Whether an answer is there as text alone, as from a server of before.
export const isPlain = ({ answers, blocks, html }) => SIDES.some((side) => answers[side] && !html?.[side] && !blocks?.[side]);

// Enter or Send before this script was there (see first_paint.js): the prompt that was to be sent, or "".
export function earlyPrompt() {
  const { dataset } = document.documentElement;
  const isSent = dataset.early === "sent";
  delete dataset.early;
  if (box().value) box().dispatchEvent(new Event("input", { bubbles: true }));
  return isSent ? box().value.trim() : "";
}

// The answers, whose script comes with the first act or conversation.

// The form of answers that the page shows, as the API is asked for it.
export const HTML = "?as=html";

/** @type {Promise<typeof import("./answers.js")> | null} */
let loading = null;
let turnsToCopy;

const answers = () =>
  (loading ??= loaded(() => import("./answers.js")).then((script) => {
    script.begin(at("pair"), { mayFollow: true });
    script.beginTools(turnsToCopy);
    return script;
  }));

/** @type {(turns: any[], mayFollow: boolean) => Promise<void>} */
export async function showAnswers(turns, mayFollow) {
  if (!loading && !turns.length) return;
  const { showLinks, showTurns } = await answers();
  showTurns(turns);
  showLinks(at("pair"), mayFollow);
}
