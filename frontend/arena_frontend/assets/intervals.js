// A rating with its 95 % interval on a common scale: in the rows of the table, and as a picture of its own.

import { element } from "./dom.js";
import { whole } from "./numbers.js";
import { t } from "./texts.js";

export const rated = (rows) => rows.filter((row) => row.bt !== null);

// Left and right end of the scale for these rows.
export function ends(rows) {
  const known = rated(rows);
  const low = Math.min(...known.map((row) => row.bt_low ?? row.bt));
  const high = Math.max(...known.map((row) => row.bt_high ?? row.bt));
  const pad = Math.max(10, (high - low) * 0.05);
  return { low: low - pad, high: high + pad };
}

// The place of a value, as per cent of the width.
export const placing = ({ low, high }) => (value) => `${((value - low) / (high - low)) * 100}%`;

export function words(row) {
  const [low, high] = [row.bt_low ?? row.bt, row.bt_high ?? row.bt];
  return t("chart.intervals.item", { name: row.name, value: whole(row.bt), low: whole(low), high: whole(high) });
}

export function track(row, scale) {
  const [low, high] = [row.bt_low ?? row.bt, row.bt_high ?? row.bt];
  const range = element("i");
  range.style.insetInlineStart = scale(low);
  range.style.width = `calc(${scale(high)} - ${scale(low)})`;
  const point = element("b");
  point.style.insetInlineStart = scale(row.bt);
  return element("span", { class: "a-interval-track", role: "img", "aria-label": words(row) }, range, point);
}
