// The leaderboard page: fetches and renders the newest snapshot, and again when there is a newer one. Sorting,
// filters, scroll position and focus survive every update.

import { call } from "./api.js";
import { at, element } from "./dom.js";
import { boardName, filters, links, tabs } from "./leaderboard_filters.js";
import { fetchFacts, withFacts } from "./leaderboard_facts.js";
import { frame } from "./leaderboard_frame.js";
import { coefficients, majorities, method, tieTable, weightedTable } from "./leaderboard_method.js";
import { arrows, beside, get, paintPicture } from "./leaderboard_pictures.js";
import { paintTable } from "./leaderboard_table.js";
import { FEW, address, asked, change, filtered, hidden, keep, narrowed, read, sorting, view } from "./leaderboard_view.js";
import { language, problemText, t } from "./texts.js";
import { on, present } from "./shell.js";

const PAUSE = 1000;
const PERIOD = 15_000;
let board = null;
let style = null;
let loading = null;
let again = false;
let due = false;
let newest = null;
let lost = false;

export async function attach() {
  await present("board");
  read();
  on("sort", (button) => sort(button.dataset.key));
  on("reload", load);
  on("board", choose);
  on("picture", (button) => picture(button.dataset.picture));
  on("show_young", () => refine({ young: "show" }));
  on("unfilter", () => refine({ weights: "", owner: "", size: "", demo: "", young: "" }));
  on("link", copyLink);
  document.addEventListener("input", (event) => {
    const { id, dataset, value, checked } = /** @type {HTMLInputElement} */ (event.target);
    if (id === "board-search") refine({ q: value });
    else if (dataset.filter === "style") refine({ style: checked ? "1" : "" });
    else if (dataset.filter === "more") (keep(checked), refine({ more: checked ? "1" : "" }));
    else if (dataset.filter) refine({ [dataset.filter]: value });
  });
  window.addEventListener("popstate", () => (read(), load()));
  setInterval(clock, 20_000);
  await Promise.all([fetchFacts().then(() => at("board-rows") && paint()), load()]);
  setInterval(poll, PERIOD);
  document.addEventListener("visibilitychange", poll);
  window.addEventListener("online", poll);
  await poll();
}

// One request at a time; further calls meanwhile lead to one more.
function load() {
  if (loading) {
    again = true;
    return loading;
  }
  loading = fetchBoard().finally(() => {
    loading = null;
    if (again) setTimeout(load, PAUSE);
    again = false;
  });
  return loading;
}

async function fetchBoard() {
  const answer = await call("GET", `/leaderboard${asked()}`);
  at("board").removeAttribute("aria-busy");
  if (!answer.ok) return board && answer.problem.code !== "no_board" ? undefined : trouble(answer);
  // A proxy answers with the board before while it fetches the announced one, so that one read more is needed.
  if (due && same(answer.data)) again = true;
  due = false;
  if (answer.data.snapshot === null) return empty();
  board = answer.data;
  try {
    style = await beside(board, "style");
    show();
  } catch (error) {
    console.warn(error);
    return trouble({ problem: { code: "internal" } });
  }
}

const same = (other) => other.snapshot?.id === board?.snapshot?.id && (!board || String(other.beside) === String(board.beside));

function show() {
  if (!at("board-rows")) {
    at("board").replaceChildren(...frame());
    arrows(picture);
    at("board-method").addEventListener("toggle", explain);
  }
  paint();
  explain();
}

async function explain() {
  if (!/** @type {HTMLDetailsElement} */ (at("board-method")).open) return;
  const data = await get("/leaderboard/method");
  if (data) paintMethod(data);
}

const instead = (title, text, action) => at("board").replaceChildren(element("div", { class: "a-empty" }, element("h2", {}, title), element("p", {}, text), action));

const empty = () => instead(t("board.empty.title"), t("board.empty.text"), element("a", { class: "a-button", href: "/" }, t("board.empty.action")));

/** @param {{ problem?: any }} answer */
function trouble({ problem }) {
  const missing = problem.code === "no_board";
  const title = missing ? t("board.missing.title", { name: boardName(view) }) : t("board.error");
  const text = missing ? t("board.missing.text", { few: FEW }) : problemText(problem);
  const action = missing
    ? element("a", { class: "a-button", href: "/leaderboard", "data-act": "board", "data-category": "", "data-language": "" }, t("board.missing.action"))
    : element("button", { class: "a-button", type: "button", "data-act": "reload" }, t("board.retry"));
  instead(title, text, action);
}

// Asks for the ids of the newest board while the page is visible; loads it when they have changed or the line is back.
async function poll() {
  if (document.hidden) return;
  const answer = await call("GET", "/leaderboard/newest");
  const back = lost && answer.ok;
  lost = !answer.ok;
  live(answer.ok);
  if (!answer.ok) return;
  const ids = `${answer.data.snapshot}-${answer.data.tables}`;
  due = ids !== (newest ?? ids) || answer.data.snapshot > (board?.snapshot?.id ?? Infinity);
  newest = ids;
  if (due || back) load();
}

function live(connected) {
  document.documentElement.dataset.live = String(connected);
  const mark = at("board-live");
  if (mark) mark.textContent = t(connected ? "board.live" : "board.offline");
}

// The rows with their style-controlled ratings, which exist for the whole board only.
function joined() {
  const whole = !view.category && !view.language;
  const lines = new Map(whole && style ? style.rows.map((row) => [row.name, row]) : []);
  return board.rows.map((row) => ({ ...withFacts(row), style: lines.get(row.name) ?? null }));
}

function paint() {
  const number = (value) => value.toLocaleString(language);
  at("board-votes").textContent = number(board.snapshot.votes);
  at("board-votes-word").textContent = t("board.votes", { count: board.snapshot.votes });
  at("board-models").textContent = number(board.rows.length);
  at("board-models-word").textContent = t("board.models", { count: board.rows.length });
  at("board-style").hidden = !style || Boolean(view.category || view.language);
  if (at("board-style").hidden) view.style = "";
  tabs(at("board-tabs"), board);
  filters(at("board-filters"), joined());
  links();
  clock();
  live(document.documentElement.dataset.live === "true");
  preliminary();
  note();
  paintRows();
}

function paintRows() {
  const all = joined();
  const rows = filtered(all);
  const names = [...rows].sort((a, b) => a.component - b.component || a.rank - b.rank || b.elo - a.elo).map((row) => row.name);
  paintTable(rows, all);
  paintPicture({ board, rows, names });
  const away = hidden(all);
  at("board-hidden").hidden = !away;
  at("board-hidden").firstChild.textContent = t("board.hidden", { count: away });
  at("board-none").textContent = rows.length ? "" : narrowed() || !view.q ? t("board.none.filter") : t("board.none", { query: view.q });
}

function paintMethod(data) {
  method(at("board-how"), data, board);
  if (data.ties.length) at("board-how").append(tieTable(data.ties));
  if (data.weighted.length) at("board-how").append(weightedTable(data.weighted, board.snapshot.parameters.level));
  if (data.majorities) at("board-how").append(majorities(data.majorities));
  if (!style) return;
  const place = element("div", { class: "a-style" });
  coefficients(place, style);
  at("board-how").append(place);
}

// The reasons why the order may still change much, by their codes.
function preliminary() {
  const place = at("board-preliminary");
  const reasons = board.preliminary.map((code) => t(`board.preliminary.${code}`));
  place.replaceChildren(element("b", {}, t("board.preliminary")), ...reasons.flatMap((reason) => [" ", reason]));
  place.hidden = !reasons.length;
}

// A board with few votes says that its order means little yet.
function note() {
  const place = at("board-note");
  const { votes } = board.snapshot;
  const told = board.rows.some((row) => row.rank_high - row.rank_low < board.rows.filter((other) => other.component === row.component).length - 1);
  const text = !board.rows.length ? t("board.note.none") : votes < FEW ? t("board.note.few", { votes, few: FEW }) : !told && board.rows.length > 1 ? t("board.note.overlap") : "";
  place.textContent = text;
  place.hidden = !text;
}

function refine(fields) {
  if (!board || !at("board-rows")) return;
  change(fields);
  filters(at("board-filters"), joined());
  tabs(at("board-tabs"), board);
  paintRows();
}

function picture(name) {
  change({ picture: name === "table" ? "" : name });
  paintRows();
}

function sort(key) {
  const { key: now, down } = sorting();
  const ascending = key === "rank" || key === "name";
  change({ sort: `${(now === key ? !down : !ascending) ? "-" : ""}${key}` });
  paintRows();
}

function choose(link, event) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  change({ category: link.dataset.category, language: link.dataset.language });
  load();
}

async function copyLink(button) {
  try {
    await navigator.clipboard.writeText(String(address()));
    button.textContent = t("board.link_copied");
  } catch {
    button.textContent = String(address());
  }
  setTimeout(() => (button.textContent = t("board.link_here")), 4000);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function clock() {
  const place = /** @type {HTMLTimeElement} */ (at("board-updated"));
  if (!place || !board) return;
  const made = new Date(board.snapshot.created_at);
  const seconds = Math.min(0, Math.round((made.getTime() - Date.now()) / 1000));
  const [unit, size] = UNITS.find(([, s]) => -seconds >= s) ?? UNITS.at(-1);
  place.textContent = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / size), unit);
  place.title = made.toLocaleString(language);
  place.dateTime = made.toISOString();
}
