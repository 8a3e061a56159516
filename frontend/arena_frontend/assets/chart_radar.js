// Radar chart of ratings by category, for the best-ranked of the shown models.

import { element } from "./dom.js";
import { whole } from "./numbers.js";
import { legend } from "./chart_history.js";
import { boardName } from "./leaderboard_filters.js";
import { canvas, marks, svg, title } from "./svg.js";
import { t } from "./texts.js";

const MOST = 5;
const SPOKES = 3;
const [WIDTH, HEIGHT, RADIUS] = [560, 400, 142];
const [X, Y] = [WIDTH / 2, HEIGHT / 2];

// `boards` are the boards of single categories with their rows.
export function radar(place, boards, names) {
  if (boards.length < SPOKES) return place.replaceChildren(element("p", { class: "a-note" }, t("chart.radar.soon", { count: SPOKES })));
  const wheel = boards.map(({ category, rows }) => ({ category, ratings: new Map(rows.filter((row) => row.bt !== null && row.component === 0).map((row) => [row.name, row.bt])) }));
  const shown = names.filter((name) => wheel.some(({ ratings }) => ratings.has(name))).slice(0, MOST);
  const values = shown.flatMap((name) => wheel.map(({ ratings }) => ratings.get(name))).filter((value) => value !== undefined);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const pad = Math.max(20, (high - low) * 0.15);
  const out = (value) => ((value - low + pad) / (high - low + 2 * pad)) * RADIUS;
  /** @type {(index: number, distance: number) => [number, number]} */
  const at = (index, distance) => {
    const angle = (index / wheel.length) * 2 * Math.PI - Math.PI / 2;
    return [X + Math.cos(angle) * distance, Y + Math.sin(angle) * distance];
  };
  place.replaceChildren(
    canvas(
      WIDTH,
      HEIGHT,
      t("chart.radar"),
      marks(low - pad, high + pad, 4).map((value) => ring(value, out(value))),
      wheel.map(({ category }, index) => spoke(category, at(index, RADIUS), at(index, RADIUS + 16))),
      shown.map((name, number) => star(name, number, wheel, at, out)),
    ),
    legend(shown),
  );
}

const ring = (value, radius) =>
  radius <= 0 ? null : svg("g", {}, svg("circle", { class: "a-grid", cx: X, cy: Y, r: radius }), svg("text", { class: "a-mark-text", x: X + 4, y: Y - radius - 2 }, whole(value)));

function spoke(category, [x, y], [labelX, labelY]) {
  const anchor = Math.abs(labelX - X) < 12 ? "middle" : labelX > X ? "start" : "end";
  return svg("g", {}, svg("line", { class: "a-grid", x1: X, y1: Y, x2: x, y2: y }), svg("text", { class: "a-spoke", x: labelX, y: labelY + 4, "text-anchor": anchor }, boardName({ category })));
}

// A category without the model leaves a gap in its polygon.
function star(name, number, wheel, at, out) {
  const points = wheel.map(({ ratings }, index) => (ratings.has(name) ? at(index, out(ratings.get(name))) : null));
  const known = points.filter(Boolean);
  const words = wheel.filter(({ ratings }) => ratings.has(name)).map(({ category, ratings }) => `${boardName({ category })} ${whole(ratings.get(name))}`);
  const whole_ = known.length === points.length;
  return svg(
    "g",
    { class: "a-line", "data-colour": number % 8 },
    title(`${name}: ${words.join(", ")}`),
    svg(whole_ ? "polygon" : "g", whole_ ? { points: known.map((point) => point.join()).join(" "), class: "a-star" } : {}),
    points.map((point, index) => {
      const next = points[(index + 1) % points.length];
      return !whole_ && point && next ? svg("line", { x1: point[0], y1: point[1], x2: next[0], y2: next[1] }) : null;
    }),
    known.map(([x, y]) => svg("circle", { cx: x, cy: y, r: 3 })),
  );
}
