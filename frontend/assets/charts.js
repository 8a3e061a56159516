// The pictures of one board, made of ordinary elements: they follow the theme, wrap, and can be read aloud.

import { element } from "./dom.js";
import { share, whole } from "./numbers.js";
import { groupsOf } from "./leaderboard_table.js";
import { marks } from "./svg.js";
import { t } from "./texts.js";

const MOST = 20;
const byRank = (rows) => [...rows].sort((a, b) => a.rank - b.rank || b.elo - a.elo);

// One picture per group that never met another, under a head where there are several.
function apart(place, rows, draw) {
  const groups = groupsOf(rows);
  const named = groups.length > 1;
  const scrolled = [...place.querySelectorAll(".a-matrix")].map((each) => each.scrollLeft);
  place.replaceChildren(
    ...groups.flatMap((group, number) => [named ? element("h3", {}, t("board.group", { number: number + 1, count: group.length })) : null, ...draw(group)]).filter(Boolean),
  );
  place.querySelectorAll(".a-matrix").forEach((each, number) => (each.scrollLeft = scrolled[number] ?? 0));
}

// One line per model: the point is its rating, the bar its 95 % interval.
export function intervals(place, rows) {
  apart(place, rows, (group) => {
    const known = group.filter((row) => row.bt !== null).sort((a, b) => b.bt - a.bt);
    if (!known.length) return [];
    const low = Math.min(...known.map((row) => row.bt_low ?? row.bt));
    const high = Math.max(...known.map((row) => row.bt_high ?? row.bt));
    const pad = Math.max(10, (high - low) * 0.05);
    const scale = (value) => `${((value - low + pad) / (high - low + 2 * pad)) * 100}%`;
    return [
      element("ol", { class: "a-intervals" }, known.map((row) => bar(row, scale))),
      element("div", { class: "a-axis", "aria-hidden": "true" }, element("span", {}, marks(low, high).map((value) => tick(value, scale)))),
    ];
  });
}

function bar(row, scale) {
  const [low, high] = [row.bt_low ?? row.bt, row.bt_high ?? row.bt];
  const words = t("chart.intervals.item", { name: row.name, value: whole(row.bt), low: whole(low), high: whole(high) });
  const range = element("i");
  range.style.insetInlineStart = scale(low);
  range.style.width = `calc(${scale(high)} - ${scale(low)})`;
  const point = element("b");
  point.style.insetInlineStart = scale(row.bt);
  return element(
    "li",
    { title: words },
    element("span", { class: "a-interval-name" }, row.name),
    element("span", { class: "a-interval-track", role: "img", "aria-label": words }, range, point),
  );
}

function tick(value, scale) {
  const mark = element("em", {}, whole(value));
  mark.style.insetInlineStart = scale(value);
  return mark;
}

// Rows and columns by rank; a cell is the row's share of the decided battles against the column.
export function matrix(place, rows, pairs) {
  const record = recorded(pairs);
  apart(place, rows, (group) => [
    square(group, t("chart.matrix"), (row, other) => result(row, other, record.get(`${row.name}\n${other.name}`))),
    element("p", { class: "a-legend", "aria-hidden": "true" }, t("chart.matrix.low"), element("i"), t("chart.matrix.high")),
    more(group),
  ]);
}

// The same square with the number of battles of each pair.
export function counts(place, rows, pairs) {
  const record = recorded(pairs);
  const most = Math.max(1, ...pairs.map((pair) => pair.battles));
  apart(place, rows, (group) => [
    square(group, t("chart.counts"), (row, other) => {
      const battles = record.get(`${row.name}\n${other.name}`)?.battles ?? 0;
      const made = element("td", { title: t("chart.counts.item", { a: row.name, b: other.name, battles: whole(battles) }) }, battles ? whole(battles) : "·");
      made.style.background = `color-mix(in srgb, var(--a-a) ${Math.round((battles / most) * 45)}%, var(--a-wash))`;
      return made;
    }),
    more(group),
  ]);
}

const more = (group) => (group.length > MOST ? element("p", { class: "a-note" }, t("chart.matrix.more", { count: MOST })) : null);
const recorded = (pairs) => new Map(pairs.flatMap((pair) => [[`${pair.a}\n${pair.b}`, pair], [`${pair.b}\n${pair.a}`, turned(pair)]]));
const turned = (pair) => ({ ...pair, a_wins: pair.b_wins, b_wins: pair.a_wins, fraction: pair.fraction === null ? null : 1 - pair.fraction });

function square(group, label, cell) {
  const shown = byRank(group).slice(0, MOST);
  const head = shown.map(({ name, rank }, index) => element("th", { scope: "col", title: `${rank} ${name}`, "aria-label": name }, String(index + 1)));
  const body = shown.map((row, index) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", title: row.name }, element("span", {}, String(index + 1)), element("bdi", {}, row.name)),
      shown.map((other) => (other === row ? element("td", { class: "a-self" }) : cell(row, other))),
    ),
  );
  return element(
    "div",
    { class: "a-matrix", tabindex: "0", role: "region", "aria-label": label },
    element("table", {}, element("thead", {}, element("tr", {}, element("td"), head)), element("tbody", {}, body)),
  );
}

function result({ name: a }, { name: b }, pair) {
  if (!pair || pair.fraction === null) return element("td", { title: t("chart.matrix.none", { a, b }) }, "·");
  const values = { a, b, wins: pair.a_wins, losses: pair.b_wins, ties: pair.ties, both_bad: pair.both_bad, battles: pair.battles };
  const made = element("td", { title: t("chart.matrix.item", values) }, share(pair.fraction));
  const lean = pair.fraction - 0.5;
  made.style.background = `color-mix(in srgb, var(--a-${lean < 0 ? "b" : "a"}) ${Math.round(Math.abs(lean) * 110)}%, var(--a-paper))`;
  if (Math.abs(lean) > 0.33) made.className = "a-strong";
  return made;
}
