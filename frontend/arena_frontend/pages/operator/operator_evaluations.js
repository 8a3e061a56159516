// Evaluations with what can still be set: the thresholds of annotators, and which models meet in a draft.

import { at, element } from "./dom.js";
import { calling, chapter, line, number } from "./owner_components.js";
import { raw, t } from "./texts.js";

const EVALUATIONS = "/operator/evaluations";
const DESIGNS = ["all", "balanced", "pair-table"];
const LIMITS = ["least_consistency", "least_right"];

export const frame = () => [element("div", { id: "operator-evaluations", "data-needs": "operator" })];

// Shown once: a list that changed under the hand would lose what is being typed.
export async function load(operator) {
  if (at("operator-evaluations")?.childElementCount) return;
  const { ok, data } = await operator.call("GET", EVALUATIONS);
  const open = ok ? data.filter(({ state }) => state !== "closed") : [];
  const place = at("operator-evaluations");
  if (!place || place.childElementCount || !open.length) return;
  place.append(chapter("evaluations-set", t("op.evals.title"), element("p", { class: "a-hint" }, t("op.evals.help")), open.map((each) => settings(operator, each))));
}

function settings(operator, found) {
  const told = element("span", { class: "a-saved", role: "status" });
  const wrong = line(`evaluation-wrong-${found.name}`);
  const limits = LIMITS.map((name) => [name, element("input", { type: "number", min: 0, max: 1, step: 0.05, value: found[name] ?? 0, name })]);
  const draw = found.state === "draft" && DESIGNS.includes(found.design) ? element("select", { name: "design" }, DESIGNS.map((value) => element("option", { value, selected: value === found.design }, t(`op.evals.design.${value}`)))) : null;
  const save = async () => {
    const said = Object.fromEntries(limits.map(([name, input]) => [name, Number(/** @type {HTMLInputElement} */ (input).value)]));
    const answer = await operator.call("PATCH", `${EVALUATIONS}/${encodeURIComponent(found.name)}`, draw ? { ...said, design: /** @type {HTMLSelectElement} */ (draw).value } : said);
    told.textContent = answer.ok ? t("own.saved") : "";
    return answer;
  };
  const facts = `${t(`op.evals.state.${found.state}`)} · ${raw(`op.draft.${found.protocol}`) ?? found.protocol} · ${t("op.evals.done", { annotations: number(found.annotations), needed: number(found.needed) })}`;
  const design = element("label", {}, t("op.evals.design"), " ", draw ?? element("b", {}, t(`op.evals.design.${found.design}`)));
  const fields = limits.map(([name, input]) => element("label", {}, t(`op.evals.${name}`), " ", input));
  const button = calling(t("own.change.save"), save, wrong, { name: `evaluation-${found.name}`, kind: "primary", "aria-label": t("op.act.of", { act: t("own.change.save"), name: found.name }) });
  return element("div", { class: "a-objection", "data-evaluation": found.name }, element("p", {}, element("strong", {}, found.name), " ", element("small", {}, facts)), element("p", { class: "a-acts a-inline" }, design, fields, button, told), wrong);
}
