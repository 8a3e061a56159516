// The sample of prompts that people label, one after another, to measure labellers by.

import { at, element } from "./dom.js";
import { calling, chapter, line, number } from "./owner_components.js";
import { t } from "./texts.js";

const LABELS = "/operator/labels";
// A name that counts for nothing: whoever has a name of their own reads under it.
const NOBODY = "operator";
const SETS = ["capabilities", "flags", "areas"];

export function frame(operator) {
  const pick = (name, values) => element("label", {}, t(`op.labels.${name}`), " ", element("select", { id: `labels-${name}` }, values.map((value) => element("option", { value }, value))));
  const reader = element("label", { "data-needs": "shared" }, t("op.labels.reader"), " ", element("input", { id: "labels-reader", maxlength: 30, autocomplete: "off" }));
  const wrong = line("operator-labels-wrong");
  const begin = calling(t("op.labels.begin"), () => next(operator), wrong, { name: "labels-begin" });
  return [chapter("label-prompts", t("op.labels.title"), element("p", { class: "a-hint" }, t("op.labels.help")), element("p", { class: "a-acts a-inline" }, pick("set", SETS), reader, pick("reading", ["1", "2"]), begin), wrong, element("div", { id: "operator-labels" }))];
}

const value = (name) => /** @type {HTMLInputElement} */ (at(`labels-${name}`)).value.trim();

const asked = () => ({ set: value("set"), reader: value("reader") || NOBODY, reading: Number(value("reading")) });

async function next(operator, by = asked()) {
  const answer = await operator.call("GET", `${LABELS}?${new URLSearchParams({ ...by, reading: String(by.reading) })}`);
  if (answer.ok) at("operator-labels").replaceChildren(...shown(operator, answer.data, by));
  return answer;
}

// What is chosen above while an item is in view is for the next one: this one is kept as it was asked for.
function shown(operator, { item, labels, items, readings }, by) {
  const progress = element("p", { role: "status" }, t("op.labels.progress", { done: number(readings), all: number(2 * items) }));
  if (!item) return [progress, element("p", {}, t("op.labels.none"))];
  const chosen = [];
  const choices = Object.entries(labels).map(([label, meaning]) => element("button", { class: "a-act", type: "button", "aria-pressed": "false", title: meaning, "data-label": label }, label));
  for (const button of choices) button.addEventListener("click", () => press(button, chosen, choices));
  const save = calling(t("op.labels.save"), () => keep(operator, { ...by, number: item.number, values: chosen }), at("operator-labels-wrong"), { name: "labels-save", kind: "primary" });
  return [progress, ...item.prompts.map((prompt) => element("blockquote", { class: "a-label-prompt" }, prompt)), element("p", { class: "a-hint" }, t("op.labels.order")), element("p", { class: "a-acts" }, choices), element("p", { class: "a-after" }, save)];
}

// A label that can be pressed; its place among the chosen ones is their order.
function press(button, chosen, choices) {
  const place = chosen.indexOf(button.dataset.label);
  if (place < 0) chosen.push(button.dataset.label);
  else chosen.splice(place, 1);
  for (const each of choices) {
    const label = each.dataset.label;
    const order = chosen.indexOf(label);
    each.setAttribute("aria-pressed", String(order >= 0));
    each.textContent = order < 0 ? label : `${order + 1}. ${label}`;
  }
}

async function keep(operator, said) {
  const answer = await operator.call("POST", LABELS, said);
  if (answer.ok) await next(operator);
  return answer;
}
