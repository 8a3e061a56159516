// Charts of a board, made of HTML elements: they follow the theme, wrap, and are accessible to screen readers.

import { element } from "./dom.js";
import { ends, placing, rated, track } from "./intervals.js";
import { whole } from "./numbers.js";
import { t } from "./texts.js";

// Rows by component, the largest first.
function groupsOf(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.component, [...(found.get(row.component) ?? []), row]);
  return [...found.keys()].sort((a, b) => a - b).map((number) => found.get(number));
}

// About `count` round tick values between two values.
function marks(low, high, count = 5) {
  const rough = Math.max((high - low) / count, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step + 1e-9) + 1 }, (_, place) => first + place * step);
}

// A chart per connected component of models, with headings if there are several.
export function apart(place, rows, draw) {
  const groups = groupsOf(rows);
  const named = groups.length > 1;
  const scrolled = [...place.querySelectorAll(".a-matrix")].map((each) => each.scrollLeft);
  place.replaceChildren(
    ...groups.flatMap((group, number) => [named ? element("h3", {}, t("board.group", { number: number + 1, count: group.length })) : null, ...draw(group)]).filter(Boolean),
  );
  place.querySelectorAll(".a-matrix").forEach((each, number) => (each.scrollLeft = scrolled[number] ?? 0));
}

// A line per model: the point is its rating, the bar its 95 % interval.
export function intervals(place, rows) {
  apart(place, rows, (group) => {
    const known = rated(group).sort((a, b) => b.bt - a.bt);
    if (!known.length) return [];
    const bounds = ends(known);
    const scale = placing(bounds);
    return [
      element("ol", { class: "a-intervals" }, known.map((row) => element("li", {}, element("span", { class: "a-interval-name" }, row.name), track(row, scale)))),
      element("div", { class: "a-axis", "aria-hidden": "true" }, element("span", {}, marks(bounds.low, bounds.high).map((value) => tick(value, scale)))),
    ];
  });
}

function tick(value, scale) {
  const mark = element("em", {}, whole(value));
  mark.style.insetInlineStart = scale(value);
  return mark;
}
