// Charts of a board, made of HTML elements: they follow the theme, wrap, and are accessible to screen readers.

import { element } from "./dom.js";
import { ends, placing, rated, track } from "./intervals.js";
import { groupsOf } from "./leaderboard_table.js";
import { whole } from "./numbers.js";
import { marks } from "./svg.js";
import { t } from "./texts.js";

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
