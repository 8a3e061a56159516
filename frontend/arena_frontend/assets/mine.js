// The voter's own battles on this device, newest first, the personal board, and deletion.

import { call, insist } from "./api.js";
import { at, element, first } from "./dom.js";
import { failure } from "./failure.js";
import * as memory from "./memory.js";
import { check } from "./receipts.js";
import { on, present } from "./shell.js";
import { language, problemText, t } from "./texts.js";

const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const percent = new Intl.NumberFormat(language, { style: "percent" });
const PAGES = { battle: "/", side_by_side: "/side-by-side", direct: "/direct" };
let next = null;

export async function attach() {
  await present("mine-list");
  on("more", () => load(next));
  on("open", ({ dataset }) => {
    memory.takeUp(dataset.kind, dataset.id);
    location.assign(PAGES[dataset.kind]);
  });
  on("withdraw", withdraw);
  on("receipt", receipt);
  on("forget", askForget);
  on("forget-no", forgetOffer);
  on("forget-yes", forget);
  on("reload", whole);
  await whole();
}

const whole = () => Promise.all([load(), board(), chats()]);

async function load(before) {
  const answer = await insist("GET", `/me/battles${before ? `?before=${encodeURIComponent(before)}` : ""}`);
  const list = at("mine-list");
  list.removeAttribute("aria-busy");
  if (!answer.ok) return list.replaceChildren(failure(answer, whole));
  const { battles, next: behind } = answer.data;
  next = behind;
  if (!before) list.replaceChildren(battles.length ? element("ul", { class: "a-rounds" }) : nothing());
  const rows = battles.map(row);
  list.querySelector("ul")?.append(...rows);
  at("mine-more").replaceChildren(...(next ? [button("more", t("mine.more"))] : []));
  if (before) rows[0]?.querySelector("button, a")?.focus();
  if (battles.length) forgetOffer();
}

const button = (act, text, attributes = {}) =>
  element("button", { type: "button", class: "a-button", "data-act": act, ...attributes }, text);

const nothing = () =>
  element("p", { class: "a-none" }, t("mine.none"), " ", element("a", { href: "/" }, t("board.empty.action")));

function row(battle) {
  const { id, prompt, created_at: made, shared } = battle;
  return element(
    "li",
    { class: "a-round", "data-state": battle.state },
    element("p", { class: "a-round-prompt" }, prompt),
    element("p", { class: "a-round-facts" }, [when.format(new Date(made)), turns(battle), outcome(battle)].filter(Boolean).join(" · ")),
    element(
      "p",
      { class: "a-round-tools" },
      ["open", "voted"].includes(battle.state)
        ? opener("battle", id, t(`mine.open.${battle.state}`))
        : null,
      shared ? element("a", { class: "a-link", href: `/shared?b=${encodeURIComponent(shared)}` }, t("mine.shared")) : null,
      shared
        ? element("button", { type: "button", class: "a-link", "data-act": "withdraw", "data-id": id }, t("share.withdraw"))
        : null,
      battle.state === "voted"
        ? element("button", { type: "button", class: "a-link", "data-act": "receipt", "data-id": id }, t("mine.receipt.check"))
        : null,
    ),
  );
}

// Green only when all holds: the vote, its place in the log, the signature, and what this browser saw before.
async function receipt({ dataset }) {
  const list = at("mine-list");
  const button = list.querySelector(`[data-act="receipt"][data-id="${CSS.escape(dataset.id)}"]`);
  const { state, why, place } = await check(dataset.id);
  const facts = place ? { number: place.index + 1, count: place.size, root: place.root } : { why: why ?? "" };
  const said = element("p", { class: "a-round-facts", role: "status", "data-receipt": state }, t(`mine.receipt.${state}`, facts));
  button?.closest("li")?.querySelector("[data-receipt]")?.remove();
  button?.closest("li")?.append(said);
}

const opener = (kind, id, text) => element("button", { type: "button", class: "a-link", "data-act": "open", "data-kind": kind, "data-id": id }, text);

const turns = ({ turns: count }) => (count > 1 ? t("mine.turns", { count }) : null);

function outcome({ state, outcome: chosen, a, b, counted }) {
  if (state !== "voted") return t(`mine.state.${state}`);
  const words = t(`mine.chose.${chosen}`, { a, b });
  return counted ? words : `${words} (${t("mine.not_counted")})`;
}

// Chats with chosen models are listed separately.
async function chats() {
  const { ok, data } = await insist("GET", "/me/chats");
  if (!ok || !data.chats.length) return;
  at("mine-chats").replaceChildren(element("h2", {}, t("mine.chats")), element("ul", { class: "a-rounds" }, data.chats.map(chat)));
  forgetOffer();
}

const chat = ({ id, state, prompt, created_at: made, models, turns: count }) =>
  element(
    "li",
    { class: "a-round", "data-state": state },
    element("p", { class: "a-round-prompt" }, prompt),
    element("p", { class: "a-round-facts" }, [models.join(" · "), when.format(new Date(made)), turns({ turns: count })].filter(Boolean).join(" · ")),
    state === "open" ? element("p", { class: "a-round-tools" }, opener(models.length > 1 ? "side_by_side" : "direct", id, t("mine.open.open"))) : "",
  );

async function board() {
  const { ok, data } = await insist("GET", "/me/board");
  if (!ok || !data.votes) return;
  const place = at("mine-board");
  if (!data.rows.length) return place.replaceChildren(element("p", { class: "a-none" }, t("mine.board.wait", { count: data.needed - data.votes })));
  const heads = ["name", "win", "record", "battles"];
  place.replaceChildren(
    element("h2", {}, t("mine.board.title")),
    element("p", { class: "a-round-facts" }, t("mine.board.lead", { count: data.votes })),
    element(
      "table",
      { class: "a-mine-table" },
      element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, t(`mine.col.${name}`))))),
      element("tbody", {}, ...data.rows.map(model)),
    ),
  );
}

const model = (one) =>
  element(
    "tr",
    {},
    element("th", { scope: "row" }, one.name),
    element("td", {}, percent.format(one.points / one.battles)),
    element("td", {}, `${one.wins} / ${one.ties} / ${one.losses} / ${one.both_bad}`),
    element("td", {}, String(one.battles)),
  );

async function withdraw({ dataset }) {
  const answer = await call("DELETE", `/battles/${encodeURIComponent(dataset.id)}/share`);
  if (answer.ok) await load();
}

// Explains what is deleted and what stays before it is done.
function forgetOffer() {
  at("mine-forget").replaceChildren(button("forget", t("forget.offer")));
}

function askForget() {
  at("mine-forget").replaceChildren(
    element(
      "section",
      { class: "a-forget", "aria-label": t("forget.offer") },
      element("p", {}, t("forget.what")),
      element("ul", {}, ...["cookie", "texts", "links", "votes"].map((part) => element("li", {}, t(`forget.${part}`)))),
      button("forget-yes", t("forget.yes"), { class: "a-button a-danger" }),
      " ",
      button("forget-no", t("forget.no")),
    ),
  );
  first("[data-act=forget-no]", at("mine-forget")).focus();
}

async function forget() {
  const answer = await call("DELETE", "/me");
  const place = at("mine-forget");
  if (!answer.ok) return place.append(element("p", { role: "alert" }, problemText(answer.problem)));
  memory.forget();
  at("mine-board").replaceChildren();
  at("mine-list").replaceChildren(nothing());
  at("mine-more").replaceChildren();
  at("mine-chats").replaceChildren();
  place.replaceChildren(element("p", { role: "status" }, t("forget.done")));
}
