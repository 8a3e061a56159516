// The page of predictors: each evaluation against each board, their best mix, and forecasts of models without votes.

import { element } from "./dom.js";
import { day, whole } from "./numbers.js";
import { figure, fill, interval, section, table } from "./report_tables.js";
import { on, present } from "./shell.js";
import { languagesText, raw, t } from "./texts.js";

export async function attach() {
  await present("predictors");
  const load = () => fill("predictors", "/predictors", paint);
  on("reload", load);
  await load();
}

function paint(found) {
  if (!found.boards.length) return [element("p", { class: "a-empty" }, t("predictors.none"))];
  const facts = [element("p", { class: "a-note" }, t("predictors.asof", { day: day(found.created_at) })), element("p", { class: "a-note" }, t("predictors.how"))];
  const json = element("p", {}, element("a", { href: "/api/v1/predictors" }, "JSON"));
  return [...facts, ...found.boards.map(board), forecasts(found.expected), json].filter(Boolean);
}

function name({ category, language }) {
  const words = [category && (raw(`category.${category}`) ?? category), language && languagesText([language])].filter(Boolean);
  return words.join(" · ") || t("predictors.all");
}

function board(found) {
  const heads = ["predictors.evaluation", "predictors.models", "predictors.pearson", "predictors.spearman", "predictors.kendall", "predictors.variation"];
  const rows = found.predictors.map((each) => [each.name, whole(each.models), interval(each.pearson), interval(each.spearman), interval(each.kendall), figure(each.variation)]);
  return section(name(found), table(heads, rows), mix(found));
}

function mix({ mix: best, mixed }) {
  if (!best) return element("p", { class: "a-note" }, t("predictors.nomix", { models: whole(mixed) }));
  const parts = best.parts.map((part) => t("predictors.part", { weight: figure(part.weight), name: part.name, low: figure(part.low), high: figure(part.high) }));
  const text = t("predictors.mix", { parts: parts.join(" + "), r: figure(best.correlation), low: figure(best.low), high: figure(best.high) });
  const rests = t(best.exploratory ? "predictors.exploratory" : "predictors.rests", { models: whole(mixed) });
  return element("div", { class: best.exploratory ? "a-predictors-exploratory" : null }, element("p", {}, text), element("p", { role: "note" }, element("strong", {}, rests)));
}

function forecasts(found) {
  if (!found.length) return null;
  const heads = ["predictors.model", "predictors.evaluation", "predictors.expected", "predictors.models"];
  const rows = found.map((each) => [each.model, each.evaluation, interval({ ...each, value: each.rating }, 0), whole(each.models)]);
  return section(t("predictors.forecasts"), element("p", {}, t("predictors.forecasts.help")), table(heads, rows));
}
