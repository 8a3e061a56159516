// The table of the leaderboard and the frame around it. Models that never met have no common scale: groups stay apart.

import { at, element, outward } from "./dom.js";
import { cents, percent, plain, tenth, whole } from "./numbers.js";
import { FEW, sorting, view, young } from "./leaderboard_view.js";
import { ownerName, t } from "./texts.js";

const small = (...text) => element("small", {}, ...text);
const range = (low, high) => small(low === high ? String(low) : `${low}–${high}`);
const NONE = Number.NEGATIVE_INFINITY;

// Key, what it sorts by, what the cell shows.
const COLUMNS = [
  ["rank", (row) => row.rank, ({ rank, rank_low: low, rank_high: high }) => [String(rank), low === high ? null : range(low, high)]],
  ["name", (row) => row.name.toLocaleLowerCase(), model],
  ["elo", (row) => row.elo, (row) => [whole(row.elo), small(`± ${tenth(row.order_spread)}`)]],
  ["bt", (row) => row.bt ?? NONE, (row) => strength(row.bt, row.bt_low, row.bt_high)],
  ["style", (row) => row.style?.bt ?? NONE, styled],
  ["ppb", (row) => row.points_per_battle, (row) => [cents(row.points_per_battle), small(plain.format(row.points))]],
  ["win", (row) => row.win_rate, (row) => [percent(row.win_rate), small(percent(row.carena_rate))]],
  ["battles", (row) => row.battles, (row) => [whole(row.battles), small([row.wins, row.draws, row.losses, row.both_bad].map(whole).join(" / "))]],
];
const shown = () => COLUMNS.filter(([key]) => key !== "style" || view.style);

function model(row) {
  const tags = [row.demo ? tag(t("board.demo")) : null, young(row) ? tag(t("board.young"), t("board.young.help", { few: FEW })) : null];
  const page = element("a", { href: `/model?name=${encodeURIComponent(row.name)}` }, row.name);
  const out = outward(row.link, t("board.link"));
  return [element("strong", {}, page, " ", ...tags), small(...[ownerName(row.owner), row.licence, out].filter(Boolean).flatMap((part, place) => (place ? [" · ", part] : [part])))];
}

const tag = (text, title) => element("span", { class: "a-tag", title }, text);

function strength(value, low, high) {
  if (value === null) return ["–"];
  return [whole(value), low === null || high === null ? null : small(`${whole(low)} – ${whole(high)}`)];
}

function styled({ style }) {
  if (!style) return ["–"];
  const move = style.plain_rank - style.rank;
  const sign = move === 0 ? "=" : move > 0 ? `↑${move}` : `↓${-move}`;
  return [whole(style.bt), small(t("col.style.rank", { rank: style.rank, move: sign }))];
}

export function frame() {
  return [
    facts(),
    element("div", { id: "board-tabs", class: "a-tab-groups" }),
    toolbar(),
    element("div", { id: "board-filters", class: "a-filters" }),
    element("p", { id: "board-note", class: "a-young", role: "note", hidden: true }),
    table(),
    element("p", { id: "board-none", class: "a-none", role: "status" }),
    figures(),
    columnsHelp(),
    element("details", { class: "a-help", id: "board-method" }, element("summary", {}, t("how.computed.title")), element("div", { id: "board-how" })),
  ];
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
  const search = { id: "board-search", type: "search", placeholder: t("board.search"), "aria-label": t("board.search"), autocomplete: "off", spellcheck: "false", value: view.q };
  return element(
    "div",
    { class: "a-toolbar" },
    element("input", search),
    element("label", { class: "a-check", id: "board-style", hidden: true }, element("input", { type: "checkbox", "data-filter": "style", checked: view.style === "1" }), ` ${t("board.style")}`),
    element("button", { type: "button", class: "a-link", "data-act": "link" }, t("board.link_here")),
    element("a", { id: "board-csv", href: "/api/v1/leaderboard.csv", download: "leaderboard.csv" }, t("board.csv")),
    element("a", { id: "board-json", href: "/api/v1/leaderboard", target: "_blank" }, t("board.json")),
    element("a", { href: "/api/v1/votes/export", download: "votes.jsonl" }, t("board.log")),
  );
}

function table() {
  return element(
    "div",
    { class: "a-table", id: "board-scroll", tabindex: "0", role: "region", "aria-label": t("board.scroll") },
    element("table", {}, element("caption", { class: "a-say" }, t("board.caption")), element("thead", { id: "board-heads" }), element("tbody", { id: "board-rows" })),
  );
}

const head = ([key]) =>
  element(
    "th",
    { scope: "col", "data-key": key },
    element("button", { type: "button", "data-act": "sort", "data-key": key, title: t(`col.${key}.help`) }, t(`col.${key}`)),
  );

function figures() {
  const figure = (id) =>
    element(
      "figure",
      { class: "a-figure", id: `figure-${id}` },
      element("figcaption", {}, element("h2", {}, t(`chart.${id}`)), element("p", {}, t(`chart.${id}.help`))),
      element("div", { id: `chart-${id}`, class: "a-chart" }),
    );
  return element("div", { class: "a-figures" }, ["intervals", "matrix", "counts", "history", "radar", "orders"].map(figure));
}

function columnsHelp() {
  const lines = COLUMNS.flatMap(([key]) => [element("dt", {}, t(`col.${key}`)), element("dd", {}, t(`col.${key}.help`))]);
  return element("details", { class: "a-help" }, element("summary", {}, t("how.title")), element("dl", {}, lines));
}

// The best places are marked only where the intervals allow no worse one.
const certain = (row) => (row.rank <= 3 && row.rank_high <= 3 && !young(row) ? row.rank : null);

export function paintTable(rows) {
  const { key, down } = sorting();
  const columns = shown();
  const heads = at("board-heads");
  const keys = columns.map(([name]) => name).join();
  if (heads.dataset.keys !== keys) {
    heads.replaceChildren(element("tr", {}, columns.map(head)));
    heads.dataset.keys = keys;
  }
  for (const each of heads.querySelectorAll("th"))
    if (each.dataset.key === key) each.setAttribute("aria-sort", down ? "descending" : "ascending");
    else each.removeAttribute("aria-sort");
  const value = (COLUMNS.find(([name]) => name === key) ?? COLUMNS[0])[1];
  const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const focused = document.activeElement?.closest?.("#board-rows tr")?.dataset.name;
  at("board-rows").replaceChildren(...groupsOf(rows).flatMap((group, place, all) => [
    ...(all.length > 1 ? [groupHead(group, place, columns.length)] : []),
    ...[...group].sort((a, b) => (down ? order(b, a) : order(a, b))).map((row) => line(row, columns)),
  ]));
  if (focused) at("board-rows").querySelector(`tr[data-name="${CSS.escape(focused)}"] a`)?.focus({ preventScroll: true });
}

// Rows by component, the largest first.
export function groupsOf(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.component, [...(found.get(row.component) ?? []), row]);
  return [...found.keys()].sort((a, b) => a - b).map((number) => found.get(number));
}

const groupHead = (group, place, width) =>
  element("tr", { class: "a-group" }, element("th", { colspan: width, scope: "rowgroup", title: t("board.component.help") }, t("board.group", { number: place + 1, count: group.length })));

const line = (row, columns) =>
  element(
    "tr",
    { "data-name": row.name, "data-top": certain(row) },
    columns.map(([name, , cell]) => element(name === "name" ? "th" : "td", { scope: name === "name" ? "row" : null, "data-key": name }, cell(row))),
  );
