// What forms and buttons of a part do, as its markup says. data-send="PUT /endpoints/3/key" calls the API: a form sends
// its fields, or those that were changed (data-send-only="changed") or filled in ("filled"), a button its data-body. It
// first asks by the dialog in the template `ask-NAME` (data-ask), whose fields are sent too. data-by names an act in
// place of the call, data-then one for its answer, such as `anew`. Afterwards the views are fetched again whose ids are
// in data-renew, or else its own unless it names an act; a button or choice with data-renew alone does no more than that.
// A button's problem is shown in the element of data-wrong. data-save is a file to save, under the name data-file. A file
// that is chosen is pressed like a button. Whatever is pressed is aria-disabled until it is done: it keeps the focus.

import { all, around, at, modal } from "./dom.js";
import { changed, clear, complete, fit, refuse, say, shown, values } from "./fields.js";
import { successor } from "./keep_focus.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

/** @typedef {import("./fields.js").Control} Control */
/** @typedef {{ [name: string]: (element: any, data: any) => any }} Acts */

// A copy of a template, filled in: [data-from] has the value of that name.
/** @type {(id: string, data?: Record<string, string>) => DocumentFragment} */
export function filled(id, data = {}) {
  const made = /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ (at(id)).content.cloneNode(true));
  for (const part of all("[data-from]", made)) {
    const value = data[part.dataset.from] ?? "";
    if (part instanceof HTMLInputElement || part instanceof HTMLTextAreaElement) part.value = value;
    else if (part instanceof HTMLImageElement) part.src = value;
    else say(part, value);
  }
  return made;
}

/** @type {(control: HTMLElement) => boolean} */
const busy = (control) => control.ariaDisabled === "true";

// The fields of a button's dialog, or null if it was not confirmed.
/** @type {(button: HTMLElement) => Promise<Record<string, any> | null>} */
async function ask({ ariaLabel: title, dataset }) {
  const dialog = /** @type {HTMLDialogElement} */ (filled(`ask-${dataset.ask}`, { title, ...JSON.parse(dataset.fill ?? "{}") }).firstElementChild);
  dialog.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement} */ (around(event, "button"));
    if (button) dialog.close(button.value);
  });
  const answer = await modal(dialog, dialog.querySelector("textarea, input, button"));
  const fields = shown(dialog);
  return answer && fields.every(({ validity }) => validity.valid) ? values(fields) : null;
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("./parts.js").Load} load
 * @param {Acts} by acts that data-by names in place of a call: the form or button, and its values, to an answer
 * @param {Acts} then acts that data-then names: the form or button, and the data of the answer
 */
export function listen(session, load, by, then) {
  /** @type {Acts} */
  const acts = { anew: (source) => load(source.closest("[data-view]"), true), ...then };

  // What a choice shows is not to be written in before it is there: it would be taken for what was chosen.
  /** @type {(source: HTMLElement, view: HTMLElement) => Promise<any>} */
  async function choose(source, view) {
    view.inert = !view.contains(source);
    const answer = await load(view);
    if (answer?.ok || !source.matches("select")) view.inert = false;
    return answer;
  }

  /** @type {(source: HTMLElement, body?: any, view?: HTMLElement) => Promise<import("./api.js").Answer>} */
  async function send(source, body, view) {
    const { dataset } = source;
    const own = view ?? /** @type {HTMLElement} */ (source.closest("[data-view]"));
    const views = dataset.renew === undefined ? [own] : dataset.renew.split(" ").filter(Boolean).map(at);
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
    const [press, saved] = [/** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]")), form.querySelector(".a-saved")];
    if (busy(press) || !complete(form)) return;
    press.ariaDisabled = "true";
    form.setAttribute("aria-busy", "true");
    const answer = await send(form, body(form));
    form.removeAttribute("aria-busy");
    press.ariaDisabled = null;
    if (!answer.ok) return refuse(form, answer.problem);
    saved.textContent = form.dataset.done ?? t("own.saved");
  });

  /** @type {(button: HTMLButtonElement | HTMLInputElement) => Promise<void>} */
  async function press(button) {
    const { save, file, wrong, body: fixed } = button.dataset;
    const view = /** @type {HTMLElement} */ (button.closest("[data-view]")); // a part that is fetched meanwhile has another button
    const more = button.dataset.ask ? await ask(button) : {};
    if (!button.isConnected) successor(view, button)?.focus();
    if (!more) return;
    const sent = { ...JSON.parse(fixed ?? "{}"), ...more };
    button.ariaDisabled = "true";
    const answer = save ? await session.save(save, file) : await send(button, Object.keys(sent).length ? sent : undefined, view);
    button.ariaDisabled = null;
    if (answer && at(wrong)) say(at(wrong), answer.ok ? "" : problemText(answer.problem));
  }

  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement} */ (around(event, "[type=button]:is([data-send], [data-by], [data-save], [data-renew])"));
    if (button && !busy(button)) press(button);
  });

  document.addEventListener("change", ({ target }) => {
    const control = /** @type {HTMLInputElement} */ (target);
    if (control.matches("select[data-renew]") || (control.matches("[type=file][data-by]") && control.value)) press(control);
  });

  document.addEventListener("input", ({ target }) => {
    const control = /** @type {Control} */ (target);
    if (!control.form?.dataset.send && !control.form?.dataset.by) return;
    control.form.querySelector(".a-saved").textContent = "";
    clear(control);
    fit(control.form);
  });

  on("copy", async (button) => {
    const [box, status] = [button.parentElement.querySelector("input"), button.parentElement.querySelector("[role=status]")];
    box.select();
    const done = await navigator.clipboard?.writeText(box.value).then(() => true, () => false);
    status.textContent = t(done ? "share.copied" : "own.copy.hand");
  });
}

/** @type {(form: HTMLFormElement) => Record<string, any>} */
function body(form) {
  const { sendOnly: only } = form.dataset;
  const sent = values(shown(form).filter((control) => only !== "changed" || changed(control)));
  return only === "filled" ? Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) : sent;
}
