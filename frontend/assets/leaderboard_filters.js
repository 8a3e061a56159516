// Tabs for categories and languages, as far as there are boards, and the filters above the table.

import { at, element } from "./dom.js";
import { whole } from "./numbers.js";
import { language, ownerName, raw, t } from "./texts.js";
import { address, asked, narrowed, sizes, view } from "./leaderboard_view.js";

const names = new Intl.DisplayNames([language], { type: "language" });
const capability = (word) => raw(`category.${word}`) ?? word;

export function tongue(code) {
  if (code === "other") return t("filter.language.other");
  try {
    return names.of(code);
  } catch {
    return code;
  }
}

export const boardName = ({ category, language: code }) => [category && capability(category), code && tongue(code)].filter(Boolean).join(" · ") || t("filter.all");

const parts = { category: capability, language: tongue };
const remembered = new WeakMap();

// Paints only what has changed, so that nobody loses the focus.
function paintIf(place, key, make) {
  if (remembered.get(place) === key) return;
  remembered.set(place, key);
  const focused = document.activeElement?.closest?.("[data-choice]")?.dataset;
  place.replaceChildren(...make());
  if (focused && place.contains(document.activeElement) === false)
    place.querySelector(`[data-choice="${CSS.escape(focused.choice)}"][data-of="${CSS.escape(focused.of)}"]`)?.focus();
}

export function tabs(place, { boards, snapshot }) {
  const key = JSON.stringify([boards.map((each) => [each.category, each.language, each.votes]), view.category, view.language]);
  place.hidden = boards.length === 0;
  paintIf(place, key, () => Object.keys(parts).map((part) => group(part, boards, snapshot)).filter(Boolean));
}

function group(part, boards) {
  const other = part === "category" ? "language" : "category";
  const alone = boards.filter((each) => each[part] && !each[other]).sort((a, b) => b.votes - a.votes);
  if (!alone.length) return null;
  const label = t(`filter.${part}`);
  return element(
    "nav",
    { class: "a-tabs", "aria-label": label },
    element("span", { class: "a-tabs-label", "aria-hidden": "true" }, label),
    element("span", { class: "a-tabs-row" }, [tab(part, "", null, boards), ...alone.map((each) => tab(part, each[part], each, boards))]),
  );
}

// A tab keeps the other choice if there is a board of both, and lets it go if there is none.
function tab(part, word, board, boards) {
  const other = part === "category" ? "language" : "category";
  const both = { [part]: word, [other]: view[other] };
  const exists = !both.category || !both.language || boards.some((each) => each.category === both.category && each.language === both.language);
  if (!exists) both[other] = "";
  const target = address();
  for (const [name, value] of Object.entries(both)) if (value) target.searchParams.set(name, value); else target.searchParams.delete(name);
  const current = view[part] === word;
  return element(
    "a",
    { href: target.pathname + target.search, "data-act": "board", "data-category": both.category, "data-language": both.language, "data-choice": word || "all", "data-of": part, "aria-current": current ? "true" : null },
    word ? parts[part](word) : t("filter.all"),
    board ? element("small", {}, ` ${whole(board.votes)}`) : null,
  );
}

const choice = (name, options) =>
  element(
    "label",
    {},
    element("span", {}, t(`filter.${name}`)),
    element(
      "select",
      { "data-filter": name, "data-choice": name, "data-of": "filter" },
      [["", t("filter.any")], ...options].map(([value, text]) => element("option", { value, selected: view[name] === value }, text)),
    ),
  );

const worded = (name, values) => values.map((value) => [value, t(`filter.${name}.${value}`)]);

// Only filters that would divide the rows are offered.
export function filters(place, rows) {
  const owners = [...new Set(rows.map((row) => row.owner))].filter(Boolean).sort();
  const open = rows.some((row) => row.open_weights !== null && row.open_weights !== undefined);
  const demo = rows.some((row) => row.demo) && rows.some((row) => !row.demo);
  paintIf(place, JSON.stringify([owners, open, demo, view.weights, view.owner, view.size, view.demo, view.young]), () => [
    open || view.weights ? choice("weights", worded("weights", ["open", "closed"])) : null,
    owners.length > 1 || view.owner ? choice("owner", owners.map((owner) => [owner, ownerName(owner)])) : null,
    choice("size", worded("size", [...sizes, "unknown"])),
    demo || view.demo ? choice("demo", worded("demo", ["none", "only"])) : null,
    choice("young", worded("young", ["hide"])),
    narrowed() ? element("button", { type: "button", class: "a-link", "data-act": "unfilter" }, t("filter.clear")) : null,
  ].filter(Boolean));
}

export function links() {
  at("board-csv").href = `/api/v1/leaderboard.csv${asked()}`;
  at("board-json").href = `/api/v1/leaderboard${asked()}`;
}
