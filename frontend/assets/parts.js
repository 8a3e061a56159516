// Small pieces that the owners' and the operator's pages are made of.

import { element } from "./dom.js";
import { stateOf } from "./sentences.js";
import { language, problemText, raw, t } from "./texts.js";

export const number = (value, digits = 0) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
export const share = (value) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(value);
export const seconds = (ms) => t("own.seconds", { count: number(ms / 1000, 2) });
export const kind = (name) => raw(`own.kind.${name}`) ?? name;
export const moment = (text) => element("time", { datetime: text }, new Date(text).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }));

// The server tells in order; of two in one instant the later comes first too.
export const newestFirst = (dated) => [...(dated ?? [])].reverse().sort((a, b) => (a.at < b.at ? 1 : -1));

export function act(text, handler, { kind, name, ...attributes } = {}) {
  const made = element("button", { class: "a-act", type: "button", "data-kind": kind, "data-name": name, ...attributes }, text);
  made.addEventListener("click", () => handler(made));
  return made;
}

// A button that calls the API: off while it runs, and a refusal appears in the line `said`.
export function calling(text, ask, said, options) {
  const run = async (button) => {
    button.disabled = true;
    const answer = await ask();
    button.disabled = false;
    if (answer) say(said, answer.ok ? "" : problemLine(answer.problem));
  };
  return act(text, run, options);
}

// What is not valid is said by the detail alone.
export function problemLine(problem) {
  if (!problem.detail) return problemText(problem);
  if (problem.code === "invalid") return problem.detail;
  return `${problemText(problem)} ${problem.code === "wrong_state" ? stateOf(problem.detail) : problem.detail}`;
}

export const line = (id) => element("p", { class: "a-wrong", role: "alert", id, hidden: true });

export function say(place, text) {
  place.textContent = text;
  place.hidden = !text;
}

export const panel = (id, title, ...children) => element("section", { class: "a-panel", id, "aria-labelledby": `${id}-title` }, element("h3", { id: `${id}-title` }, title), children);

export const state = (name) => element("span", { class: "a-state", "data-state": name }, t(`own.state.${name}`));

export const pairs = (rows) => element("dl", { class: "a-pairs" }, rows.filter(Boolean).flatMap(([name, ...what]) => [element("dt", {}, name), element("dd", {}, what)]));

// The children again, but only when they say something new; who had the focus on a button keeps it.
export function renew(place, ...children) {
  const made = element("div", {}, children);
  if (place.dataset.told && place.innerHTML === made.innerHTML) return;
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  place.dataset.told = "true";
  place.replaceChildren(...made.childNodes);
  if (focused) place.querySelector(`[data-name="${focused}"]`)?.focus();
}

export function copyable(id, label, text) {
  const box = element("input", { id, readonly: true, value: text, "aria-label": label, spellcheck: "false" });
  const told = element("span", { role: "status" });
  const copy = act(t("share.copy"), async () => {
    box.select();
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    told.textContent = t(done ? "share.copied" : "own.copy.hand");
  });
  return element("p", { class: "a-copy" }, box, copy, told);
}

// Asks before what cannot be undone; resolves to what was answered. A reason may be asked for in the same window.
export function confirm(title, text, action, reason) {
  return new Promise((resolve) => {
    const box = reason ? element("textarea", { id: "confirm-reason", rows: 2, maxlength: 200 }) : null;
    const cancel = act(t("own.cancel"), () => dialog.close(), { name: "cancel" });
    const go = act(action, () => dialog.close("yes"), { kind: "danger", name: "confirm" });
    const ask = box ? [element("label", { for: "confirm-reason" }, reason), box] : [];
    const dialog = element("dialog", { class: "a-dialog", "aria-labelledby": "confirm-title" }, element("h3", { id: "confirm-title" }, title), element("p", {}, text), ask, element("p", { class: "a-acts" }, cancel, go));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve({ sure: dialog.returnValue === "yes", reason: box?.value.trim() ?? "" });
    });
    document.querySelector(".a-page").append(dialog);
    dialog.showModal();
    (box ?? cancel).focus();
  });
}
