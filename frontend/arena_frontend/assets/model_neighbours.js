// Where a model stands: those right above and below it on the whole board, with their intervals on one scale.

import { element } from "./dom.js";
import { ends, placing, rated, track } from "./intervals.js";
import { whole } from "./numbers.js";
import { t } from "./texts.js";

const BESIDE = 2;

export function neighbours(rows, name) {
  const own = rows.find((row) => row.name === name);
  if (!own) return [];
  const group = rated(rows).filter((row) => row.component === own.component).sort((a, b) => a.rank - b.rank || b.bt - a.bt);
  const place = group.findIndex((row) => row.name === name);
  if (place < 0 || group.length < 2) return [];
  const shown = group.slice(Math.max(0, place - BESIDE), place + BESIDE + 1);
  const scale = placing(ends(shown));
  return [
    element(
      "section",
      { class: "a-figure", "aria-labelledby": "model.place" },
      element("h2", { id: "model.place" }, t("model.place", { rank: own.rank, count: group.length })),
      element("ol", { class: "a-intervals a-neighbours" }, shown.map((row) => line(row, name, scale))),
    ),
  ];
}

const line = (row, name, scale) =>
  element(
    "li",
    { "aria-current": row.name === name ? "true" : null },
    element("span", { class: "a-interval-name" }, `${row.rank} `, row.name === name ? element("strong", {}, row.name) : element("a", { href: `/model?name=${encodeURIComponent(row.name)}` }, row.name), " ", element("small", {}, whole(row.bt))),
    track(row, scale),
  );
