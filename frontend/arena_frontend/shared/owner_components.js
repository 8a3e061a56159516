// Components shared by the owners' and the operator's pages.

import { element, modal } from "./dom.js";
import { say } from "./fields.js";
import { language, problemText, raw, ruled, t } from "./texts.js";

export { say } from "./fields.js";

export const number = (value, digits = 0) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
export const share = (value) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(value);
export const seconds = (ms) => t("own.seconds", { count: number(ms / 1000, 2) });
export const kind = (name) => raw(`own.kind.${name}`) ?? name;
export const moment = (text) => element("time", { datetime: text }, new Date(text).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }));

// The server's order, reversed, also for equal times.
export const newestFirst = (dated) => [...(dated ?? [])].reverse().sort((a, b) => (a.at < b.at ? 1 : -1));

/** @typedef {{ kind?: string, name?: string, [attribute: string]: unknown }} Look */

/** @type {(text: string, handler: (button: HTMLButtonElement) => unknown, look?: Look) => HTMLButtonElement} */
export function act(text, handler, { kind, name, ...attributes } = {}) {
  const made = element("button", { class: "a-act", type: "button", "data-kind": kind, "data-name": name, ...attributes }, text);
  made.addEventListener("click", () => handler(made));
  return made;
}

// A button that calls the API: disabled meanwhile, and an error is shown in the element `said`.
export function calling(text, ask, said, options) {
  const run = async (button) => {
    button.disabled = true;
    const answer = await ask();
    button.disabled = false;
    if (answer) say(said, answer.ok ? "" : problemText(answer.problem));
  };
  return act(text, run, options);
}

export const fieldOf = (name) => raw(`own.field.${name}`) ?? name;

// The reason of a change of state: by its code, or else as typed or stored by an older version.
export const reasonOf = ({ code, params, reason }) => (code && ruled(`own.reason.${code}`, params)) || reason;

// A problem in the reader's language by its code, or else in the server's words.
export const problemOf = (problem) => (raw(`own.problem.${problem.code}`) ? t(`own.problem.${problem.code}`, problem) : problem.title);

export const line = (id) => element("p", { class: "a-wrong", role: "alert", id, hidden: true });

const section = (head) => (id, title, ...children) => element("section", { class: "a-panel", id, "aria-labelledby": `${id}-title` }, element(head, { id: `${id}-title` }, title), children);
// A part of the page, and a part below a heading of the second level.
export const chapter = section("h2");
export const panel = section("h3");

export const state = (name) => element("span", { class: "a-state", "data-state": name }, t(`own.state.${name}`));

export const pairs = (rows) => element("dl", { class: "a-pairs" }, rows.filter(Boolean).flatMap(([name, ...what]) => [element("dt", {}, name), element("dd", {}, what)]));

// Replaces the children only if their content has changed; the focus on a button is kept.
export function renew(place, ...children) {
  const made = element("div", {}, children);
  if (place.dataset.told && place.innerHTML === made.innerHTML) return;
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && place.contains(active) ? active.dataset.name : null;
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

/**
 * Asks before what cannot be undone; resolves to what was answered. A text, such as a reason, may be asked for too.
 * @param {string} title
 * @param {string} text
 * @param {string} action
 * @param {{ label?: string, value?: string, kind?: string }} [options] `label` asks for a text.
 */
export async function confirm(title, text, action, { label, value = "", kind: mood = "danger" } = {}) {
  const box = label ? element("textarea", { id: "confirm-text", rows: 2, maxlength: 200 }, value) : null;
  const cancel = act(t("own.cancel"), () => dialog.close(), { name: "cancel" });
  const go = act(action, () => dialog.close("yes"), { kind: mood, name: "confirm" });
  const ask = box ? [element("label", { for: "confirm-text" }, label), box] : [];
  const dialog = element("dialog", { class: "a-dialog", "aria-labelledby": "confirm-title" }, element("h2", { id: "confirm-title" }, title), element("p", {}, text), ask, element("p", { class: "a-acts" }, cancel, go));
  const answer = await modal(dialog, box ?? cancel);
  return { sure: answer === "yes", text: box?.value.trim() ?? "" };
}

// A table whose cells carry their heads, which a narrow screen shows beside them.
export function table(title, heads, rows) {
  const head = element("tr", {}, heads.map((word) => element("th", { scope: "col" }, word)));
  const body = rows.map((cells) => element("tr", {}, cells.map((cell, place) => element("td", { "data-head": heads[place] }, element("div", {}, cell)))));
  return element("div", { class: "a-table", tabindex: "0", role: "region", "aria-label": title }, element("table", {}, element("thead", {}, head), element("tbody", {}, body)));
}
