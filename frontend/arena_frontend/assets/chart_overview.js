// Models by categories and languages: the rank on each board, stronger in colour the nearer it is to the top.

import { element } from "./dom.js";
import { boardName } from "./leaderboard_filters.js";
import { young } from "./leaderboard_view.js";
import { whole } from "./numbers.js";
import { t } from "./texts.js";

const MOST = 40;

// `boards` are those of single categories and single languages, with their rows.
export function overview(place, rows, boards) {
  if (!boards.length) return place.replaceChildren(element("p", { class: "a-note" }, t("chart.overview.soon")));
  const order = (each) => `${each.category ? 0 : 1}${each.category}${each.language}`;
  const columns = [...boards].sort((a, b) => (order(a) < order(b) ? -1 : 1)).map((board) => ({ board, name: boardName(board), rows: new Map(board.rows.map((row) => [row.name, row])) }));
  const models = [...rows].sort((a, b) => a.component - b.component || a.rank - b.rank).slice(0, MOST);
  const head = columns.map(({ board, name }) => element("th", { scope: "col" }, element("a", { href: address(board) }, name)));
  place.replaceChildren(
    element(
      "div",
      { class: "a-matrix a-overview", tabindex: "0", role: "region", "aria-label": t("chart.overview") },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, t("col.name")), element("th", { scope: "col" }, t("filter.all")), head)),
        element("tbody", {}, models.map((row) => element("tr", {}, element("th", { scope: "row" }, element("bdi", {}, row.name)), cell(row, t("filter.all"), models.length), columns.map((each) => cell(each.rows.get(row.name), each.name, each.rows.size))))),
      ),
    ),
    models.length < rows.length ? element("p", { class: "a-note" }, t("chart.matrix.more", { count: MOST })) : "",
  );
}

const address = ({ category, language }) => `/leaderboard?${new URLSearchParams(Object.entries({ category, language }).filter(([, word]) => word))}`;

function cell(row, name, count) {
  if (!row) return element("td", { class: "a-self" }, "·");
  const made = element("td", {}, String(row.rank), element("span", { class: "a-say" }, ` ${t("chart.overview.item", { board: name, score: row.bt === null ? "–" : whole(row.bt) })}`));
  const height = count > 1 ? 1 - (row.rank - 1) / (count - 1) : 1;
  made.style.background = `color-mix(in srgb, var(--a-heat-a) ${Math.round(Math.max(0, height) * (young(row) ? 25 : 90))}%, var(--a-paper))`;
  return made;
}
