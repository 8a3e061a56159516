// The leaderboard page: fetches the newest snapshot, paints it, and paints again whenever the server has a new one.
// Sorting, filters, scroll and focus belong to the reader and survive every repaint.

import { call, stream } from "./api.js";
import { counts, intervals, matrix } from "./charts.js";
import { history as course } from "./chart_history.js";
import { orders } from "./chart_orders.js";
import { radar } from "./chart_radar.js";
import { at, element } from "./dom.js";
import { boardName, filters, links, tabs } from "./leaderboard_filters.js";
import { coefficients, method } from "./leaderboard_method.js";
import { frame, paintTable } from "./leaderboard_table.js";
import { FEW, address, asked, change, filtered, narrowed, read, sorting, view } from "./leaderboard_view.js";
import { language, problemText, t } from "./texts.js";
import { on, present } from "./shell.js";

const PAUSE = 1000;
let board = null;
let style = null;
let loading = null;
let again = false;

// What is only fetched once somebody has come near it, and then again with every snapshot.
const lazy = {
  "figure-history": { load: () => get("/leaderboard/history"), paint: (data) => course(at("chart-history"), data, ranked(board.rows)) },
  "figure-radar": { load: wheel, paint: (data) => radar(at("chart-radar"), data, ranked(board.rows)) },
  "figure-orders": { load: () => beside("orders"), paint: (data) => orders(at("chart-orders"), data, ranked(board.rows)) },
  "board-method": { load: () => get("/leaderboard/method"), paint: paintMethod },
};

export async function attach() {
  await present("board");
  read();
  on("sort", (button) => sort(button.dataset.key));
  on("reload", load);
  on("board", choose);
  on("unfilter", () => refine({ weights: "", owner: "", size: "", demo: "", young: "" }));
  on("link", copyLink);
  document.addEventListener("input", (event) => {
    if (event.target.id === "board-search") refine({ q: event.target.value });
    else if (event.target.dataset.filter === "style") refine({ style: event.target.checked ? "1" : "" });
    else if (event.target.dataset.filter) refine({ [event.target.dataset.filter]: event.target.value });
  });
  window.addEventListener("popstate", () => (read(), load()));
  setInterval(clock, 20_000);
  await load();
  listen();
}

// One request at a time; news that arrives meanwhile leads to one more.
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
  if (!board && (await get("/status"))?.board === false) {
    // Nothing has been computed yet; asking for it all the same would leave a fault in the browser's console.
    at("board").removeAttribute("aria-busy");
    return trouble({ problem: { code: "no_snapshot" } });
  }
  const answer = await call("GET", `/leaderboard${asked()}`);
  at("board").removeAttribute("aria-busy");
  if (!answer.ok) return board && answer.problem.code !== "no_board" ? undefined : trouble(answer);
  board = answer.data;
  try {
    style = await beside("style");
    show();
  } catch (error) {
    console.warn(error);
    return trouble({ problem: { code: "internal" } });
  }
  for (const [id, each] of Object.entries(lazy)) if (each.seen) await refresh(id);
}

function show() {
  if (!at("board-rows")) {
    at("board").replaceChildren(...frame());
    for (const id of Object.keys(lazy)) nearby.observe(at(id));
  }
  paint();
}

async function get(path) {
  const answer = await call("GET", path);
  return answer.ok ? answer.data : null;
}

// A table that the board names; a young one has none, and asking all the same would leave a fault in the console.
const beside = async (name) => (board.beside.includes(name) ? get(`/leaderboard/${name}`) : null);

async function wheel() {
  const boards = board.boards.filter((each) => each.category && !each.language);
  const found = await Promise.all(boards.map((each) => get(`/leaderboard${asked(each)}`)));
  return found.filter(Boolean).sort((a, b) => (a.category < b.category ? -1 : 1));
}

const nearby = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting && !lazy[target.id].seen) {
        lazy[target.id].seen = true;
        refresh(target.id);
      }
  },
  { rootMargin: "300px" },
);

async function refresh(id) {
  const data = await lazy[id].load();
  if (data) lazy[id].data = data;
  repaint(id);
}

function repaint(id) {
  const place = at(id)?.querySelector(".a-chart") ?? at("board-how");
  if (lazy[id].data) lazy[id].paint(lazy[id].data);
  else if (lazy[id].seen) place.replaceChildren(element("p", { class: "a-note" }, t("chart.none")));
}

function trouble({ problem }) {
  const none = problem.code === "no_snapshot";
  const missing = problem.code === "no_board";
  const title = none ? t("board.empty.title") : missing ? t("board.missing.title", { name: boardName(view) }) : t("board.error");
  const text = none ? t("board.empty.text") : missing ? t("board.missing.text", { few: FEW }) : problem.code === "network" ? t("notice.network") : problemText(problem);
  const action = none
    ? element("a", { class: "a-button", href: "/" }, t("board.empty.action"))
    : missing
      ? element("a", { class: "a-button", href: "/leaderboard", "data-act": "board", "data-category": "", "data-language": "" }, t("board.missing.action"))
      : element("button", { class: "a-button", type: "button", "data-act": "reload" }, t("board.retry"));
  at("board").replaceChildren(element("div", { class: "a-empty" }, element("h2", {}, title), element("p", {}, text), action));
}

function listen() {
  const source = stream("/leaderboard/stream");
  let opened = false;
  source.addEventListener("snapshot", load);
  source.onopen = () => {
    live(true);
    if (opened) load();
    opened = true;
  };
  source.onerror = () => {
    live(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
  };
}

function live(connected) {
  document.documentElement.dataset.live = String(connected);
  const mark = at("board-live");
  if (mark) mark.textContent = t(connected ? "board.live" : "board.offline");
}

// The rows with their style-controlled line beside them; it belongs to the board of everything.
function joined() {
  const whole = !view.category && !view.language;
  const lines = new Map(whole && style ? style.rows.map((row) => [row.name, row]) : []);
  return board.rows.map((row) => ({ ...row, style: lines.get(row.name) ?? null }));
}

function paint() {
  const number = (value) => value.toLocaleString(language);
  at("board-votes").textContent = number(board.snapshot.votes);
  at("board-models").textContent = number(board.rows.length);
  at("board-style").hidden = !style || Boolean(view.category || view.language);
  if (at("board-style").hidden) view.style = "";
  tabs(at("board-tabs"), board);
  filters(at("board-filters"), board.rows);
  links();
  clock();
  live(document.documentElement.dataset.live === "true");
  note();
  paintRows();
}

function paintRows() {
  const shown = filtered(joined());
  paintTable(shown);
  at("board-none").textContent = shown.length ? "" : narrowed() || !view.q ? t("board.none.filter") : t("board.none", { query: view.q });
  at("board-scroll").hidden = !shown.length;
  intervals(at("chart-intervals"), shown);
  matrix(at("chart-matrix"), shown, board.pairs);
  counts(at("chart-counts"), shown, board.pairs);
  for (const id of Object.keys(lazy)) if (lazy[id].seen) repaint(id);
}

const ranked = (rows) => [...filtered(rows)].sort((a, b) => a.component - b.component || a.rank - b.rank || b.elo - a.elo).map((row) => row.name);

function paintMethod(data) {
  method(at("board-how"), data, board);
  if (!style) return;
  const place = element("div", { class: "a-style" });
  coefficients(place, style);
  at("board-how").append(place);
}

// A young board says that its order means little yet.
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
  filters(at("board-filters"), board.rows);
  tabs(at("board-tabs"), board);
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

function clock() {
  const place = at("board-updated");
  if (!place || !board) return;
  const made = new Date(board.snapshot.created_at);
  const seconds = Math.min(0, Math.round((made - Date.now()) / 1000));
  const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]].find(([, s]) => -seconds >= s) ?? ["second", 1];
  place.textContent = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / size), unit);
  place.title = made.toLocaleString(language);
  place.dateTime = made.toISOString();
}
