// Evaluations from the first answer to the report: asking the models, opening, inviting people, watching and closing.

import { at, element } from "./dom.js";
import * as drafts from "./operator_drafts.js";
import { calling, chapter, confirm, copyable, line, number, renew } from "./owner_components.js";
import { problemText, t } from "./texts.js";

const EVALUATIONS = "/operator/evaluations";
const address = (name, part = "") => `${EVALUATIONS}/${encodeURIComponent(name)}${part}`;

export const frame = () => [...drafts.frame(), element("div", { id: "operator-runs" }), line("operator-runs-wrong"), element("div", { id: "operator-links" })];

export async function load(operator) {
  void drafts.load(operator, (refused) => begun(operator, refused));
  const { ok, data } = await operator.call("GET", EVALUATIONS);
  if (!ok || !at("operator-runs")) return;
  const open = data.filter(({ state }) => state !== "closed");
  const told = await Promise.all(open.map(({ name }) => operator.call("GET", address(name))));
  const progress = new Map(told.filter((answer) => answer.ok).map((answer) => [answer.data.name, answer.data]));
  const rows = data.map((view) => row(operator, progress.get(view.name) ?? view));
  if (at("operator-runs")) renew(at("operator-runs"), rows.length ? chapter("evaluations-run", t("op.runs.title"), rows) : null);
}

function begun(operator, refused) {
  renew(at("operator-links"), refused.length ? element("ul", { class: "a-hint" }, refused.map((text) => element("li", {}, text))) : null);
  void load(operator);
}

function row(operator, view) {
  const facts = [t(`op.runs.state.${view.running ? "running" : view.state}`), t("op.evals.done", { annotations: number(view.annotations), needed: number(view.needed) })];
  if (view.person_days) facts.push(t("op.runs.effort", { days: number(view.person_days, 1) }));
  const models = (view.models ?? []).map((model) => element("li", {}, progressOf(model, view.questions)));
  return element("div", { class: "a-objection", "data-run": view.name }, element("p", {}, element("strong", {}, view.name), " ", element("small", {}, facts.join(" · "))), models.length ? element("ul", {}, models) : null, element("p", { class: "a-acts" }, acts(operator, view)));
}

function progressOf({ name, answered, failed, cost, stopped }, questions) {
  const parts = [t("op.runs.answered", { name, answered: number(answered), all: number(questions) })];
  if (failed) parts.push(t("op.runs.failed", { count: number(failed) }));
  if (typeof cost === "number") parts.push(t("op.runs.cost", { cost: number(cost, 4) }));
  return [...parts, stopped].filter(Boolean).join(" · ");
}

const missing = ({ models = [], questions }) => models.some(({ endpoint, answered }) => endpoint && answered < questions);

// The acts that an evaluation is ready for, the next one first.
function acts(operator, view) {
  if (view.state === "closed") return [element("a", { href: `/evaluations?name=${encodeURIComponent(view.name)}` }, t("op.runs.report"))];
  if (view.running) return [button(operator, view, "stop", () => operator.call("DELETE", address(view.name, "/run")))];
  if (view.state === "open") return [button(operator, view, "invite", () => invite(operator, view.name), "primary"), button(operator, view, "close", () => close(operator, view))];
  const ask = missing(view) ? button(operator, view, "ask", () => operator.call("POST", address(view.name, "/run")), "primary") : null;
  return [ask, button(operator, view, "open", () => open(operator, view), ask ? null : "primary")].filter(Boolean);
}

function button(operator, { name }, act, ask, kind = null) {
  const run = async () => {
    const answer = await ask();
    if (answer?.ok) await load(operator);
    return answer;
  };
  return calling(t(`op.runs.${act}`), run, at("operator-runs-wrong"), { name: `${act}-${name}`, kind, "data-needs": "operator", "aria-label": t("op.act.of", { act: t(`op.runs.${act}`), name }) });
}

async function open(operator, view) {
  if (!missing(view)) return operator.call("POST", address(view.name, "/open"), {});
  const { sure } = await confirm(t("op.act.of", { act: t("op.runs.open"), name: view.name }), t("op.runs.unanswered"), t("op.runs.open"));
  return sure ? operator.call("POST", address(view.name, "/open"), { partial: true }) : null;
}

async function invite(operator, name) {
  const { sure, text } = await confirm(t("op.act.of", { act: t("op.runs.invite"), name }), t("op.runs.invite.ask"), t("op.runs.invite"), { label: t("op.runs.people"), value: "2", kind: "primary" });
  if (!sure) return null;
  const answer = await operator.call("POST", address(name, "/annotators"), { number: Number(text), address: window.location.origin });
  if (answer.ok) renew(at("operator-links"), links(name, answer.data));
  return answer;
}

const links = (name, invited) =>
  chapter("evaluation-links", t("op.runs.links", { name }), element("p", { class: "a-hint" }, t("op.runs.links.help")), invited.map(({ annotator, link, qr }) =>
    element("div", { class: "a-invited" }, copyable(`link-${annotator}`, t("op.runs.link", { label: annotator }), link), element("img", { src: qr, alt: t("op.runs.qr", { label: annotator }) })),
  ));

// Nothing that is missing goes public in silence: what it is is told, and asked about.
async function close(operator, view) {
  const title = t("op.act.of", { act: t("op.runs.close"), name: view.name });
  const first = await operator.call("POST", address(view.name, "/close"), { publish: true });
  if (first.ok || first.problem.code !== "evaluation_incomplete") return first;
  const lacks = `${problemText(first.problem)} ${t("op.evals.done", { annotations: number(view.annotations), needed: number(view.needed) })}.`;
  const { sure } = await confirm(title, lacks, t("op.runs.close.anyway"));
  return sure ? operator.call("POST", address(view.name, "/close"), { publish: true, incomplete: true }) : null;
}
