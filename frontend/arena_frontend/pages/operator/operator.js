// The operator's page: all endpoints with their health and the available actions.

import { all, at, element } from "./dom.js";
import { form, words } from "./forms.js";
import * as journal from "./operator_acts.js";
import * as conversions from "./operator_conversions.js";
import * as evaluations from "./operator_evaluations.js";
import * as gate from "./operator_gate.js";
import * as labels from "./operator_labels.js";
import * as parts from "./operator_parts.js";
import * as roles from "./operator_roles.js";
import * as runs from "./operator_runs.js";
import * as shares from "./operator_shares.js";
import * as site from "./operator_site.js";
import * as voters from "./operator_voters.js";
import * as votes from "./operator_votes.js";
import { act, calling, chapter, confirm, fieldOf, line, moment, newestFirst, number, problemOf, reasonOf, renew, say, share, state } from "./owner_components.js";
import { waiting, wanted } from "./pending.js";
import { MINUTES, session, signOut } from "./session.js";
import { languagesText, problemText, t } from "./texts.js";

const PATH = "/operator/endpoints";
const TODAY = "/operator/neighbourhoods";
const PAUSE = 5000;
const ORDER = ["pending", "suspended", "active", "paused", "probing", "draft", "retired", "imported"];
const HEADS = ["name", "state", "health", "errors", "answers", "same", "acts"];
// Columns that only some roles have a use for.
const NEEDED = { acts: "operator" };
// States in which each action is available.
const ACTS = {
  approve: ["pending"],
  resume: ["paused", "suspended"],
  languages: ["draft", "pending", "active", "paused", "suspended"],
  vision: ["draft", "pending", "active", "paused", "suspended"],
  suspend: ["active", "paused", "pending"],
  retire: ["draft", "pending", "active", "paused", "suspended"],
};
// Actions on pending changes, by their API names.
const CHANGES = { approve_changes: "changes/approve", refuse_changes: "changes/refuse" };
const REASONED = ["suspend", "retire", "refuse_changes"];
const operator = session("arena_operator_key", () => door(t("own.ended", { minutes: MINUTES })));
// Ways to sign in without a key, where the arena has any; the page brings them.
const ways = at("operator-ways");
let timer = null;

function put(...nodes) {
  at("operator").removeAttribute("aria-busy");
  at("operator").replaceChildren(...nodes);
}

function door(told) {
  clearTimeout(timer);
  journal.forget();
  roles.forget();
  if (ways) ways.hidden = false;
  const made = form("operator-in", [["operator_key", { kind: "password", required: true, autocomplete: "current-password" }], ["stay", { kind: "checkbox" }]], {
    label: t("own.signin"),
    submit: async ({ operator_key: key, stay }) => {
      operator.keep(key, stay);
      const answer = await operator.call("GET", PATH);
      if (answer.ok) paint(answer.data);
      else operator.drop();
      return answer.status === 404 ? { ok: false, problem: { code: "operator_off" } } : answer;
    },
  });
  const notice = told ? [element("p", { class: "a-wrong", role: "alert" }, told)] : [];
  put(...notice, chapter("operator-door", t("op.signin"), element("p", { class: "a-hint" }, t("op.signin.help", { minutes: MINUTES })), made));
}

// Whoever has signed in by a provider has no key, but a cookie that no script reads.
async function enter() {
  if (operator.key()) return load();
  const answer = ways ? await operator.call("GET", "/operator/me") : null;
  return answer?.ok ? load() : door();
}

function leave() {
  if (operator.key()) {
    operator.drop();
    return door();
  }
  signOut();
}

async function load() {
  clearTimeout(timer);
  const answer = await operator.call("GET", PATH);
  if (answer.status === 401 || answer.status === 404) {
    operator.drop();
    return door(answer.status === 401 ? problemText(answer.problem) : t("error.operator_off"));
  }
  if (answer.ok) paint(answer.data);
  else if (at("operator-wrong")) say(at("operator-wrong"), problemText(answer.problem));
  else put(element("p", { class: "a-wrong", role: "alert" }, problemText(answer.problem)), act(t("board.retry"), load));
  loadLater();
}

// One timer at most: a second one would ask with no key after signing out, and empty the form of whoever signs in.
function loadLater() {
  clearTimeout(timer);
  timer = setTimeout(load, PAUSE);
}

function paint(endpoints) {
  if (!at("operator-rows")) put(...frame());
  const place = (view) => (waiting(view) ? 0 : ORDER.indexOf(view.state));
  const sorted = [...endpoints].sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name));
  at("operator-count").textContent = t("op.count", { count: number(endpoints.length), waiting: number(endpoints.filter((view) => view.state === "pending" || waiting(view)).length) });
  renewRows(sorted);
  roles.load(operator);
  parts.load(operator);
  journal.load(operator);
  warn();
  warnOfLog();
  warnOfPace();
  gate.load(operator);
  voters.load(operator);
  shares.load(operator);
  runs.load(operator);
  evaluations.load(operator);
  site.load(operator);
  loadLater();
}

// Whether one neighbourhood of addresses has most of the day's votes.
async function warn() {
  const { ok, data } = await operator.call("GET", TODAY);
  if (ok) announce("alarm", data.alarm ? t("op.alarm", { share: share(data.share), votes: number(data.votes) }) : "");
}

// Says what has changed, once and not at every update.
function announce(name, text) {
  const told = at(`operator-${name}`);
  if (text !== told.textContent) say(told, text);
}

// Whether a rate is set by hand that no model sustains.
async function warnOfPace() {
  const { ok, data } = await operator.call("GET", "/pace");
  if (!ok) return;
  const vain = data.by_hand && data.sustained.some((view) => view.rate === data.rate && !view.share);
  announce("pace", vain ? t("op.pace", { rate: number(data.rate) }) : "");
}

// Votes without a leaf in the transparency log, and whether a promised vote is not in it after ten minutes.
async function warnOfLog() {
  const { ok, data } = await operator.call("GET", "/operator/log");
  if (!ok) return;
  const first = data.first_unlogged.join(", ") + (data.unlogged > data.first_unlogged.length ? " …" : "");
  const unlogged = data.unlogged ? t("op.log.unlogged", { count: number(data.unlogged), first }) : "";
  const late = data.late ? t("op.log", { minutes: number(Math.floor(data.waiting / 60)) }) : "";
  announce("log", `${unlogged} ${late}`.trim());
}

function frame() {
  const heads = HEADS.map((name) => element("th", { scope: "col", "data-needs": NEEDED[name] }, t(`op.head.${name}`)));
  if (ways) ways.hidden = true;
  return [
    element("div", { class: "a-list-head" }, element("p", { id: "operator-me" }), act(t("own.signout"), leave, { name: "signout" })),
    ...parts.frame(),
    element("p", { id: "operator-count", role: "status" }),
    line("operator-wrong"),
    line("operator-alarm"),
    line("operator-log"),
    line("operator-pace"),
    element("div", { class: "a-table", tabindex: "0", role: "region", "aria-label": t("op.scroll") }, element("table", {}, element("caption", { class: "a-say" }, t("op.title")), element("thead", {}, element("tr", {}, heads)), element("tbody", { id: "operator-rows" }))),
    ...shares.frame(),
    ...gate.frame(),
    ...voters.frame(),
    ...runs.frame(),
    ...evaluations.frame(),
    roles.needs("operator", ...votes.frame(operator)),
    roles.needs("moderator", ...labels.frame(operator), ...conversions.frame(operator)),
    ...journal.frame(),
    ...site.frame(),
  ];
}

// Rows are reused by endpoint, so that a button under the pointer or focus stays the same.
function renewRows(endpoints) {
  const body = at("operator-rows");
  const old = new Map(all("tr", body).map((row) => [row.dataset.endpoint, row]));
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
  const cell = (name, ...children) => element("td", { "data-head": t(`op.head.${name}`), "data-needs": NEEDED[name] }, element("div", {}, children));
  return [
    element("th", { scope: "row" }, element("strong", {}, view.name), element("small", {}, view.owner), element("small", {}, `${view.wire_model} · ${view.preset ?? view.url}`), element("small", {}, abilities(view)), warnings(view)),
    cell("state", state(view.state), view.listed ? null : element("small", {}, t("own.unlisted")), reason(view), waiting(view) ? [element("small", {}, t("op.pending")), wanted(view)] : null),
    cell("health", mark(health.state !== "closed", t(`own.health.${health.state}`)), health.processes ? element("small", {}, t("op.resting", { count: number(health.processes) })) : null, element("small", {}, t("op.flight", { count: number(health.in_flight ?? 0) }))),
    cell("errors", mark(bad, stats.calls ? share(stats.error_rate ?? 0) : "–"), element("small", {}, t("op.calls", { count: number(stats.calls) }))),
    cell("answers", number(view.battles), element("small", {}, t("own.list.votes", { count: number(view.votes) }))),
    cell("same", same(fingerprint)),
    cell("acts", element("p", { class: "a-acts" }, acts(view))),
  ];
}

const abilities = ({ languages, vision }) => [languagesText(languages), ...(vision ? [t("op.vision.sees")] : [])].join(" · ");

// Warnings about well-known names, and how common the names are in answers.
const warnings = (view) => [
  ...(view.warnings ?? []).map(({ field, text, vendor }) => element("small", { class: "a-bad" }, t("op.warning", { field: fieldOf(field), text, vendor }))),
  ...(typeof view.share_in_others === "number" ? [element("small", {}, t("op.share_in_others", { share: share(view.share_in_others) }))] : []),
];

const mark = (bad, text) => element("span", { class: bad ? "a-bad" : null }, text);

function same(fingerprint) {
  if (!fingerprint) return t("op.same.none");
  return [mark(fingerprint.flagged, t(fingerprint.flagged ? "own.same.flagged" : "own.same.fine")), element("small", {}, moment(fingerprint.checked_at))];
}

// Reason of its state: that of the newest change, or what the last probe met; a remark does not prevent its approval.
function reason(view) {
  const newest = newestFirst(view.changes)[0];
  const probe = newestFirst(view.probes)[0];
  const problem = ["draft", "pending"].includes(view.state) && probe?.report.problems?.[0];
  const text = problem ? problemOf(problem) : newest && reasonOf(newest);
  return text ? element("small", {}, text) : null;
}

function acts(view) {
  const open = Object.keys(ACTS).filter((name) => ACTS[name].includes(view.state));
  if (waiting(view)) open.unshift(...Object.keys(CHANGES));
  return open.map((name) => calling(t(`op.${name}`), () => step(view, name), at("operator-wrong"), { name, kind: name === "retire" ? "danger" : name.startsWith("approve") ? "primary" : null, "aria-label": t("op.act.of", { act: t(`op.${name}`), name: view.name }) }));
}

async function languages(view) {
  const title = t("op.act.of", { act: t("op.languages"), name: view.name });
  const { sure, text } = await confirm(title, t("op.languages.ask"), t("own.change.save"), { label: t("own.field.languages"), value: view.languages.join(", "), kind: "primary" });
  return sure ? done(await operator.call("PATCH", `${PATH}/${view.id}`, { languages: words(text), revision: view.revision })) : null;
}

async function vision(view) {
  const title = t("op.act.of", { act: t("op.vision"), name: view.name });
  const { sure } = await confirm(title, t(view.vision ? "op.vision.off" : "op.vision.on"), t("own.change.save"), { kind: "primary" });
  return sure ? done(await operator.call("PATCH", `${PATH}/${view.id}`, { vision: !view.vision, revision: view.revision })) : null;
}

async function done(answer) {
  if (answer.ok) await load();
  return answer;
}

async function step(view, name) {
  if (name === "languages") return languages(view);
  if (name === "vision") return vision(view);
  const asked = REASONED.includes(name);
  const { sure, text: why } = asked ? await confirm(t("op.act.of", { act: t(`op.${name}`), name: view.name }), t(`op.${name}.ask`), t(`op.${name}`), { label: t("op.reason") }) : { sure: true, text: "" };
  if (!sure) return null;
  return done(await operator.call("POST", `${PATH}/${view.id}/${CHANGES[name] ?? name}`, { revision: view.revision, ...(why ? { reason: why } : {}) }));
}

enter();
