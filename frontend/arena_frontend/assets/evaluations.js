// The page of evaluations: those that everybody may see, and the tables of a closed one.

import { call } from "./api.js";
import { matrix } from "./chart_matrix.js";
import { intervals } from "./charts.js";
import { at, element } from "./dom.js";
import { failure } from "./failure.js";
import { day, whole } from "./numbers.js";
import { on, present } from "./shell.js";
import { language, raw, t } from "./texts.js";

const TABLES = ["board", "neighbours", "against_baseline", "pairs", "totals", "criteria", "choices", "positions", "likelihoods", "agreement", "areas", "annotators", "left_out", "board_before", "totals_before"];
// Protocols by which nobody judges: a key or votes decide.
const UNJUDGED = ["closed", "likelihood"];
const number = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
const percent = new Intl.NumberFormat(language, { style: "percent" });
const named = () => new URL(location.href).searchParams.get("name");

export async function attach() {
  await present("evaluations");
  on("reload", load);
  await load();
}

async function load() {
  const answer = await call("GET", named() ? `/evaluations/${encodeURIComponent(named())}` : "/evaluations");
  at("evaluations").removeAttribute("aria-busy");
  if (!answer.ok) return at("evaluations").replaceChildren(failure(answer, load));
  at("evaluations").replaceChildren(...(named() ? record(answer.data) : list(answer.data)));
}

function list(found) {
  if (!found.length) return [element("p", { class: "a-empty" }, t("evaluations.none"))];
  return [element("ul", { class: "a-eval-list" }, found.map((each) => element("li", {}, head(each, link(each)))))];
}

const link = ({ name }) => element("a", { href: `/evaluations?name=${encodeURIComponent(name)}` }, name);

function head(each, title) {
  const facts = t("evaluations.facts", { questions: whole(each.questions), annotations: whole(each.annotations), needed: whole(each.needed) });
  const when = t(`evaluations.state.${each.state}`, { day: day(each.closed_at ?? each.created_at) });
  return [element("h2", { class: "a-eval-name" }, title), element("p", {}, `${facts} · ${when}`), join(each)];
}

function join({ name, state, public: open }) {
  if (state !== "open" || !open) return null;
  return element("p", {}, element("a", { class: "a-button", href: `/annotate?evaluation=${encodeURIComponent(name)}` }, t("evaluations.join")));
}

function record(found) {
  const digest = found.digest ? element("p", { class: "a-note" }, t("evaluations.digest"), " ", element("code", {}, found.digest)) : null;
  const parts = found.report ? [...pictures(found.report), ...TABLES.filter((name) => found.report[name].length).map((name) => table(name, found.report[name]))] : [element("p", { class: "a-empty" }, t("evaluations.later"))];
  const path = `/api/v1/evaluations/${encodeURIComponent(found.name)}`;
  const files = found.report ? element("p", { class: "a-eval-files" }, element("a", { href: path }, "JSON"), " · ", element("a", { href: `${path}/report.csv`, download: `${found.name}.csv` }, "CSV")) : null;
  return [element("p", {}, element("a", { href: "/evaluations" }, t("evaluations.all"))), ...head(found, found.name), how(found), digest, ...parts, files].filter(Boolean);
}

// By what rules people judge: who meets whom, how many judge an item, and below what an annotator is left out.
function how({ protocol, design, per_item: people, overlap, repeats, least_consistency: alike, least_right: right }) {
  if (UNJUDGED.includes(protocol)) return null;
  const limits = [alike ? t("evaluations.how.alike", { share: percent.format(alike) }) : null, right ? t("evaluations.how.right", { share: percent.format(right) }) : null].filter(Boolean);
  const rows = {
    design: protocol === "pairwise" ? t(`evaluations.design.${design}`) : null,
    people: whole(people),
    overlap: overlap ? whole(overlap) : null,
    repeats: percent.format(repeats),
    limits: limits.join(" ") || t("evaluations.how.nobody"),
  };
  const told = Object.entries(rows).filter(([, text]) => text);
  return element("dl", { class: "a-eval-how" }, told.flatMap(([name, text]) => [element("dt", {}, t(`evaluations.how.${name}`)), element("dd", {}, text)]));
}

// Intervals of the ratings and who beats whom, as on the leaderboard; answers with points have bars in their tables.
function pictures({ board, pairs }) {
  if (!board.length) return [];
  const places = [intervals, (place, rows) => matrix(place, rows, pairs)].map((draw) => {
    const place = element("div", {});
    draw(place, board);
    return place;
  });
  return [element("section", { class: "a-figure" }, element("h2", {}, t("evaluations.pictures")), places)];
}

function table(name, rows) {
  const columns = Object.keys(rows[0]).filter((key) => rows.some((row) => row[key] !== null && row[key] !== ""));
  const heads = columns.map((key) => element("th", { scope: "col" }, raw(`evaluations.col.${key}`) ?? key));
  const body = rows.map((row) => element("tr", {}, columns.map((key) => element("td", {}, key === "method" ? method(row[key]) : cell(row[key]), bar(key, row)))));
  const made = element("table", {}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, body));
  return element("section", { class: "a-eval" }, element("h2", {}, t(`evaluations.table.${name}`)), element("div", { class: "a-eval-wide", tabindex: 0 }, made));
}

// A share of the possible points, or of the comparisons, as a bar.
function bar(key, row) {
  const most = { mean: row.most, percent: 100, win_rate: 1 }[key];
  return most ? element("meter", { min: 0, max: most, value: row[key], "aria-hidden": "true" }) : null;
}

// A coefficient by its name; Cohen's is one of two people.
function method(code) {
  const [name, ...people] = code.split(" ");
  return [raw(`evaluations.method.${name}`) ?? name, ...people].join(" ");
}

function cell(value) {
  if (typeof value === "boolean") return value ? "✓" : "";
  return typeof value === "number" ? number.format(value) : (value ?? "–");
}
