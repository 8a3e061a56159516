// The panel after the vote: names, outcome, whether the vote counts, and other voters' outcomes.

import { insist } from "./api.js";
import { at, element, outward } from "./dom.js";
import { OUTCOMES, SIDES } from "./sides.js";
import { remarksForm } from "./battle_remarks.js";
import { cents, tenth, whole } from "./numbers.js";
import { shareRow } from "./battle_share.js";
import { ownerName, raw, t } from "./texts.js";

let shownId = null;

export function show({ phase, reveal, id, turns }) {
  const [box, after] = [at("reveal-box"), at("after-box")];
  box.hidden = after.hidden = phase !== "voted";
  if (phase !== "voted") {
    shownId = null;
    box.replaceChildren();
    return after.replaceChildren();
  }
  if (shownId === id) return;
  shownId = id;
  box.replaceChildren(...panel(reveal, `reveal.chose.${reveal.outcome}`), element("div", { class: "a-reveal-end" }, note(reveal), crowdLine(id, reveal.outcome)));
  after.replaceChildren(remarksForm(id, reveal), reasoning(id), shareRow(id, turns[0].prompt, reveal));
}

function panel(reveal, title) {
  const winner = reveal.outcome in reveal ? { name: reveal[reveal.outcome].name } : {};
  return [
    element("h2", { class: "a-reveal-title" }, t(title, winner)),
    element("div", { class: "a-reveal-cards", "data-outcome": reveal.outcome }, SIDES.map((side) => card(side, reveal))),
  ];
}

function note({ counted, reason }) {
  const key = counted ? "reveal.counted" : `reveal.not.${reason}`;
  const text = t(raw(key) ? key : "reveal.not.other");
  return element("p", { class: "a-reveal-note", "data-counted": String(counted) }, text, " ", element("a", { href: "/leaderboard" }, t("reveal.board")));
}

function card(side, reveal) {
  const { name, owner, licence, link, demo } = reveal[side];
  const facts = [t("reveal.owner", { owner: ownerName(owner) }), licence && t("reveal.licence", { licence })];
  const text = element(
    "div",
    { class: "a-card-text" },
    element("h3", {}, element("a", { href: `/model?name=${encodeURIComponent(name)}` }, name), " ", demo ? element("span", { class: "a-tag" }, t("reveal.demo")) : null),
    results(name),
    element("p", { class: "a-card-facts" }, facts.filter(Boolean).join(" · "), outward(link, t("reveal.link"))),
  );
  return element("article", { class: "a-card", "data-side": side, "data-winner": reveal.outcome === side }, element("span", { class: "a-badge", "data-side": side }, side.toUpperCase()), text);
}

// Rank and rating, with an interval where there is one, once the model is on the board, and what a million tokens cost in
// money and energy.
function results(name) {
  const line = element("p", { class: "a-card-rank" }, t("reveal.unrated"));
  const meters = element("p", { class: "a-meters" });
  insist("GET", `/models/${name.split("/").map(encodeURIComponent).join("/")}`).then(({ ok, data }) => {
    if (!ok) return;
    meters.append(...costs(data));
    const row = data.standings.find(({ category, language }) => !category && !language)?.row;
    if (!row || row.bt === null) return;
    if (row.component) {
      line.textContent = t("reveal.unplaced");
      return;
    }
    line.textContent = t("reveal.rank", { rank: row.rank, rating: whole(row.bt) });
    if (row.bt_low !== null) line.append(" ", t("reveal.interval", { low: whole(row.bt_low), high: whole(row.bt_high) }));
  });
  return [line, meters];
}

// Bars on a logarithmic scale from a hundredth to a hundred. The price is that of three tokens read for each one written.
const [LOW, DECADES] = [0.01, 4];

function costs({ price_in: read, price_out: written, energy }) {
  const price = typeof read === "number" && typeof written === "number" ? (3 * read + written) / 4 : null;
  const bar = (amount) => element("i", { style: `--share: ${Math.min(1, Math.max(0.04, Math.log10(Math.max(amount, LOW) / LOW) / DECADES))}` });
  // A kilowatt-hour for a million tokens is ten watts for six minutes for a thousand.
  const lamp = typeof energy === "number" ? `${t("reveal.energy")}: ${t("energy.lamp", { minutes: tenth(6 * energy) })}` : "";
  const cost = (title, amount, text) => typeof amount === "number" && element("span", { title }, bar(amount), text);
  return [cost(t("reveal.price"), price, `$ ${cents(price)}`), cost(lamp, energy, `${tenth(energy)} kWh`)].filter(Boolean);
}

// How many chose the same for this pair before; fewer than FEW say nothing.
const FEW = 5;

function crowdLine(id, outcome) {
  const line = element("div", { class: "a-crowd" }, element("p", {}, "\u00a0"));
  insist("GET", `/battles/${encodeURIComponent(id)}/crowd`).then(({ ok, data }) => {
    const count = ok ? OUTCOMES.reduce((sum, name) => sum + data[name], 0) : 0;
    if (count < FEW) return line.remove();
    const share = (name) => Math.round((100 * data[name]) / count);
    const label = OUTCOMES.map((name) => t("crowd.part", { what: t(`vote.${name}`), share: share(name) })).join(" · ");
    const bars = OUTCOMES.filter((name) => data[name]).map((name) => element("span", { "data-outcome": name, style: `flex-grow: ${data[name]}` }));
    line.replaceChildren(element("p", {}, t("crowd.same", { share: share(outcome), count })), element("div", { class: "a-crowd-bar", role: "img", "aria-label": label }, bars));
  });
  return line;
}

// The reasoning of both models, collapsed, if the operator shows it.
function reasoning(id) {
  const box = element("div", { class: "a-thoughts" });
  insist("GET", `/battles/${encodeURIComponent(id)}/reasoning`).then(({ ok, data }) => {
    if (!ok || !data.turns.length) return;
    const thoughts = data.turns.flatMap((turn) => Object.entries(turn.thoughts).map(([side, text]) => thought(turn, side, text)));
    box.replaceChildren(element("details", {}, element("summary", {}, t("reasoning.title")), ...thoughts));
  });
  return box;
}

// Plain text only, because it is as untrusted as answers.
const thought = ({ number }, side, text) =>
  element("section", {}, element("h3", {}, t("reasoning.of", { number, side: side.toUpperCase() })), element("p", { class: "a-thought", dir: "auto", tabindex: "0" }, text));
