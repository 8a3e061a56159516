// What forms and buttons of a view do, as their markup says:
// - data-send="PUT /endpoints/3/key" calls the API. A form sends its fields, or only those that were changed
//   (data-send-only="changed") or filled in ("filled"), a button its data-body.
// - data-by names an act of the page in place of the call, data-then one that gets the data of the answer.
// - data-ask="NAME" first opens the dialog in the template `ask-NAME`, whose fields are sent too.
// - data-renew lists the ids of views to fetch again afterwards; without it that is the element's own view, unless an
//   act is named. A button or choice with data-renew alone only fetches them.
// - data-wrong is the id of the element that shows a button's problem.
// - data-save is the path of a file to save, under the name data-file.
// Choosing a file acts like a button. A control is aria-disabled until it is done, so that it keeps the focus.

import { applyConditions, clearError, isChanged, setText, showProblem, validate, values, visibleFields } from "./fields.js";
import { successor } from "./keep_focus.js";
import { all, around, at, modal, on } from "./shell.js";
import { problemText, t } from "./texts.js";

/** @typedef {import("./fields.js").Control} Control */
/** @typedef {{ [name: string]: (element: any, data: any) => any }} Acts */

// A copy of a template, in which each element with data-from="NAME" gets the value of this name.
/** @type {(id: string, data?: Record<string, string>) => DocumentFragment} */
export function fromTemplate(id, data = {}) {
  const copy = /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ (at(id)).content.cloneNode(true));
  for (const element of all("[data-from]", copy)) {
    const value = data[element.dataset.from] ?? "";
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.value = value;
    else if (element instanceof HTMLImageElement) element.src = value;
    else setText(element, value);
  }
  return copy;
}

/** @type {(control: HTMLElement) => boolean} */
const isBusy = (control) => control.ariaDisabled === "true";

// The fields of the dialog in the template `ask-NAME`, or null if it was not confirmed.
/** @type {(name: string, data: Record<string, string>) => Promise<Record<string, any> | null>} */
export async function ask(name, data) {
  const dialog = /** @type {HTMLDialogElement} */ (fromTemplate(`ask-${name}`, data).firstElementChild);
  const fields = visibleFields(dialog);
  dialog.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement} */ (around(event, "button"));
    if (button && (button.value !== "yes" || fields.every((field) => field.reportValidity()))) dialog.close(button.value);
  });
  const answer = await modal(dialog, dialog.querySelector("textarea, input, button"));
  return answer ? values(fields) : null;
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("./parts.js").Load} load
 * @param {Acts} by acts for data-by: the form or button, and its values, to an answer
 * @param {Acts} then acts for data-then: the form or button, and the data of the answer
 */
export function listen(session, load, by, then) {
  /** @type {Acts} */
  const acts = { replace: (source) => load(source.closest("[data-view]"), true), ...then };

  // Until the view of a new choice is there, nothing can be typed into that of the old one.
  /** @type {(source: HTMLElement, view: HTMLElement) => Promise<any>} */
  async function choose(source, view) {
    view.inert = !view.contains(source);
    const answer = await load(view);
    if (answer?.ok || !source.matches("select")) view.inert = false;
    return answer;
  }

  /** @type {(source: HTMLElement, body: any, view: HTMLElement) => Promise<import("./api.js").Answer>} */
  async function send(source, body, view) {
    const { dataset } = source;
    const views = dataset.renew === undefined ? [view] : dataset.renew.split(" ").filter(Boolean).map(at);
    if (!dataset.send && !dataset.by) return choose(source, views[0]);
    const [method, path] = dataset.send?.split(" ") ?? [];
    const answer = await (dataset.by ? by[dataset.by](source, body) : session.call(method, path, body));
    if (!answer?.ok) return answer;
    if (dataset.then) await acts[dataset.then](source, answer.data);
    if (dataset.renew || !(dataset.then || dataset.by)) await Promise.all(views.map((view) => load(view)));
    return answer;
  }

  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.dataset.send && !form.dataset.by) return;
    event.preventDefault();
    const [button, status] = [/** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]")), form.querySelector(".a-saved")];
    if (isBusy(button) || !validate(form)) return;
    button.ariaDisabled = "true";
    form.setAttribute("aria-busy", "true");
    const answer = await send(form, body(form), form.closest("[data-view]"));
    form.removeAttribute("aria-busy");
    button.ariaDisabled = null;
    if (!answer.ok) return showProblem(form, answer.problem);
    status.textContent = form.dataset.done ?? t("own.saved");
  });

  /** @type {(button: HTMLButtonElement | HTMLInputElement) => Promise<void>} */
  async function press(button) {
    const { save, file, wrong, body: fixed, ask: question, fill = "{}" } = button.dataset;
    const view = /** @type {HTMLElement} */ (button.closest("[data-view]")); // before a fetched part may replace the button
    const fields = question ? await ask(question, { title: button.ariaLabel, ...JSON.parse(fill) }) : {};
    if (!button.isConnected) successor(view, button)?.focus();
    if (!fields) return;
    const body = { ...JSON.parse(fixed ?? "{}"), ...fields };
    button.ariaDisabled = "true";
    const answer = save ? await session.save(save, file) : await send(button, Object.keys(body).length ? body : undefined, view);
    button.ariaDisabled = null;
    if (!answer || !at(wrong)) return;
    setText(at(wrong), answer.ok ? "" : problemText(answer.problem));
    if (!answer.ok) at(wrong).scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement} */ (around(event, "[type=button]:is([data-send], [data-by], [data-save], [data-renew])"));
    if (button && !isBusy(button)) press(button);
  });

  document.addEventListener("change", ({ target }) => {
    const control = /** @type {HTMLInputElement} */ (target);
    if (control.matches("select[data-renew]") || (control.matches("[type=file][data-by]") && control.value)) press(control);
  });

  document.addEventListener("input", ({ target }) => {
    const control = /** @type {Control} */ (target);
    if (!control.form?.dataset.send && !control.form?.dataset.by) return;
    control.form.querySelector(".a-saved").textContent = "";
    clearError(control);
    applyConditions(control.form);
  });

  on("copy", async ({ parentElement: line }) => {
    line.querySelector("input").select();
    const isCopied = await navigator.clipboard?.writeText(line.querySelector("input").value).then(() => true, () => false);
    line.querySelector("[role=status]").textContent = t(isCopied ? "share.copied" : "own.copy.hand");
  });
}

/** @type {(form: HTMLFormElement) => Record<string, any>} */
function body(form) {
  const { sendOnly: only } = form.dataset;
  const result = values(visibleFields(form).filter((control) => only !== "changed" || isChanged(control)));
  return only === "filled" ? Object.fromEntries(Object.entries(result).filter(([, value]) => value !== null)) : result;
}
