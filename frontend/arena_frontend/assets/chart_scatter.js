// Score against price or size: a point per model whose owner has told the figure, on a logarithmic scale.

import { element } from "./dom.js";
import { rated } from "./intervals.js";
import { billions, dollars, price } from "./leaderboard_facts.js";
import { plain, whole } from "./numbers.js";
import { colour } from "./owner_badge.js";
import { canvas, levels, marks, scale, svg, title } from "./svg.js";
import { t } from "./texts.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 420, 52, 20, 16, 44];
const LINE = 14;
const LETTER = 6.6;

/** @type {Record<string, { of: (row: any) => number | null, text: (value: number) => string }>} */
export const AGAINST = { price: { of: price, text: dollars }, size: { of: billions, text: (value) => `${plain.format(value)}B` } };

// `against` is one of AGAINST; `choose` is called with the other when the reader wants it.
export function scatter(place, rows, against, choose) {
  const { of, text } = AGAINST[against];
  const points = rated(rows).map((row) => ({ row, at: of(row) })).filter(({ at }) => at !== null && at > 0);
  const missing = rows.length - points.length;
  place.replaceChildren(
    element("p", { class: "a-choices", role: "group", "aria-label": t("chart.scatter") }, Object.keys(AGAINST).map((name) => choice(name, against, choose))),
    points.length ? picture(points, text, t(`chart.scatter.${against}`)) : element("p", { class: "a-note" }, t("chart.scatter.none")),
    points.length && missing ? element("p", { class: "a-note" }, t("chart.scatter.missing", { count: missing })) : "",
  );
}

function choice(name, current, choose) {
  const made = element("button", { type: "button", class: "a-choice", "aria-pressed": String(name === current) }, t(`chart.scatter.${name}`));
  made.addEventListener("click", () => choose(name));
  return made;
}

function picture(points, text, label) {
  const [left, right] = bounds(points.map(({ at }) => Math.log10(at)), 0.08, 0.15);
  const [low, high] = bounds(points.flatMap(({ row }) => [row.bt_low ?? row.bt, row.bt_high ?? row.bt]), 0.06, 10);
  const x = scale(left, right, LEFT, WIDTH - RIGHT);
  const y = scale(low, high, HEIGHT - BOTTOM, TOP);
  const taken = [];
  return canvas(
    WIDTH,
    HEIGHT,
    t("chart.scatter"),
    levels(marks(low, high), y, LEFT, WIDTH - RIGHT),
    decades(left, right).map((value) => tick(value, x(Math.log10(value)), text)),
    svg("text", { class: "a-mark-text", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, label),
    [...points].sort((a, b) => b.row.bt - a.row.bt).map(({ row, at }) => point(row, x(Math.log10(at)), y, `${row.name}: ${whole(row.bt)}, ${text(at)}`, taken)),
  );
}

function bounds(values, part, least) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const pad = Math.max(least, (high - low) * part);
  return [low - pad, high + pad];
}

// 1, 2 and 5 of each power of ten within the bounds.
const decades = (left, right) =>
  Array.from({ length: Math.ceil(right) - Math.floor(left) + 1 }, (_, place) => Math.floor(left) + place)
    .flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power))
    .filter((value) => Math.log10(value) >= left && Math.log10(value) <= right);

const tick = (value, x, text) =>
  svg("g", {}, svg("line", { class: "a-grid", x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }), svg("text", { class: "a-mark-text", x, y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, text(value)));

function point(row, x, y, words, taken) {
  const middle = y(row.bt);
  const name = named(row.name, x, middle, taken);
  return svg(
    "g",
    { class: "a-line", "data-colour": colour(row.owner) },
    title(words),
    row.bt_low === null || row.bt_high === null ? null : svg("line", { x1: x, x2: x, y1: y(row.bt_low), y2: y(row.bt_high), class: "a-whisker" }),
    svg("circle", { cx: x, cy: middle, r: 5 }),
    name,
  );
}

// A name only where it covers no other: beside its point, or on the other side where the picture ends.
function named(name, x, y, taken) {
  const wide = name.length * LETTER;
  const turned = x + 9 + wide > WIDTH - RIGHT;
  const box = { left: turned ? x - 9 - wide : x - 5, right: turned ? x + 5 : x + 9 + wide, top: y - LINE / 2, bottom: y + LINE / 2 };
  if (taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) return null;
  taken.push(box);
  return svg("text", { class: "a-mark-text", x: turned ? x - 9 : x + 9, y: y + 4, "text-anchor": turned ? "end" : "start" }, name);
}
