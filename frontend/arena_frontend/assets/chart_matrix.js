// Who beats whom and how often each pair met: tables over the whole width, with names as heads.

import { apart } from "./charts.js";
import { element } from "./dom.js";
import { share, whole } from "./numbers.js";
import { t } from "./texts.js";

const MOST = 20;
const FAINT = 0.25;
const byRank = (rows) => [...rows].sort((a, b) => a.rank - b.rank || b.elo - a.elo);
const recorded = (pairs) => new Map(pairs.flatMap((pair) => [[`${pair.a}\n${pair.b}`, pair], [`${pair.b}\n${pair.a}`, turned(pair)]]));
const turned = (pair) => ({ ...pair, a_wins: pair.b_wins, b_wins: pair.a_wins, fraction: pair.fraction === null ? null : 1 - pair.fraction });
const most = (pairs) => Math.max(1, ...pairs.map((pair) => pair.battles));

// Rows and columns by rank; a cell is the row's share of wins among decided battles against the column, fainter the
// fewer the battles.
export function matrix(place, rows, pairs) {
  const record = recorded(pairs);
  const top = most(pairs);
  apart(place, rows, (group) => [
    square(group, t("chart.matrix"), (row, other) => result(row, other, record.get(`${row.name}\n${other.name}`), top)),
    element("p", { class: "a-legend", "aria-hidden": "true" }, t("chart.matrix.low"), element("i"), t("chart.matrix.high")),
    more(group),
  ]);
}

// The same matrix with the number of battles of each pair.
export function counts(place, rows, pairs) {
  const record = recorded(pairs);
  const top = most(pairs);
  apart(place, rows, (group) => [
    square(group, t("chart.counts"), (row, other) => {
      const battles = record.get(`${row.name}\n${other.name}`)?.battles ?? 0;
      const made = element("td", { title: t("chart.counts.item", { a: row.name, b: other.name, battles: whole(battles) }) }, battles ? whole(battles) : "·");
      return heat(made, "a", battles / top);
    }),
    more(group),
  ]);
}

const more = (group) => (group.length > MOST ? element("p", { class: "a-note" }, t("chart.matrix.more", { count: MOST })) : null);

function square(group, label, cell) {
  const shown = byRank(group).slice(0, MOST);
  const head = shown.map(({ name }) => element("th", { scope: "col" }, element("bdi", {}, name)));
  const body = shown.map((row) =>
    element("tr", {}, element("th", { scope: "row" }, element("bdi", {}, row.name)), shown.map((other) => (other === row ? element("td", { class: "a-self" }) : cell(row, other)))),
  );
  return element(
    "div",
    { class: "a-matrix", tabindex: "0", role: "region", "aria-label": label },
    element("table", {}, element("thead", {}, element("tr", {}, element("td"), head)), element("tbody", {}, body)),
  );
}

function result({ name: a }, { name: b }, pair, top) {
  if (!pair || pair.fraction === null) return element("td", { title: t("chart.matrix.none", { a, b }) }, "·");
  const values = { a, b, wins: pair.a_wins, losses: pair.b_wins, ties: pair.ties, both_bad: pair.both_bad, battles: pair.battles };
  const lean = pair.fraction - 0.5;
  const firm = FAINT + (1 - FAINT) * Math.sqrt(pair.battles / top);
  return heat(element("td", { title: t("chart.matrix.item", values) }, share(pair.fraction)), lean < 0 ? "b" : "a", Math.min(1, Math.abs(lean) * 2.4) * firm);
}

// The warmest colour still lets the text be read, in both themes.
function heat(cell, side, part) {
  cell.style.background = `color-mix(in srgb, var(--a-heat-${side}) ${Math.round(part * 100)}%, var(--a-paper))`;
  return cell;
}
