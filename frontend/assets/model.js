// The page of one model: who it is, how it stands by category, against whom, over time, and how often it failed.

import { call } from "./api.js";
import { history as course } from "./chart_history.js";
import { radar } from "./chart_radar.js";
import { at, element, outward } from "./dom.js";
import { boardName } from "./leaderboard_filters.js";
import { cents, day, percent, tenth, whole } from "./numbers.js";
import { on, present } from "./shell.js";
import { language, ownerName, problemText, t } from "./texts.js";

const name = new URL(location.href).searchParams.get("name") ?? "";

export async function attach() {
  await present("model");
  on("reload", load);
  await load();
}

async function load() {
  if (!name) return trouble({ code: "model_not_found" });
  const answer = await call("GET", `/models/${name.split("/").map(encodeURIComponent).join("/")}`);
  at("model").removeAttribute("aria-busy");
  if (!answer.ok) return trouble(answer.problem);
  document.title = `${name} – ${t("brand")}`;
  paint(answer.data);
  // Who is on no board yet has no history either; asking all the same would leave a fault in a young board's console.
  if (!answer.data.standings.length) return;
  const past = await call("GET", "/leaderboard/history");
  if (past.ok) course(at("chart-history"), past.data, [name]);
}

function trouble(problem) {
  const unknown = problem.code === "model_not_found";
  const action = unknown
    ? element("a", { class: "a-button", href: "/leaderboard" }, t("model.back"))
    : element("button", { class: "a-button", type: "button", "data-act": "reload" }, t("board.retry"));
  const text = unknown ? t("model.unknown") : problem.code === "network" ? t("notice.network") : problemText(problem);
  at("model").replaceChildren(element("div", { class: "a-empty" }, element("h1", {}, name || t("nav.model")), element("p", {}, text), action));
}

function paint(model) {
  const standing = model.standings.find((each) => !each.category && !each.language)?.row;
  at("model").replaceChildren(
    ...[
      element("p", { class: "a-crumb" }, element("a", { href: "/leaderboard" }, `← ${t("nav.leaderboard")}`)),
      element("div", { class: "a-page-head" }, element("h1", {}, model.name, model.demo ? element("span", { class: "a-tag" }, t("board.demo")) : ""), about(model)),
      facts(model, standing),
      standing ? null : element("p", { class: "a-young", role: "note" }, t("model.unrated")),
      element("div", { class: "a-figures" }, boards(model), opponents(model), figure("history"), wheel(model)),
    ].filter(Boolean),
  );
  const categories = model.standings.filter((each) => each.category && !each.language).map(({ category, row }) => ({ category, rows: [row] }));
  if (at("chart-radar")) radar(at("chart-radar"), categories, [model.name]);
}

const figure = (id) =>
  element(
    "figure",
    { class: "a-figure" },
    element("figcaption", {}, element("h2", {}, t(`chart.${id}`)), element("p", {}, t(`model.${id}.help`))),
    element("div", { id: `chart-${id}`, class: "a-chart" }, element("p", { class: "a-note" }, t("chart.history.soon"))),
  );

const wheel = (model) => (model.standings.filter((each) => each.category && !each.language).length > 2 ? figure("radar") : null);

const about = (model) => element("p", {}, (language.startsWith("zh") ? model.description_zh : model.description_en) ?? model.description_en ?? model.description_zh ?? t("model.undescribed"));

function facts(model, standing) {
  const lines = [
    ["model.owner", ownerName(model.owner)],
    ["model.licence", model.licence ?? t("model.unknown_fact")],
    ["model.state", t(`model.state.${model.state}`)],
    ["model.joined", day(model.joined_at)],
    model.billions ? ["model.size", t("model.billions", { count: model.billions.toLocaleString(language) })] : null,
    standing ? ["col.rank", standing.rank_low === standing.rank_high ? String(standing.rank) : `${standing.rank} (${standing.rank_low}–${standing.rank_high})`] : null,
    standing?.bt ? ["col.bt", `${whole(standing.bt)} (${whole(standing.bt_low)}–${whole(standing.bt_high)})`] : null,
    standing ? ["col.elo", `${whole(standing.elo)} ± ${tenth(standing.order_spread)}`] : null,
    standing ? ["col.win", percent(standing.win_rate)] : null,
    ["model.errors", model.answered ? t("model.errors.value", { rate: percent(model.failed / model.answered), failed: whole(model.failed), answered: whole(model.answered) }) : t("model.unanswered")],
  ].filter(Boolean);
  const chat = model.state === "active" ? element("a", { href: `/direct?${new URLSearchParams({ model: model.name })}` }, t("model.chat")) : null;
  const links = [chat, outward(model.link, t("model.link"))].filter(Boolean).map((link) => element("p", { class: "a-model-link" }, link));
  return element("div", {}, element("dl", { class: "a-facts-list a-model-facts" }, lines.map(([key, value]) => element("div", {}, element("dt", {}, t(key)), element("dd", {}, value)))), links);
}

const sheet = (id, heads, rows, empty) =>
  element(
    "section",
    { class: "a-figure", "aria-labelledby": id },
    element("h2", { id }, t(id)),
    rows.length
      ? element("div", { class: "a-table a-plain-table", tabindex: "0", role: "region", "aria-label": t(id) }, element("table", {}, element("thead", {}, element("tr", {}, heads.map((key) => element("th", { scope: "col" }, t(key))))), element("tbody", {}, rows)))
      : element("p", { class: "a-note" }, empty),
  );

function boards(model) {
  const order = (each) => `${each.category ? 2 : each.language ? 1 : 0}${each.category}${each.language}`;
  const rows = model.standings
    .filter((each) => !each.category || !each.language)
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(({ category, language: code, row }) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, element("a", { href: `/leaderboard?${new URLSearchParams(Object.entries({ category, language: code }).filter(([, word]) => word))}` }, boardName({ category, language: code }))),
        [row.rank_low === row.rank_high ? String(row.rank) : `${row.rank} (${row.rank_low}–${row.rank_high})`, row.bt === null ? "–" : whole(row.bt), whole(row.elo), cents(row.points_per_battle), whole(row.battles)].map((text) => element("td", {}, text)),
      ),
    );
  return sheet("model.boards", ["model.board", "col.rank", "col.bt", "col.elo", "col.ppb", "col.battles"], rows, t("model.unrated"));
}

function opponents(model) {
  const rows = [...model.meetings]
    .sort((a, b) => b.battles - a.battles || (a.opponent < b.opponent ? -1 : 1))
    .map((each) => {
      const decided = each.wins + each.losses;
      const record = [each.wins, each.ties, each.losses, each.both_bad].map(whole).join(" / ");
      const numbers = [whole(each.battles), record, decided ? percent(each.wins / decided) : "–"];
      return element("tr", {}, element("th", { scope: "row" }, element("a", { href: `/model?name=${encodeURIComponent(each.opponent)}` }, each.opponent)), numbers.map((text) => element("td", {}, text)));
    });
  return sheet("model.opponents", ["model.opponent", "col.battles", "model.record", "model.share"], rows, t("model.unrated"));
}
