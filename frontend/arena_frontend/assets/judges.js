// The page of judges: how each decides, how far people agree, what length and order do to it, and what it costs.

import { call } from "./api.js";
import { at, element } from "./dom.js";
import { percent, whole } from "./numbers.js";
import { captionOf, figure, fill, interval, section, table } from "./report_tables.js";
import { on, present } from "./shell.js";
import { t } from "./texts.js";

export async function attach() {
  await present("judges");
  const load = async () => {
    await fill("judges", "/judges", paint);
    await measure();
  };
  on("reload", load);
  await load();
}

function paint(found) {
  if (!found.length) return [element("p", { class: "a-empty" }, t("judges.none"))];
  const json = element("p", {}, element("a", { href: "/api/v1/judges" }, "JSON"));
  return [element("p", { class: "a-note" }, t("judges.own")), ...found.flatMap((report) => report.judges.map((judge) => one(report.evaluation, judge))), json];
}

function one(evaluation, judge) {
  const title = `${judge.judge} · ${judge.rubric} ${judge.version} · ${evaluation}`;
  const steady = judge.flips.value === 1 ? element("p", { role: "note" }, element("strong", {}, t("judges.always", { judge: judge.judge }))) : null;
  return section(title, [steady, facts(judge), agreement(judge), lengths(judge), models(judge), scores(judge)].filter(Boolean));
}

function facts(judge) {
  const lines = [
    ["judges.judgements", whole(judge.judgements)],
    ["judges.unreadable", whole(judge.unreadable)],
    ["judges.pairs", whole(judge.pairs)],
    ["judges.flips", share(judge.flips)],
    ["judges.first", share(judge.shown_first)],
    ["judges.tokens", figure(judge.tokens, 0)],
    ["judges.cost", judge.cost === null ? t("judges.noprice") : `$${figure(judge.cost)}`],
  ];
  return element("dl", { class: "a-facts-list" }, lines.map(([key, value]) => element("div", {}, element("dt", {}, t(key)), element("dd", {}, value))));
}

const share = (found) => (found.value === null ? "–" : `${percent(found.value)} (${percent(found.low)} – ${percent(found.high)})`);

function agreement(judge) {
  if (!judge.agreement.length) return element("p", { class: "a-note" }, t("judges.nopeople"));
  const rows = judge.agreement.map((row) => [row.area || t("judges.all"), whole(row.raw.n), share(row.raw), interval(row.kappa), interval(row.ac1)]);
  return table(["judges.area", "judges.pairs", "judges.raw", "judges.kappa", "judges.gwet"], rows, t("judges.agreement"));
}

function lengths(judge) {
  const rows = judge.lengths.map((row) => [`≥ ${row.least}`, whole(row.longer), whole(row.tie), whole(row.shorter)]);
  return table(["judges.apart", "judges.longer", "judges.tie", "judges.shorter"], rows, t("judges.lengths"));
}

function models(judge) {
  const level = [...judge.models].sort((a, b) => (b.rating_at_length ?? -Infinity) - (a.rating_at_length ?? -Infinity)).map((each) => each.name);
  const rows = judge.models.map((each, place) => [
    whole(place + 1),
    whole(level.indexOf(each.name) + 1),
    each.name,
    `${whole(each.wins)} / ${whole(each.ties)} / ${whole(each.losses)}`,
    share(each.first_turn),
    share(each.later_turns),
    figure(each.rating, 0),
    figure(each.rating_at_length, 0),
  ]);
  const heads = ["judges.rank", "judges.rank.level", "judges.model", "judges.record", "judges.turn.first", "judges.turn.later", "judges.rating", "judges.rating.level"];
  return table(heads, rows, t("judges.order"));
}

function scores(judge) {
  if (!judge.scores.length) return null;
  const rows = judge.scores.map((row) => [row.name, row.criterion, whole(row.mean.n), interval(row.mean), whole(row.most)]);
  return table(["judges.model", "judges.criterion", "judges.answers", "judges.mean", "judges.most"], rows, t("judges.scores"));
}

// Labellers of prompts against the readings of people, below the judges.
async function measure() {
  const { ok, data } = await call("GET", "/labellers");
  if (ok) at("judges").append(...data.map(measured));
}

function measured(found) {
  const names = found.labellers[0].labels.map((each) => each.label);
  const help = t("judges.labellers.help", { items: whole(found.items), readings: whole(found.readings) });
  return section(t("judges.labellers", { set: found.set }), element("p", { class: "a-note" }, help), summary(found.labellers), found.labellers.filter((each) => each.readings).flatMap((each) => [confusion(each, names), ofLabels(each)]));
}

const called = (each) => (each.labeller === "people" ? t("judges.people") : each.labeller);

function summary(labellers) {
  const rows = labellers.map((each) => [called(each), whole(each.readings), each.readings ? percent(each.same) : "–"]);
  return table(["judges.labeller", "judges.readings", "judges.same"], rows);
}

function confusion(labeller, names) {
  const heads = [...names, t("judges.unlabelled")];
  const rows = labeller.matrix.map((counts, place) => element("tr", {}, element("th", { scope: "row" }, heads[place]), counts.map((count) => element("td", {}, whole(count)))));
  const head = element("thead", {}, element("tr", {}, ["", ...heads].map((name) => element("th", { scope: "col" }, name))));
  return element("div", { class: "a-eval-wide", tabindex: 0, role: "region", "aria-label": called(labeller) }, element("table", {}, captionOf(called(labeller)), head, element("tbody", {}, rows)));
}

function ofLabels(labeller) {
  const rows = labeller.labels.map((each) => [each.label, whole(each.people), whole(each.labeller), whole(each.both)]);
  return table(["judges.label", "judges.by.people", "judges.by.labeller", "judges.by.both"], rows);
}
