// The operator's page: every endpoint with its health, and what may be done to it.

import { at, element } from "./dom.js";
import { form } from "./forms.js";
import { act, calling, confirm, line, moment, newestFirst, number, panel, problemLine, renew, say, share, state } from "./parts.js";
import { problemOf } from "./owners_report.js";
import { reasonOf } from "./sentences.js";
import { session } from "./session.js";
import { present } from "./shell.js";
import { problemText, t } from "./texts.js";

const PATH = "/operator/endpoints";
const PAUSE = 5000;
const ORDER = ["pending", "suspended", "active", "paused", "probing", "draft", "retired", "imported"];
const HEADS = ["name", "state", "health", "errors", "answers", "same", "acts"];
// From which states each act leads on.
const ACTS = {
  approve: ["pending"],
  resume: ["paused", "suspended"],
  suspend: ["active", "paused", "pending"],
  retire: ["draft", "pending", "active", "paused", "suspended"],
};
const operator = session("arena_operator_key");
let timer = null;

export async function attach() {
  await present("operator");
  if (operator.key()) await load();
  else door();
}

function put(...nodes) {
  at("operator").removeAttribute("aria-busy");
  at("operator").replaceChildren(...nodes);
}

function door(told) {
  clearTimeout(timer);
  const made = form("operator-in", [["operator_key", { kind: "password", required: true, autocomplete: "current-password" }]], {
    label: t("own.signin"),
    submit: async ({ operator_key: key }) => {
      operator.keep(key);
      const answer = await operator.call("GET", PATH);
      if (answer.ok) paint(answer.data);
      else operator.drop();
      return answer.status === 404 ? { ok: false, problem: { code: "operator_off" } } : answer;
    },
  });
  const notice = told ? [element("p", { class: "a-wrong", role: "alert" }, told)] : [];
  put(...notice, panel("operator-door", t("op.signin"), element("p", { class: "a-hint" }, t("op.signin.help")), made));
}

async function load() {
  clearTimeout(timer);
  const answer = await operator.call("GET", PATH);
  if (!operator.key()) return;
  if (answer.status === 401 || answer.status === 404) {
    operator.drop();
    return door(answer.status === 401 ? problemText(answer.problem) : t("error.operator_off"));
  }
  if (answer.ok) paint(answer.data);
  else if (at("operator-wrong")) say(at("operator-wrong"), problemLine(answer.problem));
  else put(element("p", { class: "a-wrong", role: "alert" }, problemLine(answer.problem)), act(t("board.retry"), load));
  timer = setTimeout(load, PAUSE);
}

function paint(endpoints) {
  if (!at("operator-rows")) put(...frame());
  const place = (view) => ORDER.indexOf(view.state);
  const sorted = [...endpoints].sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name));
  at("operator-count").textContent = t("op.count", { count: number(endpoints.length), waiting: number(endpoints.filter((view) => view.state === "pending").length) });
  renewRows(sorted);
  clearTimeout(timer);
  timer = setTimeout(load, PAUSE);
}

function frame() {
  const heads = HEADS.map((name) => element("th", { scope: "col" }, t(`op.head.${name}`)));
  const leave = () => {
    operator.drop();
    door();
  };
  return [
    element("div", { class: "a-list-head" }, element("p", { id: "operator-count", role: "status" }), act(t("own.signout"), leave, { name: "signout" })),
    line("operator-wrong"),
    element("div", { class: "a-table", tabindex: "0", role: "region", "aria-label": t("op.scroll") }, element("table", {}, element("caption", { class: "a-say" }, t("op.title")), element("thead", {}, element("tr", {}, heads)), element("tbody", { id: "operator-rows" }))),
  ];
}

// Rows are told apart by their endpoint, so that a button under the pointer or the focus stays the same one.
function renewRows(endpoints) {
  const body = at("operator-rows");
  const old = new Map([...body.children].map((row) => [row.dataset.endpoint, row]));
  const rows = endpoints.map((view) => {
    const row = old.get(String(view.id)) ?? element("tr", { "data-endpoint": view.id });
    renew(row, ...cells(view));
    return row;
  });
  const same = rows.length === body.children.length && rows.every((row, place) => row === body.children[place]);
  if (!same) body.replaceChildren(...rows);
}

function cells(view) {
  const { stats, health, fingerprint } = view;
  const bad = stats.calls >= 200 && stats.error_rate > 0.05;
  const cell = (name, ...children) => element("td", { "data-head": t(`op.head.${name}`) }, element("div", {}, children));
  return [
    element("th", { scope: "row" }, element("strong", {}, view.name), element("small", {}, view.owner), element("small", {}, `${view.wire_model} · ${view.preset ?? view.url}`)),
    cell("state", state(view.state), view.listed ? null : element("small", {}, t("own.unlisted")), reason(view)),
    cell("health", mark(health.state !== "closed", t(`own.health.${health.state}`)), health.processes ? element("small", {}, t("op.resting", { count: number(health.processes) })) : null, element("small", {}, t("op.flight", { count: number(health.in_flight ?? 0) }))),
    cell("errors", mark(bad, stats.calls ? share(stats.error_rate ?? 0) : "–"), element("small", {}, t("op.calls", { count: number(stats.calls) }))),
    cell("answers", number(view.battles), element("small", {}, t("own.list.votes", { count: number(view.votes) }))),
    cell("same", same(fingerprint)),
    cell("acts", element("p", { class: "a-acts" }, acts(view))),
  ];
}

const mark = (bad, text) => element("span", { class: bad ? "a-bad" : null }, text);

function same(fingerprint) {
  if (!fingerprint) return t("op.same.none");
  return [mark(fingerprint.flagged, t(fingerprint.flagged ? "own.same.flagged" : "own.same.fine")), element("small", {}, moment(fingerprint.checked_at))];
}

// Why it stands where it stands: the newest step's reason, or what the last probe met.
function reason(view) {
  const newest = newestFirst(view.changes)[0];
  const probe = newestFirst(view.probes)[0];
  const problem = view.state === "draft" && probe?.report.problems?.[0];
  const text = problem ? problemOf(problem) : newest && reasonOf(newest.reason);
  return text ? element("small", {}, text) : null;
}

function acts(view) {
  const open = Object.entries(ACTS).filter(([, from]) => from.includes(view.state));
  return open.map(([name]) => calling(t(`op.${name}`), () => step(view, name), at("operator-wrong"), { name, kind: name === "retire" ? "danger" : name === "approve" ? "primary" : null, "aria-label": t("op.act.of", { act: t(`op.${name}`), name: view.name }) }));
}

async function step(view, name) {
  const asked = ["suspend", "retire"].includes(name);
  const { sure, reason: why } = asked ? await confirm(t("op.act.of", { act: t(`op.${name}`), name: view.name }), t(`op.${name}.ask`), t(`op.${name}`), t("op.reason")) : { sure: true, reason: "" };
  if (!sure) return null;
  const answer = await operator.call("POST", `${PATH}/${view.id}/${name}`, why ? { reason: why } : undefined);
  if (answer.ok) await load();
  return answer;
}
