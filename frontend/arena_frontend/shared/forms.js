// Forms from a list of fields. An error is shown at its field, or else in one line; no input is lost.

import { element } from "./dom.js";
import { line, say } from "./owner_components.js";
import { problemText, raw, ruled, t } from "./texts.js";

// A field is [name, {kind, required, options, words, ...attributes}]; its label and help are own.field.WORDS and
// own.help.WORDS, where the words are the name unless said otherwise.
/**
 * @param {string} id
 * @param {(Row | Node)[]} fields
 * @param {{ label: string, after?: Node, done?: string, submit: (said: Record<string, any>) => Promise<any> }} how
 */
export function form(id, fields, { submit, label, after, done = t("own.saved") }) {
  const told = line(`${id}-wrong`);
  const send = element("button", { class: "a-act", "data-kind": "primary", type: "submit" }, label);
  const saved = element("span", { class: "a-saved", role: "status" });
  const rows = fields.map((part) => (part instanceof Node ? part : field(id, ...part)));
  const made = element("form", { class: "a-form", id, novalidate: true, autocomplete: "off" }, rows, told, element("p", { class: "a-acts" }, send, after, saved));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.disabled || !complete(made)) return;
    send.disabled = true;
    made.setAttribute("aria-busy", "true");
    const answer = await submit(values(made));
    made.removeAttribute("aria-busy");
    send.disabled = false;
    if (answer.ok) saved.textContent = done;
    else refuse(made, answer.problem);
  });
  made.addEventListener("input", (event) => {
    saved.textContent = "";
    clear(event.target);
  });
  return made;
}

/** @typedef {{ kind?: string, options?: [string, string][], wide?: boolean, words?: string, [attribute: string]: unknown }} Field */
/** @typedef {[name: string, field?: Field]} Row */

/** @type {(id: string, name: string, field?: Field) => HTMLElement} */
export function field(id, name, { kind = "text", options, wide, words = name, ...attributes } = {}) {
  const own = `${id}-${name}`;
  const help = raw(`own.help.${words}`);
  const told = `${help ? `${own}-help ` : ""}${own}-wrong`;
  const shared = { id: own, name, "aria-describedby": told, ...attributes };
  const free = !attributes.required && kind !== "checkbox";
  const head = element("label", { for: own }, t(`own.field.${words}`), free ? element("small", {}, t("own.optional")) : null);
  /** @type {HTMLElement[]} */
  const parts = kind === "checkbox" ? [element("div", { class: "a-check" }, control(kind, shared), head)] : [head, control(kind, shared, options)];
  if (help) parts.push(element("p", { class: "a-hint", id: `${own}-help` }, help));
  parts.push(element("p", { class: "a-wrong", id: `${own}-wrong`, hidden: true }));
  return element("div", { class: "a-field", "data-field": name, "data-wide": wide || kind === "textarea" }, parts);
}

function control(kind, attributes, options = []) {
  if (kind === "textarea") return element("textarea", { rows: 2, ...attributes });
  if (kind === "select")
    return element("select", attributes, options.map(([value, text]) => element("option", { value }, text)));
  return element("input", { type: kind, autocomplete: "off", spellcheck: "false", ...attributes });
}

const controls = (made) => [...made.elements].filter(({ name }) => name);

// The values by name: numbers as numbers, empty fields as null, without hidden fields.
export function values(made) {
  const shown = controls(made).filter((input) => !input.closest("[hidden]"));
  return Object.fromEntries(shown.map((input) => [input.name, value(input)]));
}

function value(input) {
  if (input.type === "checkbox") return input.checked;
  const text = input.value.trim();
  if (!text) return null;
  return input.type === "number" ? Number(text) : text;
}

// A line of words with commas between, as a list.
export const words = (text) => (text ?? "").split(/[,，、]/).map((word) => word.trim()).filter(Boolean);

export function fill(made, known) {
  for (const input of controls(made)) {
    if (!(input.name in known)) continue;
    if (input.type === "checkbox") input.checked = Boolean(known[input.name]);
    else input.value = known[input.name] ?? "";
  }
}

function complete(made) {
  const missing = controls(made).filter((input) => !input.closest("[hidden]") && !input.validity.valid);
  controls(made).forEach(clear);
  for (const input of missing) wrong(input, input.validity.valueMissing ? t("own.missing") : input.validationMessage);
  missing[0]?.focus();
  return !missing.length;
}

// Error codes that belong to a fixed field; for an invalid request the parameters name the field.
const SPOKEN = { name_taken: "name", owner_taken: "name", invitation_required: "invitation", unlisted_limit: "unlisted", keys_not_accepted: "key" };

export function refuse(made, problem) {
  const said = spoken(problem);
  const named = Object.entries(said).map(([name, text]) => [made.elements[name], text]);
  const found = named.filter(([input]) => input && !input.closest("[hidden]"));
  for (const [input, text] of found) wrong(input, text);
  if (found.length) found[0][0].focus();
  if (found.length === named.length && found.length) return;
  say(document.getElementById(`${made.id}-wrong`), problemText(problem));
}

function spoken(problem) {
  const { code, params, problems = [params] } = problem;
  if (SPOKEN[code]) return { [SPOKEN[code]]: problemText(problem) };
  const named = problems.filter((each) => each?.field);
  return Object.fromEntries(named.map((each) => [each.field, t("own.wrong", { detail: ruled(`error.${code}`, each) ?? "" })]));
}

function wrong(input, text) {
  input.setAttribute("aria-invalid", "true");
  say(document.getElementById(`${input.id}-wrong`), text);
  const folded = input.closest("details");
  if (folded) folded.open = true;
}

function clear(input) {
  input.removeAttribute("aria-invalid");
  for (const id of [input.id, input.form?.id]) {
    const told = document.getElementById(`${id}-wrong`);
    if (told) told.hidden = true;
  }
}
