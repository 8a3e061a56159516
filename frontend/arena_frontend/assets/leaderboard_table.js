// The leaderboard's table. Models that are not connected by battles are shown in separate groups; within one, models
// whose intervals overlap that of the first of them form a band.

import { note } from "./column_notes.js";
import { at, element, first } from "./dom.js";
import { ends, placing } from "./intervals.js";
import { COLUMNS, shown } from "./leaderboard_columns.js";
import { sorting, young } from "./leaderboard_view.js";
import { t } from "./texts.js";

export function table() {
  const place = element(
    "div",
    { class: "a-table a-board", id: "board-scroll", tabindex: "0", role: "region", "aria-label": t("board.scroll") },
    element("table", {}, element("caption", { class: "a-say" }, t("board.caption")), element("thead", { id: "board-heads" }), element("tbody", { id: "board-rows" })),
  );
  new ResizeObserver(() => fit(place)).observe(place);
  return place;
}

// A table that has room lets the page scroll, with its head beneath the bar; a wider one scrolls by itself.
function fit(place) {
  const inner = /** @type {HTMLElement} */ (place.firstElementChild);
  place.toggleAttribute("data-wide", inner.scrollWidth > place.clientWidth + 1);
}

/** @param {import("./leaderboard_columns.js").Column} column */
const head = ({ key }) =>
  element("th", { scope: "col", "data-key": key }, element("span", { class: "a-head" }, element("button", { type: "button", "data-act": "sort", "data-key": key }, t(`col.${key}`)), ...note(key)));

// The top ranks are marked only if the intervals allow no worse rank.
const certain = (row) => (row.rank <= 3 && row.rank_high <= 3 && !young(row) ? row.rank : null);

// `rows` are shown; bands are those of `all`, which a search does not change.
export function paintTable(rows, all) {
  const { key, down } = sorting();
  const columns = shown(all);
  heads(columns, key, down);
  const value = (COLUMNS.find((column) => column.key === key) ?? COLUMNS[0]).sorts;
  const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const look = { columns, scale: placing(ends(all)), bands: key === "rank" ? bands(all) : new Map() };
  /** @type {HTMLElement | null} */
  const held = document.activeElement?.closest("#board-rows tr");
  const focused = held?.dataset.name;
  at("board-rows").replaceChildren(
    ...groupsOf(rows).flatMap((group, place, every) => [
      ...(every.length > 1 ? [groupHead(group, place, columns.length)] : []),
      ...[...group].sort((a, b) => (down ? order(b, a) : order(a, b))).map((row) => line(row, look)),
    ]),
  );
  if (focused) first(`tr[data-name="${CSS.escape(focused)}"] a`, at("board-rows"))?.focus({ preventScroll: true });
  fit(at("board-scroll"));
}

function heads(columns, key, down) {
  const place = at("board-heads");
  const keys = columns.map((column) => column.key).join();
  if (place.dataset.keys !== keys) {
    place.replaceChildren(element("tr", {}, columns.map(head)));
    place.dataset.keys = keys;
  }
  for (const each of place.querySelectorAll("th"))
    if (each.dataset.key === key) each.setAttribute("aria-sort", down ? "descending" : "ascending");
    else each.removeAttribute("aria-sort");
}

// Rows by component, the largest first.
export function groupsOf(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.component, [...(found.get(row.component) ?? []), row]);
  return [...found.keys()].sort((a, b) => a - b).map((number) => found.get(number));
}

// The number of the band of each model: a new one begins where an interval ends below that of the band's first model.
export function bands(rows) {
  const found = new Map();
  for (const group of groupsOf(rows)) {
    let [number, bound] = [0, Infinity];
    for (const row of [...group].sort((a, b) => a.rank - b.rank || (b.bt ?? 0) - (a.bt ?? 0))) {
      const top = row.bt_high ?? row.bt ?? -Infinity;
      if (top < bound) [number, bound] = [number + 1, row.bt_low ?? row.bt ?? -Infinity];
      found.set(row.name, number);
    }
  }
  return found;
}

const groupHead = (group, place, width) =>
  element("tr", { class: "a-group" }, element("th", { colspan: width, scope: "rowgroup" },
    element("span", {}, t("board.group", { number: place + 1, count: group.length }), " ", element("small", {}, t("board.component.help")))));

const line = (row, { columns, scale, bands: found }) =>
  element(
    "tr",
    { "data-name": row.name, "data-top": certain(row), "data-band": found.get(row.name) ? (found.get(row.name) % 2 ? "odd" : "even") : null },
    columns.map(({ key, shows }) => element(key === "name" ? "th" : "td", { scope: key === "name" ? "row" : null, "data-key": key }, shows(row, scale))),
  );
