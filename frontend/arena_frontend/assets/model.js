// The page of a model: description, ratings by category, opponents, history, and error rate.

import { call } from "./api.js";
import { history as course } from "./chart_history.js";
import { radar } from "./chart_radar.js";
import { at, element, outward } from "./dom.js";
import { failure } from "./failure.js";
import { contextText, energyText, priceText } from "./leaderboard_facts.js";
import { neighbours } from "./model_neighbours.js";
import { boards, extremes, opponents, versions } from "./model_sheets.js";
import { day, percent, share, tenth, whole } from "./numbers.js";
import { badge } from "./owner_badge.js";
import { on, present } from "./shell.js";
import { language, languagesText, ownerName, t } from "./texts.js";

const name = new URL(location.href).searchParams.get("name") ?? "";

export async function attach() {
  await present("model");
  on("reload", load);
  await load();
}

async function load() {
  if (!name) return at("model").replaceChildren(unknown());
  const answer = await call("GET", `/models/${name.split("/").map(encodeURIComponent).join("/")}`);
  at("model").removeAttribute("aria-busy");
  if (!answer.ok) return at("model").replaceChildren(answer.problem.code === "model_not_found" ? unknown() : failure(answer, load, title()));
  document.title = `${name} – ${t("brand")}`;
  paint(answer.data);
  // A model that is on no board yet has no history; requesting it would log an error in the console.
  if (!answer.data.standings.length) return forecast();
  const [past, board] = await Promise.all([call("GET", "/leaderboard/history"), call("GET", "/leaderboard")]);
  if (past.ok && past.data.moments.length > 1) {
    at("model-figures").append(figure("history"));
    course(at("chart-history"), past.data, [name]);
  }
  if (board.ok) at("model-place").replaceChildren(...neighbours(board.data.rows, name));
}

// Expected ratings of a model without votes are forecasts and stand apart from all that is a rating.
async function forecast() {
  const answer = await call("GET", "/predictors");
  const mine = answer.ok ? answer.data.expected.filter((each) => each.model === name) : [];
  const text = (each) => t("model.expected", { rating: whole(each.rating), low: whole(each.low), high: whole(each.high), level: share(each.level), evaluation: each.evaluation, models: whole(each.models) });
  at("model-place").append(...mine.map((each) => element("p", { class: "a-note a-forecast", role: "note" }, text(each))));
}

const title = () => element("h1", {}, name || t("nav.model"));

function unknown() {
  const back = element("a", { class: "a-button", href: "/leaderboard" }, t("model.back"));
  return element("div", { class: "a-empty" }, title(), element("p", {}, t("model.unknown")), back);
}

function paint(model) {
  const standing = model.standings.find((each) => !each.category && !each.language)?.row;
  at("model").replaceChildren(
    ...[
      element("p", { class: "a-crumb" }, element("a", { href: "/leaderboard" }, `← ${t("nav.leaderboard")}`)),
      element("div", { class: "a-page-head" }, element("h1", {}, model.name, model.demo ? element("span", { class: "a-tag" }, t("board.demo")) : ""), about(model)),
      facts(model, standing),
      standing ? null : element("p", { class: "a-young", role: "note" }, t("model.unrated")),
      element("div", { id: "model-place" }),
      element("div", { class: "a-figures", id: "model-figures" }, boards(model), extremes(model), opponents(model), versions(model), wheel(model)),
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
    element("div", { id: `chart-${id}`, class: "a-chart" }),
  );

const wheel = (model) => (model.standings.filter((each) => each.category && !each.language).length > 2 ? figure("radar") : null);

const about = (model) => element("p", {}, (language.startsWith("zh") ? model.description_zh : model.description_en) ?? model.description_en ?? model.description_zh ?? t("model.undescribed"));

function facts(model, standing) {
  const lines = [
    ["model.owner", [badge(model.owner), " ", ownerName(model.owner)]],
    ["model.licence", model.licence ?? t("model.unknown_fact")],
    ["model.state", t(`model.state.${model.state}`)],
    ["model.joined", day(model.joined_at)],
    ["model.languages", languagesText(model.languages)],
    ["model.vision", t(model.vision ? "yes" : "no")],
    model.billions ? ["model.size", t("model.billions", { count: model.billions.toLocaleString(language) })] : null,
    typeof model.open_weights === "boolean" ? ["filter.weights", t(`filter.weights.${model.open_weights ? "open" : "closed"}`)] : null,
    model.context_tokens ? ["col.context", contextText(model)] : null,
    priceText(model) === "–" ? null : ["col.price", priceText(model)],
    energyText(model) === "–" ? null : ["col.energy", energyText(model)],
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
