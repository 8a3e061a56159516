// The pictures of a board, as tabs beside its table. Only the chosen one is drawn, and its data fetched when it is first
// chosen and then with every snapshot.

import { call } from "./api.js";
import { history as course } from "./chart_history.js";
import { counts, matrix } from "./chart_matrix.js";
import { orders } from "./chart_orders.js";
import { overview } from "./chart_overview.js";
import { AGAINST, scatter } from "./chart_scatter.js";
import { intervals } from "./charts.js";
import { all, at, element, first } from "./dom.js";
import { asked, change, view } from "./leaderboard_view.js";
import { t } from "./texts.js";

export const PICTURES = ["intervals", "matrix", "counts", "history", "orders", "overview", "scatter"];

/** @typedef {{ board: any, rows: any[], names: string[] }} Shown the board, and its shown rows and their names by rank */

export async function get(path) {
  const answer = await call("GET", path);
  return answer.ok ? answer.data : null;
}

// Fetches a table if the board lists it; requesting a missing one would log an error in the console.
export const beside = async (board, name) => (board.beside.includes(name) ? get(`/leaderboard/${name}`) : null);

async function single(board) {
  const found = await Promise.all(board.boards.filter((each) => !each.category !== !each.language).map((each) => get(`/leaderboard${asked(each)}`)));
  return found.filter(Boolean);
}

const loads = { history: () => get("/leaderboard/history"), orders: (board) => beside(board, "orders"), overview: single };
const data = {};
let last = "table";

/** @type {Record<string, (place: HTMLElement, shown: Shown) => void>} */
const draws = {
  intervals: (place, { rows }) => intervals(place, rows),
  matrix: (place, { rows, board }) => matrix(place, rows, board.pairs),
  counts: (place, { rows, board }) => counts(place, rows, board.pairs),
  history: (place, { names }) => course(place, data.history.found, names),
  orders: (place, { names }) => orders(place, data.orders.found, names),
  overview: (place, { rows }) => overview(place, rows, data.overview.found),
  scatter: drawScatter,
};

function drawScatter(place, shown) {
  const against = view.against in AGAINST ? view.against : "price";
  scatter(place, shown.rows, against, (other) => {
    change({ against: other });
    drawScatter(place, shown);
    first("[aria-pressed=true]", place).focus();
  });
}

export const current = () => (PICTURES.includes(view.picture) ? view.picture : "table");

// Shows the chosen tab; without a row there is nothing to draw, so no empty frame is shown.
export function paintPicture(shown) {
  const name = current();
  for (const tab of all("#board-views [role=tab]")) {
    const chosen = tab.dataset.picture === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    at(`panel-${tab.dataset.picture}`).hidden = !chosen || !shown.rows.length;
  }
  if (name !== last) at(`tab-${name}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  last = name;
  at("board-columns").hidden = name !== "table";
  if (name !== "table" && shown.rows.length) draw(name, shown);
}

async function draw(name, shown) {
  const place = at(`chart-${name}`);
  if (name in loads && data[name]?.board !== shown.board) {
    const found = await loads[name](shown.board);
    data[name] = { board: shown.board, found: found ?? data[name]?.found };
    if (current() !== name) return;
  }
  if (name in loads && !data[name].found) place.replaceChildren(element("p", { class: "a-note" }, t("chart.none")));
  else draws[name](place, shown);
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

// The arrow keys move between tabs, as in every list of tabs.
export function arrows(choose) {
  at("board-views").addEventListener("keydown", (event) => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    const tabs = ["table", ...PICTURES];
    const next = tabs[Math.max(0, Math.min(tabs.length - 1, tabs.indexOf(current()) + STEPS[event.key]))];
    choose(next);
    first(`#tab-${next}`).focus();
  });
}
