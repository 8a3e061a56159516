// The operator's view of the vote gate: its newest decisions with what was found, and owners' objections.

import { at, element } from "./dom.js";
import { calling, chapter, confirm, line, moment, number, renew, table } from "./owner_components.js";
import { raw, t } from "./texts.js";

const DECISIONS = "/operator/decisions";
const REASONS = ["pooled", "ended", "confirmed", "undone"];
const HEADS = ["decision", "weight", "why", "found", "acts"];
const OBJECTIONS = "/operator/objections";
// The reason whose decisions are shown; empty for all, as for everybody who has just signed in.
let chosen = "";

export function frame() {
  chosen = "";
  return [element("div", { id: "operator-objections" }), element("div", { id: "operator-decisions" }), line("operator-gate-wrong")];
}

// Fetches and shows both lists; an arena whose server has no such list shows none.
export async function load(operator) {
  const wanted = chosen ? `${DECISIONS}?reason=${chosen}` : DECISIONS;
  const [decisions, objections] = await Promise.all([operator.call("GET", wanted), operator.call("GET", OBJECTIONS)]);
  if (objections.ok) renew(at("operator-objections"), objections.data.length ? chapter("gate-objections", t("op.gate.objections"), objections.data.map((each) => objection(operator, each))) : null);
  if (decisions.ok) renew(at("operator-decisions"), decisions.data.length || chosen ? chapter("gate-decisions", t("op.gate.decisions"), element("p", { class: "a-hint" }, t("op.gate.help")), filter(operator), table(t("op.gate.decisions"), HEADS.map((name) => t(`op.gate.head.${name}`)), decisions.data.map((each) => cells(operator, each)))) : null);
}

const why = (reason) => raw(`gate.reason.${reason}`) ?? t(`op.gate.reason.${reason}`);

// The name of a division of the log, which may be one of several: each part has a text.
const divided = (name) => name.split(", ").map((part) => raw(`op.gate.division.${part.replaceAll(" ", "_")}`) ?? part).join(" × ");

function filter(operator) {
  const options = ["", ...REASONS].map((reason) => element("option", { value: reason, selected: reason === chosen }, reason ? why(reason) : t("op.gate.all")));
  const select = element("select", { id: "operator-reason" }, options);
  select.addEventListener("change", () => {
    chosen = select.value;
    void load(operator);
  });
  return element("p", { class: "a-inline" }, element("label", {}, t("op.gate.head.why"), select));
}

function cells(operator, { number: id, votes, weight, reason, by, finding, created_at: made }) {
  const found = finding ? t("op.gate.finding", { division: divided(finding.division), model: finding.model, z: number(finding.z, 1) }) : "–";
  const acts = ["confirm", "undo"].map((name) => calling(t(`op.gate.${name}`), () => step(operator, id, name), at("operator-gate-wrong"), { name: `${name}-${id}`, "aria-label": t("op.act.of", { act: t(`op.gate.${name}`), name: String(id) }) }));
  return [
    [String(id), element("small", {}, t("op.gate.votes", { count: number(votes) })), element("small", {}, moment(made))],
    number(weight, 2),
    [why(reason), by === "gate" ? null : element("small", {}, t("op.gate.by"))],
    found,
    element("p", { class: "a-acts", "data-needs": "operator" }, acts),
  ];
}

async function step(operator, id, name) {
  const answer = await operator.call("POST", `${DECISIONS}/${id}/${name}`);
  if (answer.ok) await load(operator);
  return answer;
}

function objection(operator, { number: id, endpoint, text, answer, created_at: made }) {
  const reply = async () => {
    const { sure, text: said } = await confirm(t("op.act.of", { act: t("op.gate.answer"), name: endpoint }), text, t("op.gate.answer"), { label: t("op.gate.answer"), kind: "primary" });
    if (!sure || !said) return null;
    const sent = await operator.call("POST", `${OBJECTIONS}/${id}/answer`, { text: said });
    if (sent.ok) await load(operator);
    return sent;
  };
  const told = answer ? element("p", {}, `${t("op.gate.answered")} ${answer}`) : calling(t("op.gate.answer"), reply, at("operator-gate-wrong"), { name: `answer-${id}`, "data-needs": "moderator" });
  return element("div", { class: "a-objection" }, element("p", {}, element("strong", {}, endpoint), " ", moment(made)), element("p", {}, text), told);
}

