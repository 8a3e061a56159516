// The leaderboard's columns: what each sorts by and shows. Those that few readers need are shown on request.

import { element } from "./dom.js";
import { track } from "./intervals.js";
import { billions, contextText, energyText, price, priceText, sizeText, weights } from "./leaderboard_facts.js";
import { FEW, view, young } from "./leaderboard_view.js";
import { cents, percent, plain, tenth, whole } from "./numbers.js";
import { badge } from "./owner_badge.js";
import { ownerName, t } from "./texts.js";

const LONG = 26;
const NONE = Number.NEGATIVE_INFINITY;
const small = (...text) => element("small", {}, ...text);
const range = (low, high) => (low === high ? null : small(`${low}–${high}`));
const tag = (text, title) => element("span", { class: "a-tag", title }, text);

/**
 * @typedef {{ key: string, sorts: (row: any) => string | number, shows: (row: any, scale: any) => any[], more?: boolean, known?: (row: any) => boolean }} Column
 * @type {Column[]}
 */
export const COLUMNS = [
  { key: "rank", sorts: (row) => row.rank, shows: (row) => [String(row.rank), range(row.rank_low, row.rank_high)] },
  { key: "name", sorts: (row) => row.name.toLocaleLowerCase(), shows: model },
  { key: "bt", sorts: (row) => row.bt ?? NONE, shows: score },
  { key: "style", sorts: (row) => row.style?.bt ?? NONE, shows: styled },
  { key: "battles", sorts: (row) => row.battles, shows: (row) => [whole(row.battles)] },
  { key: "size", sorts: (row) => billions(row) ?? NONE, shows: (row) => [sizeText(row)], known: (row) => billions(row) !== null },
  { key: "licence", sorts: (row) => `${row.open_weights ? 0 : 1}${row.licence ?? ""}`, shows: weights, known: (row) => row.licence || typeof row.open_weights === "boolean" },
  { key: "context", sorts: (row) => row.context_tokens ?? NONE, shows: (row) => [contextText(row)], known: (row) => row.context_tokens },
  { key: "price", sorts: (row) => price(row) ?? NONE, shows: (row) => [priceText(row)], known: (row) => typeof row.price_out === "number" || typeof row.price_in === "number" },
  { key: "energy", more: true, sorts: (row) => row.energy ?? NONE, shows: (row) => [energyText(row)], known: (row) => typeof row.energy === "number" },
  { key: "elo", more: true, sorts: (row) => row.elo, shows: (row) => [whole(row.elo), ` ± ${tenth(row.elo_error)}`, small(t("col.elo.spread", { spread: tenth(row.order_spread) }))] },
  { key: "ppb", more: true, sorts: (row) => row.points_per_battle, shows: (row) => [cents(row.points_per_battle), small(plain.format(row.points))] },
  { key: "win", more: true, sorts: (row) => row.win_rate, shows: (row) => [percent(row.win_rate)] },
  { key: "carena", more: true, sorts: (row) => row.carena_rate, shows: (row) => [percent(row.carena_rate)] },
  { key: "record", more: true, sorts: (row) => row.wins, shows: (row) => [[row.wins, row.draws, row.losses, row.both_bad].map(whole).join(" / ")] },
];

// A column that nobody has an entry for is left out.
export const shown = (rows) =>
  COLUMNS.filter(({ key, more, known }) => (key === "style" ? view.style : !more || view.more) && (!known || rows.some(known)));

function model(row) {
  const tags = [row.demo ? tag(t("board.demo")) : null, young(row) ? tag(t("board.young"), t("board.young.help", { few: FEW })) : null];
  const page = element("a", { href: `/model?name=${encodeURIComponent(row.name)}` }, row.name);
  return [
    badge(row.owner),
    element("span", { class: "a-model" }, element("strong", { "data-long": row.name.length > LONG }, page, " ", ...tags), small(ownerName(row.owner))),
  ];
}

function score(row, scale) {
  if (row.bt === null) return ["–"];
  const told = row.bt_low === null || row.bt_high === null ? null : small(`${whole(row.bt_low)} – ${whole(row.bt_high)}`);
  return [element("span", { class: "a-score" }, element("span", {}, element("b", {}, whole(row.bt)), told), track(row, scale))];
}

function styled({ style }) {
  if (!style) return ["–"];
  const move = style.plain_rank - style.rank;
  const sign = move === 0 ? "=" : move > 0 ? `↑${move}` : `↓${-move}`;
  return [whole(style.bt), small(t("col.style.rank", { rank: style.rank, move: sign }))];
}
