// The tables of a model's page: its boards, its opponents, the best and worst of them, its versions.

import { element } from "./dom.js";
import { boardName } from "./leaderboard_filters.js";
import { cents, day, percent, whole } from "./numbers.js";
import { t } from "./texts.js";

const DECIDED = 5; // Fewer decided battles say too little of an opponent.
const MOST = 3;

const page = (name) => element("a", { href: `/model?name=${encodeURIComponent(name)}` }, name);

// No card without a row.
const sheet = (id, heads, rows) =>
  rows.length === 0
    ? null
    : element(
    "section",
    { class: "a-figure", "aria-labelledby": id },
    element("h2", { id }, t(id)),
    element("div", { class: "a-table a-plain-table", tabindex: "0", role: "region", "aria-label": t(id) }, element("table", {}, element("thead", {}, element("tr", {}, heads.map((key) => element("th", { scope: "col" }, t(key))))), element("tbody", {}, rows))),
  );

export function boards(model) {
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
  return sheet("model.boards", ["model.board", "col.rank", "col.bt", "col.elo", "col.ppb", "col.battles"], rows);
}

export function opponents(model) {
  const rows = [...model.meetings]
    .sort((a, b) => b.battles - a.battles || (a.opponent < b.opponent ? -1 : 1))
    .map((each) => {
      const decided = each.wins + each.losses;
      const record = [each.wins, each.ties, each.losses, each.both_bad].map(whole).join(" / ");
      const numbers = [whole(each.battles), record, decided ? percent(each.wins / decided) : "–"];
      return element("tr", {}, element("th", { scope: "row" }, page(each.opponent)), numbers.map((text) => element("td", {}, text)));
    });
  return sheet("model.opponents", ["model.opponent", "col.battles", "model.record", "model.share"], rows);
}

// Whom it beats most often and who beats it most often, among those it met often enough.
export function extremes(model) {
  const met = model.meetings
    .map((each) => ({ ...each, decided: each.wins + each.losses }))
    .filter(({ decided }) => decided >= DECIDED)
    .map((each) => ({ ...each, share: each.wins / each.decided }))
    .sort((a, b) => b.share - a.share || b.decided - a.decided);
  const best = met.filter(({ share }) => share > 0.5).slice(0, MOST);
  const worst = met.filter(({ share }) => share < 0.5).slice(-MOST).reverse();
  if (!best.length && !worst.length) return null;
  return element("section", { class: "a-figure", "aria-labelledby": "model.extremes" }, element("h2", { id: "model.extremes" }, t("model.extremes")), element("div", { class: "a-halves" }, list("best", best), list("worst", worst)));
}

const list = (kind, met) =>
  met.length
    ? element("div", { class: `a-${kind}` }, element("h3", {}, t(`model.${kind}`)), element("ol", { class: "a-met" }, met.map((each) => element("li", {}, page(each.opponent), " ", element("small", {}, t("model.met", { share: percent(each.share), decided: whole(each.decided) }))))))
    : null;

// Only where there is more than one.
export function versions(model) {
  if (model.versions.length < 2) return null;
  const rows = model.versions.map((each) =>
    element("tr", {}, element("th", { scope: "row" }, each.name === model.name ? element("strong", {}, each.name) : page(each.name)), [String(each.version), day(each.joined_at), t(`model.state.${each.state}`)].map((text) => element("td", {}, text))),
  );
  return sheet("model.versions", ["col.name", "model.version", "model.joined", "model.state"], rows);
}
