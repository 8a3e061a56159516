// Open questions that an endpoint turned into closed ones: three people confirm one wording, or somebody changes it.

import { all, at, element } from "./dom.js";
import { calling, chapter, line, number } from "./owner_components.js";
import { t } from "./texts.js";

const CONVERSIONS = "/operator/conversions";
// As in the sample of prompts: whoever has a name of their own reviews under it.
const NOBODY = "operator";
const LETTERS = ["A", "B", "C", "D"];

export function frame(operator) {
  const field = (name, who = null) => element("label", { "data-needs": who }, t(`op.conv.${name}`), " ", element("input", { id: `conversions-${name}`, maxlength: 80, autocomplete: "off" }));
  const wrong = line("operator-conversions-wrong");
  const begin = calling(t("op.labels.begin"), () => next(operator), wrong, { name: "conversions-begin" });
  return [chapter("review-conversions", t("op.conv.title"), element("p", { class: "a-hint" }, t("op.conv.help")), element("p", { class: "a-acts a-inline" }, field("set"), field("reviewer", "shared"), begin), wrong, element("div", { id: "operator-conversions" }))];
}

const value = (id) => /** @type {HTMLInputElement} */ (at(id)).value.trim();

const asked = () => ({ questions: value("conversions-set"), reviewer: value("conversions-reviewer") || NOBODY });

async function next(operator, by = asked()) {
  const answer = await operator.call("GET", `${CONVERSIONS}?${new URLSearchParams(by)}`);
  if (answer.ok) at("operator-conversions").replaceChildren(...shown(operator, answer.data, by));
  return answer;
}

const stateText = (state) => t(`op.conv.state.${state.replace(" ", "_")}`);

function shown(operator, { item, states }, by) {
  const progress = element("p", { role: "status" }, Object.entries(states).map(([state, count]) => `${stateText(state)}: ${number(count)}`).join(" · "));
  if (!item) return [progress, element("p", {}, t("op.conv.none"))];
  const heard = [t("op.conv.by", { endpoint: item.endpoint }), stateText(item.state), item.confirmed_by.length ? t("op.conv.confirm_names", { names: item.confirmed_by.join(", ") }) : null].filter(Boolean);
  const asIs = item.wording ? [] : [element("details", {}, element("summary", {}, t("op.conv.text")), element("blockquote", { class: "a-label-prompt" }, item.text))];
  const made = form(item.wording);
  const say = (verdict, said) => keep(operator, item.number, by, { verdict, remark: value("conversion-remark"), ...said });
  const acts = [
    item.wording ? ["confirmed", () => say("confirmed", {}), "primary"] : null,
    ["amended", () => say("amended", { wording: wording(made) }), ""],
    ["rejected", () => say("rejected", {}), "danger"],
  ].filter(Boolean);
  const buttons = acts.map(([verdict, act, kind]) => calling(t(`op.conv.${verdict}`), act, at("operator-conversions-wrong"), { name: `conversion-${verdict}`, kind }));
  const remarks = item.remarks.map((each) => element("p", { class: "a-hint" }, each));
  return [progress, element("blockquote", { class: "a-label-prompt" }, item.prompt), element("p", { class: "a-hint" }, heard.join(" · ")), ...remarks, ...asIs, made, element("p", { class: "a-acts a-after" }, buttons)];
}

// The closed question, to be read or written anew: its text, four options, which of them is right, and a remark.
function form(found) {
  const field = (name, control) => element("div", { class: "a-field", "data-wide": true }, element("label", { for: control.id }, t(`op.conv.${name}`)), control);
  const question = element("textarea", { id: "conversion-question", rows: 3, maxlength: 4000 }, found?.question ?? "");
  const options = LETTERS.map((letter, place) =>
    element("div", { class: "a-option" }, element("label", {}, element("input", { type: "radio", name: "conversion-key", value: letter, checked: found?.key === letter, "aria-label": t("op.conv.right", { letter }) }), " ", letter), element("input", { type: "text", value: found?.options[place] ?? "", maxlength: 2000, "data-option": letter, "aria-label": t("op.conv.option", { letter }) })),
  );
  return element("div", { class: "a-form", id: "conversion" }, field("question", question), element("fieldset", { class: "a-options", "data-wide": true }, element("legend", {}, t("op.conv.options")), options), field("remark", element("input", { id: "conversion-remark", type: "text", maxlength: 1000 })));
}

function wording(made) {
  const options = all("[data-option]", made).map((each) => /** @type {HTMLInputElement} */ (each).value.trim());
  return { question: value("conversion-question"), options, key: made.querySelector(":checked")?.value ?? "" };
}

async function keep(operator, item, { questions, reviewer }, said) {
  const answer = await operator.call("POST", `${CONVERSIONS}/${item}/reviews`, { reviewer, ...said });
  if (answer.ok) await next(operator, { questions, reviewer });
  return answer;
}
