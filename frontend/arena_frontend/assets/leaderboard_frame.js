// What stands around the leaderboard's table: facts, search, the tabs of table and pictures, downloads.

import { element } from "./dom.js";
import { PICTURES } from "./leaderboard_pictures.js";
import { table } from "./leaderboard_table.js";
import { view } from "./leaderboard_view.js";
import { t } from "./texts.js";

export const frame = () => [
  facts(),
  element("div", { id: "board-tabs", class: "a-tab-groups" }),
  element("div", { class: "a-toolbar" }, search(), element("div", { id: "board-filters", class: "a-filters" })),
  element("p", { id: "board-preliminary", class: "a-young", role: "note", hidden: true }),
  element("p", { id: "board-note", class: "a-young", role: "note", hidden: true }),
  views(),
  element("div", { id: "panel-table", role: "tabpanel", "aria-labelledby": "tab-table" }, table()),
  ...PICTURES.map(panel),
  element("p", { id: "board-none", class: "a-none", role: "status" }),
  element("p", { id: "board-hidden", class: "a-none", hidden: true }, element("span"), " ", element("button", { type: "button", class: "a-link", "data-act": "show_young" }, t("board.hidden.show"))),
  downloads(),
  element("details", { class: "a-help", id: "board-method" }, element("summary", {}, t("how.computed.title")), element("div", { id: "board-how" })),
];

function facts() {
  const fact = (id, label) => element("span", {}, element("b", { id }), " ", element("span", { id: `${id}-word` }, label));
  return element(
    "p",
    { class: "a-facts" },
    fact("board-votes", t("board.votes")),
    fact("board-models", t("board.models")),
    element("span", {}, `${t("board.updated")} `, element("time", { id: "board-updated" })),
    element("span", { id: "board-live", class: "a-live" }),
  );
}

const search = () =>
  element("input", { id: "board-search", type: "search", placeholder: t("board.search"), "aria-label": t("board.search"), autocomplete: "off", spellcheck: "false", value: view.q });

const tick = (id, name, text) =>
  element("label", { class: "a-check", id }, element("input", { type: "checkbox", "data-filter": name, checked: view[name] === "1" }), ` ${text}`);

const tab = (name) =>
  element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "data-act": "picture", "data-picture": name }, t(`chart.tab.${name}`));

const views = () =>
  element(
    "div",
    { class: "a-views" },
    element("div", { role: "tablist", id: "board-views", "aria-label": t("chart.tabs") }, ["table", ...PICTURES].map(tab)),
    element("div", { class: "a-columns", id: "board-columns" }, tick("board-more", "more", t("board.more")), tick("board-style", "style", t("board.style"))),
  );

const panel = (name) =>
  element(
    "figure",
    { class: "a-figure", id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, hidden: true },
    element("figcaption", {}, element("h2", {}, t(`chart.${name}`)), element("p", {}, t(`chart.${name}.help`))),
    element("div", { id: `chart-${name}`, class: "a-chart" }),
  );

const downloads = () =>
  element(
    "p",
    { class: "a-downloads" },
    element("button", { type: "button", class: "a-link", "data-act": "link" }, t("board.link_here")),
    element("a", { id: "board-csv", href: "/api/v1/leaderboard.csv", download: "leaderboard.csv" }, t("board.csv")),
    element("a", { id: "board-json", href: "/api/v1/leaderboard", target: "_blank" }, t("board.json")),
    element("a", { href: "/api/v1/votes/export", download: "votes.jsonl" }, t("board.log")),
  );
