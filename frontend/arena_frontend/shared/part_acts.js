// What forms and buttons of a part do, as its markup says. data-send="PUT /endpoints/3/key" calls the API: a form sends
// its fields, or those that were changed (data-send-only="changed") or filled in ("filled"), a button its data-body. It
// first asks by the dialog in the template `ask-NAME` (data-ask), whose fields are sent too. Afterwards the views are
// fetched again whose ids are in data-renew, or else its own, unless data-then names another act, such as `anew`. A button's problem is
// shown in the element of data-wrong. data-save is a file to save, under the name data-file.

import { all, around, at, modal } from "./dom.js";
import { clear, complete, refuse, say, shown, values } from "./fields.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

/** @typedef {import("./fields.js").Control} Control */
/** @typedef {{ [name: string]: (element: any, data: any) => any }} Acts */

// A copy of a template, filled in: [data-from] has the value of that name.
/** @type {(id: string, data?: Record<string, string>) => DocumentFragment} */
export function filled(id, data = {}) {
  const made = /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ (at(id)).content.cloneNode(true));
  for (const part of all("[data-from]", made)) {
    if (part instanceof HTMLInputElement) part.value = data[part.dataset.from];
    else say(part, data[part.dataset.from]);
  }
  return made;
}

// The fields of a dialog, or null if it was not confirmed.
/** @type {(name: string) => Promise<Record<string, any> | null>} */
async function ask(name) {
  const dialog = /** @type {HTMLDialogElement} */ (filled(`ask-${name}`).firstElementChild);
  dialog.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement} */ (around(event, "button"));
    if (button) dialog.close(button.value);
  });
  const answer = await modal(dialog, dialog.querySelector("textarea, input, button"));
  const fields = shown(dialog);
  return answer && fields.every(({ validity }) => validity.valid) ? values(fields) : null;
}

/** @type {(control: Control) => boolean} */
export function changed(control) {
  if (control instanceof HTMLSelectElement) {
    const first = [...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0];
    return control.value !== first?.value;
  }
  return control.type === "checkbox" ? /** @type {HTMLInputElement} */ (control).checked !== /** @type {HTMLInputElement} */ (control).defaultChecked : control.value.trim() !== control.defaultValue;
}

/**
 * @param {import("./session.js").Session} session
 * @param {(view: HTMLElement, anew?: boolean) => Promise<any>} load
 * @param {Acts} by acts that data-by names in place of a call: the form or button, and its values, to an answer
 * @param {Acts} then acts that data-then names: the form or button, and the data of the answer
 */
export function listen(session, load, by, then) {
  /** @type {Acts} */
  const acts = { anew: (source) => load(source.closest("[data-view]"), true), ...then };

  /** @type {(source: HTMLElement, body?: any) => Promise<import("./api.js").Answer>} */
  async function send(source, body) {
    const { dataset } = source;
    const views = dataset.renew ? dataset.renew.split(" ").map(at) : [/** @type {HTMLElement} */ (source.closest("[data-view]"))];
    const [method, path] = dataset.send?.split(" ") ?? [];
    const answer = await (dataset.by ? by[dataset.by](source, body) : session.call(method, path, body));
    if (!answer.ok) return answer;
    if (dataset.then) await acts[dataset.then](source, answer.data);
    else if (!dataset.by) await Promise.all(views.map((view) => load(view)));
    return answer;
  }

  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.dataset.send && !form.dataset.by) return;
    event.preventDefault();
    const [press, saved] = [/** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]")), form.querySelector(".a-saved")];
    if (press.disabled || !complete(form)) return;
    press.disabled = true;
    form.setAttribute("aria-busy", "true");
    const answer = await send(form, body(form));
    form.removeAttribute("aria-busy");
    press.disabled = false;
    if (!answer.ok) return refuse(form, answer.problem);
    saved.textContent = form.dataset.done ?? t("own.saved");
  });

  document.addEventListener("click", async (event) => {
    const button = /** @type {HTMLButtonElement} */ (around(event, "[type=button]:is([data-send], [data-by], [data-save])"));
    if (!button) return;
    const { ask: name, save, file, wrong, body: fixed } = button.dataset;
    const more = name ? await ask(name) : {};
    if (!more) return;
    const sent = { ...JSON.parse(fixed ?? "{}"), ...more };
    button.disabled = true;
    const answer = save ? await session.save(save, file) : await send(button, Object.keys(sent).length ? sent : undefined);
    button.disabled = false;
    if (at(wrong)) say(at(wrong), answer.ok ? "" : problemText(answer.problem));
  });

  document.addEventListener("input", ({ target }) => {
    const control = /** @type {Control} */ (target);
    if (!control.form?.dataset.send && !control.form?.dataset.by) return;
    control.form.querySelector(".a-saved").textContent = "";
    clear(control);
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
