// Reads and validates the fields of a form. An error is shown at its field, in the element with the id FIELD-wrong, or
// else in that of the form, FORM-wrong; no input is lost.

import { nameTerms, problemText, ruled, t } from "./texts.js";

nameTerms({ field: "own.field", fields: "own.field", error: "own.kind", problem: "own.problem", state: "own.state", after: "own.state", "error.site_changed.names": "op.site.part", column: "op.draft.columns.head" });

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** @type {(container: ParentNode) => Control[]} */
const allFields = (container) => [.../** @type {NodeListOf<Control>} */ (container.querySelectorAll(":is(input, select, textarea)[name]"))];
/** @type {(container: ParentNode) => Control[]} */
export const visibleFields = (container) => allFields(container).filter((control) => !control.closest("[hidden]"));

// The values by name: numbers as numbers, empty fields as null. Fields named a.b and a.c become one object under the
// name a.
/** @type {(fields: Control[]) => Record<string, any>} */
export function values(fields) {
  const result = {};
  for (const control of fields) {
    const [name, key] = control.name.split(".");
    if (!key) result[name] = value(control);
    else result[name] = { ...result[name], [key]: value(control) };
  }
  return result;
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
const words = (text) => text.split(/[,，、]/).map((word) => word.trim()).filter(Boolean);
const TYPES = { words, lines, text: String, number: Number, json: (text) => (text ? JSON.parse(text) : null) };

function value(control) {
  const { type, dataset } = control;
  if (type === "checkbox") return control.checked !== (dataset.type === "not");
  const text = control.value.trim();
  if (dataset.type) return TYPES[dataset.type](text);
  if (!text) return null;
  return type === "number" ? Number(text) : text;
}

// Shows each row with data-when="ID=VALUE" only while the field ID has this value.
/** @type {(container: ParentNode) => void} */
export function applyConditions(container) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (container.querySelectorAll("[data-when]"))) row.hidden = conditionField(row).value !== row.dataset.when.split("=")[1];
}

/** @type {(row: HTMLElement) => Control} */
const conditionField = ({ dataset }) => /** @type {Control} */ (document.getElementById(dataset.when.split("=")[0]));

// Whether a field differs from what the server rendered, or is visible only since another one was changed.
/** @type {(control: Control) => boolean} */
export function isChanged(control) {
  const row = /** @type {HTMLElement} */ (control.closest("[data-when]"));
  return currentValue(control) !== defaultValue(control) || Boolean(row && isChanged(conditionField(row)));
}

const currentValue = (control) => (control.type === "checkbox" ? control.checked : control.value.trim());

function defaultValue(control) {
  if (control.type === "checkbox") return control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue.trim();
  return ([...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0])?.value;
}

// Makes the current values the defaults, after the server has stored them.
/** @type {(form: HTMLFormElement) => void} */
export function settle(form) {
  for (const control of /** @type {any[]} */ ([...form.elements])) {
    if (control.type === "checkbox") control.defaultChecked = control.checked;
    else if (control instanceof HTMLSelectElement) for (const option of control.options) option.defaultSelected = option.selected;
    else control.defaultValue = control.value;
  }
}

// Shows what is invalid, with the focus on the first such field.
/** @type {(form: HTMLFormElement) => boolean} */
export function validate(form) {
  const invalid = visibleFields(form).filter((control) => !control.validity.valid);
  allFields(form).forEach(clearError);
  for (const control of invalid) showError(control, control.validity.valueMissing ? t("own.missing") : control.validationMessage);
  invalid[0]?.focus();
  return !invalid.length;
}

// Error codes that belong to a fixed field; for an invalid request the parameters name the field.
const FIELD_OF_CODE = { name_taken: "name", owner_taken: "name", invitation_required: "invitation", unlisted_limit: "listed", keys_not_accepted: "key" };

// Shows a problem of the API at the fields that it names, or at the form if one of them is not visible.
/** @type {(form: HTMLFormElement, problem: any) => void} */
export function showProblem(form, problem) {
  const errors = Object.entries(errorTexts(problem)).map(([name, text]) => ({ control: fieldNamed(form, name), text }));
  const shown = errors.filter(({ control }) => control);
  for (const { control, text } of shown) showError(control, text);
  shown[0]?.control.focus();
  if (!shown.length || shown.length < errors.length) setText(document.getElementById(`${form.id}-wrong`), problemText(problem));
}

// The field of this name, or the one that an entry such as languages.fr belongs to.
/** @type {(form: HTMLFormElement, name: string) => Control | undefined} */
function fieldNamed(form, name) {
  const fields = visibleFields(form);
  return fields.find((field) => field.name === name) ?? fields.find((field) => field.name === name.split(".")[0]);
}

const begun = (text) => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

// The errors by the name of their field.
function errorTexts(problem) {
  const { code, params, problems = [params] } = problem;
  if (FIELD_OF_CODE[code]) return { [FIELD_OF_CODE[code]]: problemText(problem) };
  const named = problems.filter((entry) => entry?.field);
  return Object.fromEntries(named.map((entry) => [entry.field, begun(ruled(`error.${code}`, entry) ?? "")]));
}

/** @type {(control: Control, text: string) => void} */
function showError(control, text) {
  control.setAttribute("aria-invalid", "true");
  setText(document.getElementById(`${control.id}-wrong`), text);
  const details = control.closest("details");
  if (details) details.open = true;
}

// Empties the line too: what describes a field is read out although it is hidden.
/** @type {(control: Control) => void} */
export function clearError(control) {
  control.removeAttribute("aria-invalid");
  for (const id of [control.id, control.form?.id]) {
    const line = document.getElementById(`${id}-wrong`);
    if (line) setText(line, "");
  }
}

// An empty text hides the element.
/** @type {(element: HTMLElement, text: string) => void} */
export function setText(element, text) {
  element.textContent = text;
  element.hidden = !text;
}
