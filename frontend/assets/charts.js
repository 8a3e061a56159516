// The two pictures of the leaderboard, made of ordinary elements: they follow the theme, wrap, and can be read aloud.

import { element } from "./dom.js";
import { language, t } from "./texts.js";

const MOST = 20;
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const share = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });

// One line per model: the point is its rating, the bar its 95 % interval.
export function intervals(place, rows) {
  const known = rows.filter((row) => row.bt !== null).sort((a, b) => b.bt - a.bt);
  if (!known.length) return place.replaceChildren();
  const low = Math.min(...known.map((row) => row.bt_low ?? row.bt));
  const high = Math.max(...known.map((row) => row.bt_high ?? row.bt));
  const pad = Math.max(10, (high - low) * 0.05);
  const scale = (value) => `${((value - low + pad) / (high - low + 2 * pad)) * 100}%`;
  const ticks = steps(low, high).map((value) => tick(value, scale));
  place.replaceChildren(
    element("ol", { class: "a-intervals" }, known.map((row) => bar(row, scale))),
    element("div", { class: "a-axis", "aria-hidden": "true" }, element("span", {}, ticks)),
  );
}

function bar(row, scale) {
  const [low, high] = [row.bt_low ?? row.bt, row.bt_high ?? row.bt];
  const words = t("chart.intervals.item", { name: row.name, value: whole.format(row.bt), low: whole.format(low), high: whole.format(high) });
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

function steps(low, high) {
  const size = [10, 20, 50, 100, 200, 500, 1000].find((step) => (high - low) / step <= 6) ?? 2000;
  const first = Math.ceil(low / size) * size;
  return Array.from({ length: Math.floor((high - first) / size) + 1 }, (_, index) => first + index * size);
}

function tick(value, scale) {
  const mark = element("em", {}, whole.format(value));
  mark.style.insetInlineStart = scale(value);
  return mark;
}

// Rows and columns by rank; a cell is the row's share of the decided battles against the column.
export function matrix(place, { rows, pairs }) {
  const shown = [...rows].sort((a, b) => a.rank - b.rank || b.elo - a.elo).slice(0, MOST);
  const record = new Map(pairs.flatMap((pair) => [[`${pair.a}\n${pair.b}`, pair], [`${pair.b}\n${pair.a}`, turned(pair)]]));
  const head = shown.map(({ name }, index) => element("th", { scope: "col", title: name }, String(index + 1)));
  const body = shown.map((row, index) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("span", {}, String(index + 1)), ` ${row.name}`),
      shown.map((other) => (other === row ? element("td", { class: "a-self" }) : cell(row, other, record.get(`${row.name}\n${other.name}`)))),
    ),
  );
  place.replaceChildren(
    element(
      "div",
      { class: "a-matrix", tabindex: "0", role: "region", "aria-label": t("chart.matrix") },
      element("table", {}, element("thead", {}, element("tr", {}, element("td"), head)), element("tbody", {}, body)),
    ),
    element("p", { class: "a-legend", "aria-hidden": "true" }, t("chart.matrix.low"), element("i"), t("chart.matrix.high")),
    rows.length > MOST ? element("p", { class: "a-note" }, t("chart.matrix.more", { count: MOST })) : "",
  );
}

const turned = (pair) => ({ ...pair, a_wins: pair.b_wins, b_wins: pair.a_wins, fraction: pair.fraction === null ? null : 1 - pair.fraction });

function cell({ name: a }, { name: b }, pair) {
  if (!pair || pair.fraction === null) return element("td", { title: t("chart.matrix.none", { a, b }) }, "·");
  const values = { a, b, wins: pair.a_wins, losses: pair.b_wins, ties: pair.ties, both_bad: pair.both_bad, battles: pair.battles };
  const made = element("td", { title: t("chart.matrix.item", values) }, share.format(pair.fraction));
  const lean = pair.fraction - 0.5;
  made.style.background = `color-mix(in srgb, var(--a-${lean < 0 ? "b" : "a"}) ${Math.round(Math.abs(lean) * 110)}%, var(--a-paper))`;
  if (Math.abs(lean) > 0.33) made.className = "a-strong";
  return made;
}
