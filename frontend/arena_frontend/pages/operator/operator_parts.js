// The figures that an operator looks for first, and the switches of parts of the service.

import { at, element } from "./dom.js";
import { calling, chapter, confirm, line, moment, number, renew } from "./owner_components.js";
import { t } from "./texts.js";

const PARTS = "/operator/parts";
const FIGURES = ["battles", "votes", "failing", "waiting"];

export const frame = () => [element("div", { id: "operator-figures" }), element("div", { id: "operator-parts" }), line("operator-parts-wrong")];

export async function load(operator) {
  const [figures, parts] = await Promise.all([operator.call("GET", "/operator/figures"), operator.call("GET", PARTS)]);
  if (figures.ok) renew(at("operator-figures"), today(figures.data));
  if (parts.ok) renew(at("operator-parts"), switches(operator, parts.data));
}

const today = (figures) => element("dl", { class: "a-today", "aria-label": t("op.figures.title") }, FIGURES.map((name) => element("div", { "data-figure": name }, element("dt", {}, t(`op.figures.${name}`)), element("dd", {}, number(figures[name])))));

const switches = (operator, parts) => chapter("parts", t("op.parts.title"), element("p", { class: "a-hint" }, t("op.parts.help")), element("ul", { class: "a-parts" }, parts.map((view) => row(operator, view))));

function row(operator, view) {
  const { part, closed, reason, changed_at: changed } = view;
  const told = closed ? [element("small", {}, reason, " ", moment(changed))] : [];
  return element("li", { "data-part": part, "data-closed": String(closed) }, element("span", {}, element("strong", {}, t(`op.parts.${part}`)), " ", t(closed ? "op.parts.is_closed" : "op.parts.is_open"), told), button(operator, view));
}

function button(operator, view) {
  const word = t(view.closed ? "op.parts.reopen" : "op.parts.close");
  const title = t("op.act.of", { act: word, name: t(`op.parts.${view.part}`) });
  return calling(word, () => turn(operator, view, title, word), at("operator-parts-wrong"), { name: `part-${view.part}`, "aria-label": title, "data-needs": "operator" });
}

async function turn(operator, { part, closed }, title, word) {
  const { sure, text: reason } = closed ? { sure: true, text: "" } : await confirm(title, t("op.parts.ask"), word, { label: t("op.reason") });
  if (!sure) return null;
  const path = `${PARTS}/${part}/closed`;
  const answer = await (closed ? operator.call("DELETE", path) : operator.call("PUT", path, { reason }));
  if (answer.ok) await load(operator);
  return answer;
}
