// The page about the vote gate: what it has done, the ratings with and without it, and the files to compute it again.

import { call } from "./api.js";
import { at, element } from "./dom.js";
import { failure } from "./failure.js";
import { day, tenth, whole } from "./numbers.js";
import { on, present } from "./shell.js";
import { t } from "./texts.js";

export async function attach() {
  await present("integrity");
  on("reload", load);
  await load();
}

async function load() {
  const answer = await call("GET", "/integrity");
  at("integrity").removeAttribute("aria-busy");
  at("integrity").replaceChildren(...(answer.ok ? [state(answer.data), boards(answer.data), files(answer.data)] : [failure(answer, load)]));
}

const section = (title, ...children) => element("section", { class: "a-figure" }, element("h2", {}, t(title)), children);

function state(view) {
  if (!view.method) return section("gate.state", element("p", { class: "a-note" }, t("gate.none")));
  const lines = [
    ["gate.week", counts(view.this_week)],
    ["gate.all", counts(view.reasons)],
    ["gate.awake", t(view.awake ? "gate.awake.yes" : "gate.awake.no", { networks: whole(view.networks), votes: whole(view.established) })],
    ["gate.upto", t("gate.upto.value", { vote: whole(view.last_vote), day: day(view.judged_at) })],
    ["gate.method", view.method],
  ];
  return section("gate.state", element("dl", { class: "a-facts-list" }, lines.map(([key, value]) => element("div", {}, element("dt", {}, t(key)), element("dd", {}, value)))));
}

function counts(reasons) {
  const told = Object.entries(reasons).map(([reason, votes]) => t("gate.count", { reason: t(`gate.reason.${reason}`), votes: whole(votes) }));
  return told.length ? told.join(" · ") : t("gate.count.none");
}

function boards(view) {
  const rows = view.rows.map((row) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("a", { href: `/model?name=${encodeURIComponent(row.name)}` }, row.name)),
      [rating(row), row.bt_without === null ? "–" : tenth(row.bt_without), moved(row), whole(row.votes)].map((text) => element("td", {}, text)),
    ),
  );
  const heads = ["gate.model", "gate.with", "gate.without", "gate.move", "gate.touched"].map((key) => element("th", { scope: "col" }, t(key)));
  const table = element("table", {}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows));
  const shown = rows.length ? element("div", { class: "a-table a-plain-table", tabindex: "0", role: "region", "aria-label": t("gate.boards") }, table) : element("p", { class: "a-note" }, t("gate.none"));
  return section("gate.boards", element("p", {}, t("gate.boards.help")), shown);
}

const rating = (row) => (row.bt === null ? "–" : `${tenth(row.bt)} (${whole(row.bt_low)}–${whole(row.bt_high)})`);

const moved = (row) => (row.bt === null || row.bt_without === null ? "–" : tenth(row.bt - row.bt_without));

function files(view) {
  const today = new Date().toISOString().slice(0, 10);
  const weeks = view.weeks.map((week) =>
    element("li", {}, week.published <= today ? element("a", { href: `/api/v1/audit/${week.week}` }, week.week) : week.week, ` – ${t("gate.published", { day: day(week.published) })}`),
  );
  const links = [
    ["/api/v1/votes/export", "gate.file.votes"],
    ["/api/v1/votes/decisions", "gate.file.decisions"],
  ].map(([href, text]) => element("li", {}, element("a", { href }, t(text))));
  const command = "arena integrity gate --from votes.jsonl --audit 2026-W45.jsonl --decisions decisions.jsonl";
  return section("gate.again", element("p", {}, t("gate.again.help")), element("ul", {}, links, weeks), element("pre", { tabindex: "0" }, element("code", {}, command)));
}
