// The notice above the text box. "warn" stays until closed, "busy" until the arena answers again, "terms" asks once.

import { at, element, first } from "./dom.js";
import { back } from "./line.js";
import { keepTerms } from "./memory.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

let ticking = null;
let ended = () => {};

export const blocked = () => ticking !== null;

function place(kind, ...parts) {
  const box = at("notice-box");
  if (kind === "busy" && !box.hidden && box.dataset.kind !== "busy") return;
  rest();
  box.dataset.kind = kind;
  box.hidden = false;
  box.replaceChildren(...parts);
}

const close = () =>
  element("button", { type: "button", class: "a-close", "data-act": "dismiss", "aria-label": t("notice.dismiss") }, "×");

export const warn = (text) => place("warn", element("span", {}, text), close());

// Goes by itself: resolves when the arena answers again.
export function away(text) {
  place("busy", element("span", {}, text));
  return back().then(() => clear("busy"));
}

export function clear(kind) {
  const box = at("notice-box");
  if (kind && box.dataset.kind !== kind) return;
  box.hidden = true;
  rest();
}

function rest() {
  clearInterval(ticking);
  ticking = null;
}

// An error with a retry time: counts down, without being read out every second, then calls `free`.
export function countdown(problem, free) {
  const due = Date.now() + 1000 * problem.retry_after;
  const [before, after] = t("notice.retry", { seconds: "\u0000" }).split("\u0000");
  const seconds = element("span", { "aria-live": "off" }, String(problem.retry_after));
  warn("");
  at("notice-box").firstElementChild.append(problemText({ ...problem, retry_after: null }), " ", before, seconds, after);
  ended = free;
  ticking = setInterval(() => {
    const left = Math.round((due - Date.now()) / 1000); // of a clock, since timers of hidden pages rest
    seconds.textContent = String(left);
    if (left > 0) return;
    clear();
    free();
  }, 1000);
}

/**
 * Before the first prompt: the terms in a sentence, one click to agree and send. They are accepted once: the first prompt
 * carries their version, which the server stores with the voter.
 * @param {number} version
 * @param {() => unknown} go
 */
export function askTerms(version, go) {
  on("agree", () => {
    keepTerms(version);
    clear();
    go();
  });
  // The foot knows whose terms apply.
  const href = first(".a-foot a")?.getAttribute("href") ?? "/about#terms";
  place(
    "terms",
    element("span", {}, t("terms.ask"), " ", element("a", { href, target: "_blank" }, t("terms.more"))),
    element("button", { type: "button", class: "a-agree", "data-act": "agree" }, t("terms.agree")),
  );
  first(".a-agree").focus({ preventScroll: true });
}

// A question of which the operator has the arena warn: what to do instead, one click to send it all the same.
export function askSure(text, send) {
  on("sure", () => {
    clear();
    send();
  });
  place("terms", element("span", {}, text), element("button", { type: "button", class: "a-agree", "data-act": "sure" }, t("prompt.send_anyway")));
}

export function start() {
  on("dismiss", () => {
    const waited = blocked();
    clear();
    if (waited) ended();
  });
}
