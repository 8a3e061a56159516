// The values of a form's fields, and what is wrong with them: an error is shown at its field, or else in one line of the
// form; no input is lost. The field ID has its line for errors in ID-wrong, the form in its own.

import { problemText, ruled, t } from "./texts.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** @type {(place: ParentNode) => Control[]} */
const controls = (place) => [.../** @type {NodeListOf<Control>} */ (place.querySelectorAll(":is(input, select, textarea)[name]"))];
/** @type {(place: ParentNode) => Control[]} */
export const shown = (place) => controls(place).filter((control) => !control.closest("[hidden]"));

// The values by name: numbers as numbers, empty fields as null, without hidden fields; those named a.b and a.c that have
// a value are in one value of the name a.
/** @type {(fields: Control[]) => Record<string, any>} */
export function values(fields) {
  const sent = {};
  for (const control of fields) {
    const [name, part] = control.name.split(".");
    if (!part) sent[name] = value(control);
    else sent[name] = { ...sent[name], ...(value(control)?.length ? { [part]: value(control) } : {}) };
  }
  return sent;
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
const TYPES = { words: (text) => words(text), lines, text: String, number: Number, json: (text) => (text ? JSON.parse(text) : null) };

function value(control) {
  const { type, dataset } = control;
  if (type === "checkbox") return control.checked !== (dataset.type === "not");
  const text = control.value.trim();
  if (dataset.type) return TYPES[dataset.type](text);
  if (!text) return null;
  return type === "number" ? Number(text) : text;
}

// Shows a field that has data-when="ID=VALUE" only while the field ID has this value.
/** @type {(place: ParentNode) => void} */
export function fit(place) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-when]"))) row.hidden = source(row).value !== row.dataset.when.split("=")[1];
}

/** @type {(row: HTMLElement) => Control} */
const source = ({ dataset }) => /** @type {Control} */ (document.getElementById(dataset.when.split("=")[0]));

// Whether a field has another value than the server gave it, or has come in the place of others.
/** @type {(control: Control) => boolean} */
export function changed(control) {
  const row = /** @type {HTMLElement} */ (control.closest("[data-when]"));
  return current(control) !== first(control) || Boolean(row && changed(source(row)));
}

const current = (control) => (control.type === "checkbox" ? control.checked : control.value.trim());

function first(control) {
  if (control.type === "checkbox") return control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue.trim();
  return ([...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0])?.value;
}

// Takes the values of a form as those that the server has.
/** @type {(form: HTMLFormElement) => void} */
export function settle(form) {
  for (const control of /** @type {any[]} */ ([...form.elements])) {
    if (control.type === "checkbox") control.defaultChecked = control.checked;
    else if (control instanceof HTMLSelectElement) for (const option of control.options) option.defaultSelected = option.selected;
    else control.defaultValue = control.value;
  }
}

// A line of words with commas between, as a list.
export const words = (text) => (text ?? "").split(/[,，、]/).map((word) => word.trim()).filter(Boolean);

/** @type {(form: HTMLFormElement) => boolean} */
export function complete(form) {
  const missing = shown(form).filter((control) => !control.validity.valid);
  controls(form).forEach(clear);
  for (const control of missing) wrong(control, control.validity.valueMissing ? t("own.missing") : control.validationMessage);
  missing[0]?.focus();
  return !missing.length;
}

// Error codes that belong to a fixed field; for an invalid request the parameters name the field.
const SPOKEN = { name_taken: "name", owner_taken: "name", invitation_required: "invitation", unlisted_limit: "listed", keys_not_accepted: "key" };

/** @type {(form: HTMLFormElement, problem: any) => void} */
export function refuse(form, problem) {
  const named = Object.entries(spoken(problem)).map(([name, text]) => ({ control: shown(form).find((one) => one.name === name), text }));
  const found = named.filter(({ control }) => control);
  for (const { control, text } of found) wrong(control, text);
  found[0]?.control.focus();
  if (found.length === named.length && found.length) return;
  say(document.getElementById(`${form.id}-wrong`), problemText(problem));
}

function spoken(problem) {
  const { code, params, problems = [params] } = problem;
  if (SPOKEN[code]) return { [SPOKEN[code]]: problemText(problem) };
  const named = problems.filter((each) => each?.field);
  return Object.fromEntries(named.map((each) => [each.field, t("own.wrong", { detail: ruled(`error.${code}`, each) ?? "" })]));
}

/** @type {(control: Control, text: string) => void} */
function wrong(control, text) {
  control.setAttribute("aria-invalid", "true");
  say(document.getElementById(`${control.id}-wrong`), text);
  const folded = control.closest("details");
  if (folded) folded.open = true;
}

/** @type {(control: Control) => void} */
export function clear(control) {
  control.removeAttribute("aria-invalid");
  for (const id of [control.id, control.form?.id]) {
    const line = document.getElementById(`${id}-wrong`);
    if (line) line.hidden = true;
  }
}

/** @type {(place: HTMLElement, text: string) => void} */
export function say(place, text) {
  place.textContent = text;
  place.hidden = !text;
}
