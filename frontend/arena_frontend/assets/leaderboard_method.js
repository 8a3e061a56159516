// "How is this computed": formulae, parameters, votes left out with reasons, and how to verify the numbers.

import { element } from "./dom.js";
import { date, percent, plain, whole } from "./numbers.js";
import { raw, t } from "./texts.js";

const reason = (word) => raw(`reveal.not.${word}`) ?? word;

export function method(place, { snapshot, log, left_out, boards }, board) {
  const { parameters } = board.snapshot;
  const { elo } = parameters;
  const lines = [
    ["how.elo", { init: plain.format(elo.init), k: plain.format(elo.k), scale: plain.format(elo.scale), base: plain.format(elo.base), orders: whole(elo.orders), seed: board.snapshot.seed }],
    ["how.bt", { prior: plain.format(parameters.prior), level: percent(parameters.level) }],
    ["how.points", {}],
    ["how.rank", {}],
    ["how.category", {}],
  ].map(([key, values]) => element("li", {}, t(key, values)));
  place.replaceChildren(
    element("ul", {}, lines),
    facts([
      ["how.fact.votes", t("how.fact.votes.value", { counted: whole(board.snapshot.votes), log: whole(log) })],
      ["how.fact.left_out", leftOut(left_out)],
      ["how.fact.unlisted", parameters.unlisted?.length ? parameters.unlisted.join(", ") : t("how.none")],
      ["how.fact.boards", whole(boards.length + 1)],
      ["how.fact.labels", topics(board.labels)],
      ["how.fact.snapshot", t("how.fact.snapshot.value", { id: board.snapshot.id, date: date(board.snapshot.created_at), version: snapshot.code_version })],
      ["how.fact.method", board.snapshot.method],
      ["how.fact.digest", element("code", {}, board.snapshot.digest)],
    ]),
    element("p", {}, t("how.check"), " ", element("code", {}, "arena rank verify --from-export votes.jsonl --board leaderboard.json")),
    element("p", {}, element("a", { href: "/api/v1/votes/export", download: "votes.jsonl" }, t("how.export")), " · ", element("a", { href: "/about#ratings" }, t("how.more"))),
  );
}

const facts = (lines) => element("dl", { class: "a-facts-list" }, lines.map(([key, value]) => element("div", {}, element("dt", {}, t(key)), element("dd", {}, value))));

// Snapshots of earlier versions do not say where their topics come from.
function topics(labels) {
  if (!labels) return t("how.none");
  const { set, labeller, version, unlabelled } = labels;
  return t("how.fact.labels.value", { source: `${set}/${labeller}/${version}`, share: percent(unlabelled) });
}

function leftOut(found) {
  const lines = Object.entries(found).sort((a, b) => b[1] - a[1]);
  if (!lines.length) return t("how.none");
  return element("ul", {}, lines.map(([word, count]) => element("li", {}, `${whole(count)} × ${reason(word)}`)));
}

export function coefficients(place, { features, dropped, votes }) {
  place.replaceChildren(
    element("h3", {}, t("how.style.title")),
    element("p", {}, t("how.style.text", { votes: whole(votes) })),
    element("ul", {}, features.map((each) => element("li", {}, t("how.style.item", { name: t(`how.style.${each.name}`), value: signed(each.coefficient), error: plain2(each.error) })))),
    dropped.length ? element("p", {}, t("how.style.dropped", { names: dropped.map((name) => t(`how.style.${name}`)).join(", ") })) : "",
  );
}

const plain2 = (value) => value.toFixed(2);
const signed = (value, digits = 2) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

// How often voters call it a tie, by two models of ties; the one with the smaller loss fits better.
export function tieTable(fits) {
  const heads = ["model", "ties", "parameter", "even", "apart", "loss"].map((name) => t(`how.ties.${name}`));
  return table("ties", heads, fits.map(tieLine));
}

function table(name, heads, lines) {
  const title = t(`how.${name}.title`);
  return element(
    "div",
    { class: `a-${name}` },
    element("h3", {}, title),
    element("p", {}, t(`how.${name}.text`)),
    element(
      "div",
      { class: "a-table", tabindex: "0", role: "region", "aria-label": title },
      element("table", {}, element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))), element("tbody", {}, lines)),
    ),
  );
}

function tieLine(fit) {
  const name = t(fit.both_bad ? "how.ties.with_bad" : "how.ties.without_bad", { model: t(`how.ties.${fit.model}`) });
  const cells = [percent(fit.ties), plain2(fit.parameter), percent(fit.even), percent(fit.apart), fit.loss.toFixed(4)];
  return element("tr", {}, element("th", { scope: "row" }, name), cells.map((cell) => element("td", {}, cell)));
}

// Scores as if all pairs had been drawn alike, beside the usual ones.
export function weightedTable(rows, level) {
  const heads = ["model", "plain", "bt", "interval", "apart"].map((name) => t(`how.weighted.${name}`, { level: percent(level) }));
  return table("weighted", heads, rows.map(weightedLine));
}

function weightedLine({ name, plain: usual, bt, bt_low, bt_high }) {
  const cells = [usual.toFixed(1), bt.toFixed(1), `${bt_low.toFixed(1)} – ${bt_high.toFixed(1)}`, signed(bt - usual, 1)];
  return element("tr", {}, element("th", { scope: "row" }, name), cells.map((cell) => element("td", {}, cell)));
}

// Whether one model beats every other, and how often three of them beat each other in a circle.
export function majorities({ winner, ...counts }) {
  const numbers = Object.fromEntries(["cycles", "triples", "decided", "even", "unmet"].map((name) => [name, whole(counts[name])]));
  return element(
    "div",
    { class: "a-majorities" },
    element("h3", {}, t("how.majorities.title")),
    element("p", {}, winner ? t("how.majorities.winner", { name: winner }) : t("how.majorities.none")),
    element("p", {}, t("how.majorities.cycles", numbers)),
  );
}
