// Tabs for categories and languages that have boards, and the filters above the table.

import { at, element, first } from "./dom.js";
import { whole } from "./numbers.js";
import { languageName, ownerName, raw, t } from "./texts.js";
import { address, asked, narrowed, sizes, view } from "./leaderboard_view.js";

const capability = (word) => raw(`category.${word}`) ?? word;

export const tongue = (code) => (code === "other" ? t("filter.language.other") : languageName(code));

/** @type {(board: { category?: string, language?: string }) => string} */
export const boardName = ({ category, language: code }) => [category && capability(category), code && tongue(code)].filter(Boolean).join(" · ") || t("filter.all");

const parts = { category: capability, language: tongue };
const remembered = new WeakMap();

// Updates only what has changed, so that the focus is kept.
function paintIf(place, key, make) {
  if (remembered.get(place) === key) return;
  remembered.set(place, key);
  /** @type {HTMLElement | null} */
  const held = document.activeElement?.closest("[data-choice]");
  const focused = held?.dataset;
  place.replaceChildren(...make());
  if (focused && place.contains(document.activeElement) === false)
    first(`[data-choice="${CSS.escape(focused.choice)}"][data-of="${CSS.escape(focused.of)}"]`, place)?.focus();
}

export function tabs(place, { boards }) {
  const key = JSON.stringify([boards.map((each) => [each.category, each.language, each.votes]), view.category, view.language]);
  place.hidden = boards.length === 0;
  paintIf(place, key, () => Object.keys(parts).map((part) => group(part, boards)).filter(Boolean));
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

// A tab keeps the other selection if there is a board for both, and resets it otherwise.
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

// Only filters that would hide some rows are offered.
export function filters(place, rows) {
  const owners = [...new Set(rows.map((row) => row.owner))].filter(Boolean).sort();
  const open = rows.some((row) => row.open_weights !== null && row.open_weights !== undefined);
  const demo = rows.some((row) => row.demo) && rows.some((row) => !row.demo);
  paintIf(place, JSON.stringify([owners, open, demo, view.weights, view.owner, view.size, view.demo, view.young]), () => [
    open || view.weights ? choice("weights", worded("weights", ["open", "closed"])) : null,
    owners.length > 1 || view.owner ? choice("owner", owners.map((owner) => [owner, ownerName(owner)])) : null,
    choice("size", worded("size", [...sizes, "unknown"])),
    demo || view.demo ? choice("demo", worded("demo", ["none", "only"])) : null,
    choice("young", worded("young", ["show", "hide"])),
    narrowed() ? element("button", { type: "button", class: "a-link", "data-act": "unfilter" }, t("filter.clear")) : null,
  ].filter(Boolean));
}

export function links() {
  /** @type {HTMLAnchorElement} */ (at("board-csv")).href = `/api/v1/leaderboard.csv${asked()}`;
  /** @type {HTMLAnchorElement} */ (at("board-json")).href = `/api/v1/leaderboard${asked()}`;
}
