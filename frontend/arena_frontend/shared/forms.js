// Forms from a list of fields.

import { element } from "./dom.js";
import { clear, complete, refuse, shown, values } from "./fields.js";
import { line } from "./owner_components.js";
import { raw, t } from "./texts.js";

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
    const answer = await submit(values(shown(made)));
    made.removeAttribute("aria-busy");
    send.disabled = false;
    if (answer.ok) saved.textContent = done;
    else refuse(made, answer.problem);
  });
  made.addEventListener("input", (event) => {
    saved.textContent = "";
    clear(/** @type {any} */ (event.target));
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

export { words } from "./fields.js";

export function fill(made, known) {
  for (const input of controls(made)) {
    if (!(input.name in known)) continue;
    if (input.type === "checkbox") input.checked = Boolean(known[input.name]);
    else input.value = known[input.name] ?? "";
  }
}
