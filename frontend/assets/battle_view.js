// The parts of the battle page that are plain markup: heads of the columns, hints, notices, reveal, ideas.

import { at, element, outward } from "./dom.js";
import { on } from "./shell.js";
import { raw, t } from "./texts.js";

const SIDES = ["a", "b"];
const IDEAS = 4;
const NEAR = 1000;
let offset = Math.floor(Math.random() * 10);
let over = false;
const seen = {};

// The whole page follows one attribute, `data-phase`, in the style sheet.
export function show(state) {
  document.documentElement.dataset.phase = state.phase;
  at("hint-text").replaceChildren(...hint(state));
  states(state);
  if (state.phase !== "voting") chosen(state.reveal?.outcome);
  revealed(state);
  if (state.phase === "ready" || state.phase === "voted") quieten();
}

function hint({ phase, stopped }) {
  if (phase === "starting" || phase === "running") return [t("vote.hint.running")];
  if (phase === "voting") return [t("vote.hint.voting")];
  if (phase !== "ready") return [];
  return stopped ? [t("vote.hint.stopped")] : [t("vote.hint.ready"), element("span", { class: "a-keys" }, t("vote.hint.keys"))];
}

export function states(state) {
  const answers = state.turns.at(-1)?.answers ?? {};
  for (const side of SIDES) {
    const name = sideState(state, side, answers[side]);
    const called = state.reveal ? state.reveal[side].name : t(`side.${side}`);
    if (seen[side] === `${name} ${called}`) continue;
    seen[side] = `${name} ${called}`;
    at(`side_${side}`).dataset.state = name;
    at(`head_${side}`).querySelector(".a-side-state").textContent = words(name);
    for (const place of document.querySelectorAll(`.a-side-head[data-side=${side}], #switch button[data-side=${side}]`)) {
      place.dataset.state = name;
      place.querySelector(".a-side-name").textContent = called;
    }
  }
}

function sideState({ phase, done, stopped, reveal }, side, text) {
  if (reveal) return reveal.outcome === side ? "winner" : "";
  if (phase === "void") return text ? "" : "failed";
  if (phase === "starting") return "waiting";
  if (phase === "running") return !text ? "waiting" : done[side] ? "done" : "writing";
  return phase === "ready" || phase === "voting" ? (stopped ? "stopped" : "done") : "";
}

const words = (name) => (name ? t(`side.${name}`) : "");

export function chosen(outcome) {
  for (const name of ["a", "b", "tie", "both_bad"]) at(`vote_${name}`)?.classList.toggle("a-chosen", name === outcome);
}

// The reveal: who was who, what was chosen, whether it counts.
function revealed({ phase, reveal }) {
  const box = at("reveal-box");
  box.hidden = phase !== "voted";
  if (phase !== "voted") return box.replaceChildren();
  const chose = reveal.outcome in reveal ? { name: reveal[reveal.outcome].name } : {};
  const counted = reveal.counted ? t("reveal.counted") : notCounted(reveal.reason);
  box.replaceChildren(
    element("h2", { class: "a-reveal-title" }, t(`reveal.chose.${reveal.outcome}`, chose)),
    element("div", { class: "a-reveal-cards" }, ...SIDES.map((side) => card(side, reveal))),
    element(
      "p",
      { class: "a-reveal-note", "data-counted": String(reveal.counted) },
      counted,
      " ",
      element("a", { href: "/leaderboard" }, t("reveal.board")),
    ),
  );
}

function notCounted(reason) {
  const key = `reveal.not.${reason}`;
  return t(raw(key) ? key : "reveal.not.other");
}

function card(side, reveal) {
  const { name, owner, licence, link, demo } = reveal[side];
  const facts = [t("reveal.owner", { owner }), licence ? t("reveal.licence", { licence }) : null].filter(Boolean);
  return element(
    "article",
    { class: "a-card", "data-side": side, "data-winner": reveal.outcome === side },
    element("span", { class: "a-badge", "data-side": side }, side.toUpperCase()),
    element(
      "div",
      { class: "a-card-text" },
      element("h3", {}, `${name} `, demo ? element("span", { class: "a-tag" }, t("reveal.demo")) : null),
      element("p", {}, facts.join(" · ")),
      outward(link, t("reveal.link")),
    ),
  );
}

// Notices: "warn" stays until it is closed, "busy" goes when the connection is back.
export function notice(text, kind) {
  const box = at("notice-box");
  if (kind === "busy" && !box.hidden && box.dataset.kind === "warn") return;
  box.dataset.kind = kind;
  box.hidden = false;
  box.replaceChildren(element("span", {}, text));
  if (kind === "warn")
    box.append(element("button", { type: "button", "data-act": "dismiss", "aria-label": t("notice.dismiss") }, "×"));
}

export function clear(kind) {
  const box = at("notice-box");
  if (!kind || box.dataset.kind === kind) box.hidden = true;
}

export const say = (text) => (at("say").textContent = text);
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

function ideas() {
  const all = raw("ideas");
  const chosenOnes = Array.from({ length: IDEAS }, (_, step) => all[(offset + step) % all.length]);
  at("idea-list").replaceChildren(
    ...chosenOnes.map(([title, prompt]) =>
      element(
        "button",
        { type: "button", class: "a-idea", "data-act": "idea", "data-prompt": prompt },
        element("strong", {}, title),
        element("span", {}, prompt),
      ),
    ),
  );
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
  ideas();
  on("ideas", () => {
    offset += IDEAS;
    ideas();
  });
  on("dismiss", () => clear());
  on("show", (button) => {
    const side = button.dataset.side;
    at(`side_${side}`).scrollIntoView({ behavior: "smooth", inline: "start", block: "nearest" });
  });
  const pair = at("pair");
  pair.addEventListener("scroll", () => {
    const shown = pair.scrollLeft > pair.clientWidth / 2 ? "b" : "a";
    for (const tab of document.querySelectorAll("#switch button"))
      tab.setAttribute("aria-pressed", String(tab.dataset.side === shown));
  });
}
