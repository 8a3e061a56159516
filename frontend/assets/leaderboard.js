// The leaderboard page: fetches the newest snapshot, paints it, and paints again whenever the server has a new one.
// Sorting, search, scroll and focus belong to the reader and survive every repaint.

import { call, stream } from "./api.js";
import { at, element } from "./dom.js";
import { intervals, matrix } from "./charts.js";
import { frame, rowsOf, sortMarks } from "./leaderboard_table.js";
import { language, problemText, t } from "./texts.js";
import { on, present } from "./shell.js";

const PAUSE = 1000;
const view = { key: "rank", down: false, query: "" };
let board = null;
let loading = null;
let again = false;

export async function attach() {
  await present("board");
  on("sort", (button) => sort(button.dataset.key));
  on("reload", load);
  document.addEventListener("input", (event) => {
    if (event.target.id !== "board-search") return;
    view.query = event.target.value.trim();
    paintRows();
  });
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
  const answer = await call("GET", "/leaderboard");
  at("board").removeAttribute("aria-busy");
  if (answer.ok) {
    const first = board === null;
    board = answer.data;
    if (first) at("board").replaceChildren(...frame());
    paint();
  } else if (!board) trouble(answer);
}

function trouble({ problem }) {
  const none = problem.code === "no_snapshot";
  const title = none ? t("board.empty.title") : t("board.error");
  const text = none ? t("board.empty.text") : problem.code === "network" ? t("notice.network") : problemText(problem);
  const action = none
    ? element("a", { class: "a-button", href: "/" }, t("board.empty.action"))
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

function paint() {
  const number = (value) => value.toLocaleString(language);
  at("board-votes").textContent = number(board.snapshot.votes);
  at("board-models").textContent = number(board.rows.length);
  const { method, seed, last_vote, digest } = board.snapshot;
  at("board-how").textContent = t("how.computed", { method, seed, last_vote: number(last_vote), digest: digest.slice(0, 16) });
  clock();
  live(document.documentElement.dataset.live === "true");
  paintRows();
  intervals(at("chart-intervals"), board.rows);
  matrix(at("chart-matrix"), board);
}

function paintRows() {
  if (!board) return;
  const wanted = view.query.toLocaleLowerCase();
  const shown = board.rows.filter(({ name, owner }) => `${name}\n${owner}`.toLocaleLowerCase().includes(wanted));
  const body = at("board-rows");
  body.replaceChildren(...rowsOf(shown, view));
  at("board-none").textContent = shown.length ? "" : t("board.none", { query: view.query });
  sortMarks(view);
}

function sort(key) {
  const ascending = key === "rank" || key === "name";
  view.down = view.key === key ? !view.down : !ascending;
  view.key = key;
  paintRows();
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
