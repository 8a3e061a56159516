// The notice above the text box. "warn" stays until closed, "busy" until the arena answers again, "terms" asks once.

import { reconnected } from "./api.js";
import { at, element, first } from "./dom.js";
import { storeTerms } from "./memory.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

let ticking = null; // the timer of a countdown
let onFree = () => {};

// While a countdown runs nothing can be sent.
export const blocked = () => ticking !== null;

function place(kind, ...parts) {
  const box = at("notice-box");
  if (kind === "busy" && !box.hidden && box.dataset.kind !== "busy") return;
  stopCountdown();
  box.dataset.kind = kind;
  box.hidden = false;
  box.replaceChildren(...parts);
}

export const warn = (text) => place("warn", element("span", {}, text), element("button", { type: "button", class: "a-close", "data-act": "dismiss", "aria-label": t("notice.dismiss") }, "×"));

// Shows a text until the arena answers again, and resolves then.
export function away(text) {
  place("busy", element("span", {}, text));
  return reconnected().then(() => clear("busy"));
}

export function clear(kind) {
  const box = at("notice-box");
  if (kind && box.dataset.kind !== kind) return;
  box.hidden = true;
  stopCountdown();
}

function stopCountdown() {
  clearInterval(ticking);
  ticking = null;
}

// Shows a problem with a retry time: counts down, without being read out every second, then calls `free`.
export function countdown(problem, free) {
  const end = Date.now() + 1000 * problem.retry_after;
  const [before, after] = t("notice.retry", { seconds: "\u0000" }).split("\u0000");
  const seconds = element("span", { "aria-live": "off" }, String(problem.retry_after));
  warn("");
  at("notice-box").firstElementChild.append(problemText({ ...problem, retry_after: null }), " ", before, seconds, after);
  onFree = free;
  ticking = setInterval(() => {
    const rest = Math.round((end - Date.now()) / 1000); // by the clock, since timers of hidden pages rest
    seconds.textContent = String(rest);
    if (rest > 0) return;
    clear();
    free();
  }, 1000);
}

// Asks to accept the terms before the first prompt, which then carries their version: the server stores it with the voter.
/** @type {(version: number, go: () => unknown) => void} */
export function askTerms(version, go) {
  on("agree", () => {
    storeTerms(version);
    clear();
    go();
  });
  // The foot's first link is that to the terms, of the arena or of its operator.
  const href = first(".a-foot a")?.getAttribute("href") ?? "/about#terms";
  ask([t("terms.ask"), " ", element("a", { href, target: "_blank" }, t("terms.more"))], "agree", "terms.agree");
  const agree = first(".a-agree");
  agree.focus({ preventScroll: true });
  agree.addEventListener("keydown", ignoreSameKey(performance.now()));
}

const DELIBERATE = 800;

// A key that is still held, or that bounces, since the question came agrees to nothing.
/** @type {(since: number) => (event: KeyboardEvent) => void} */
const ignoreSameKey = (since) => (event) => {
  if (event.key === "Enter" && (event.repeat || performance.now() - since < DELIBERATE)) event.preventDefault();
};

// Asks whether to send a prompt of which the arena warns.
export function askSure(text, send) {
  on("sure", () => {
    clear();
    send();
  });
  ask([text], "sure", "prompt.send_anyway");
}

const ask = (texts, act, key) => place("terms", element("span", {}, texts), element("button", { type: "button", class: "a-agree", "data-act": act }, t(key)));

export function start() {
  on("dismiss", () => {
    const wasBlocked = blocked();
    clear();
    if (wasBlocked) onFree();
  });
}
