// The table of the leaderboard and the frame around it.

import { at, element, outward } from "./dom.js";
import { language, t } from "./texts.js";

const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const cents = new Intl.NumberFormat(language, { maximumFractionDigits: 2, minimumFractionDigits: 2 });
const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1, minimumFractionDigits: 1 });
const small = (text) => element("small", {}, text);

// Key, what it sorts by, what the cell shows. Models that never met have no common scale, so groups stay apart.
const COLUMNS = [
  ["rank", (row) => row.component * 1e6 + row.rank, ({ rank, rank_low: low, rank_high: high }) => [String(rank), low === high ? null : small(`${low}–${high}`)]],
  ["name", (row) => row.name.toLocaleLowerCase(), model],
  ["elo", (row) => row.elo, (row) => [whole.format(row.elo), small(`± ${tenth.format(row.order_spread)}`)]],
  ["bt", (row) => (row.bt ?? -1e6) - row.component * 1e7, strength],
  ["ppb", (row) => row.points_per_battle, (row) => [cents.format(row.points_per_battle)]],
  ["win", (row) => row.win_rate, (row) => [percent.format(row.win_rate)]],
  ["carena", (row) => row.carena_rate, (row) => [percent.format(row.carena_rate)]],
  ["battles", (row) => row.battles, (row) => [whole.format(row.battles)]],
  ["record", (row) => row.wins, (row) => [[row.wins, row.draws, row.losses, row.both_bad].map((n) => whole.format(n)).join(" / ")]],
];

function model({ name, owner, link, demo, component }) {
  const tags = [demo ? tag(t("board.demo")) : null, component ? tag(t("board.component"), t("board.component.help")) : null];
  return [element("strong", {}, outward(link, name) ?? name, " ", ...tags), small(owner)];
}

const tag = (text, title) => element("span", title ? { class: "a-tag", title } : { class: "a-tag" }, text);

function strength({ bt, bt_low: low, bt_high: high }) {
  if (bt === null) return ["–"];
  return [whole.format(bt), low === null || high === null ? null : small(`${whole.format(low)} – ${whole.format(high)}`)];
}

export function frame() {
  return [facts(), toolbar(), table(), element("p", { id: "board-none", class: "a-none", role: "status" }), figures(), columnsHelp()];
}

function facts() {
  const fact = (id, label) => element("span", {}, element("b", { id }), ` ${label}`);
  return element(
    "p",
    { class: "a-facts" },
    fact("board-votes", t("board.votes")),
    fact("board-models", t("board.models")),
    element("span", {}, `${t("board.updated")} `, element("time", { id: "board-updated" })),
    element("span", { id: "board-live", class: "a-live" }),
  );
}

function toolbar() {
  const search = { id: "board-search", type: "search", placeholder: t("board.search"), "aria-label": t("board.search"), autocomplete: "off", spellcheck: "false" };
  return element(
    "div",
    { class: "a-toolbar" },
    element("input", search),
    element("a", { href: "/api/v1/leaderboard.csv", download: "leaderboard.csv" }, t("board.csv")),
    element("a", { href: "/api/v1/leaderboard", target: "_blank" }, t("board.json")),
    element("a", { href: "/api/v1/votes/export", download: "votes.jsonl" }, t("board.log")),
  );
}

function table() {
  const heads = COLUMNS.map(([key]) =>
    element(
      "th",
      { scope: "col", "data-key": key },
      element("button", { type: "button", "data-act": "sort", "data-key": key, title: t(`col.${key}.help`) }, t(`col.${key}`)),
    ),
  );
  return element(
    "div",
    { class: "a-table", id: "board-scroll", tabindex: "0", role: "region", "aria-label": t("board.scroll") },
    element(
      "table",
      {},
      element("caption", { class: "a-say" }, t("board.caption")),
      element("thead", {}, element("tr", {}, heads)),
      element("tbody", { id: "board-rows" }),
    ),
  );
}

function figures() {
  const figure = (id) =>
    element(
      "figure",
      { class: "a-figure" },
      element("figcaption", {}, element("h2", {}, t(`chart.${id}`)), element("p", {}, t(`chart.${id}.help`))),
      element("div", { id: `chart-${id}` }),
    );
  return element("div", { class: "a-figures" }, figure("intervals"), figure("matrix"));
}

function columnsHelp() {
  const lines = COLUMNS.flatMap(([key]) => [element("dt", {}, t(`col.${key}`)), element("dd", {}, t(`col.${key}.help`))]);
  return element("details", { class: "a-help" }, element("summary", {}, t("how.title")), element("dl", {}, lines), element("p", { id: "board-how" }));
}

export function rowsOf(rows, { key, down }) {
  const value = COLUMNS.find(([name]) => name === key)[1];
  const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const sorted = [...rows].sort((a, b) => (down ? order(b, a) : order(a, b)));
  return sorted.map((row) =>
    element(
      "tr",
      { "data-top": row.rank <= 3 ? row.rank : null },
      COLUMNS.map(([name, , cell]) => element(name === "name" ? "th" : "td", { scope: name === "name" ? "row" : null, "data-key": name }, cell(row))),
    ),
  );
}

export function sortMarks({ key, down }) {
  for (const head of at("board-scroll").querySelectorAll("thead th")) {
    if (head.dataset.key === key) head.setAttribute("aria-sort", down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
}
