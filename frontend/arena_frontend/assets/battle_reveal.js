// After the vote: names, outcome, whether the vote counts, other voters' outcomes, remarks, and a link to share.

import { call, insist, loaded } from "./api.js";
import { OUTCOMES, SIDES, all, at, copy, element, on, outward } from "./shell.js";
import { cents, excludedText, ownerName, problemText, raw, t, tenth, whole } from "./texts.js";

// Optional remarks after the vote: reasons and stars per side.

const GOOD = ["useful", "complete", "creative", "clear"];
const BAD = ["wrong", "shallow", "ignored"];
const CRITERIA = ["accuracy", "informativeness", "fluency", "logic", "harmlessness"];
const STARS = [1, 2, 3];

const remarksPath = (id) => `/battles/${encodeURIComponent(id)}/remarks`;

// Each side is addressed by the name that the vote has revealed. Remarks that are saved stand there and cannot be changed.
function remarksForm(id, reveal) {
  const remarks = Object.fromEntries(SIDES.map((side) => [side, { reasons: [], stars: {} }]));
  const status = element("span", { class: "a-remarks-say", role: "status" }, t("remarks.final"));
  const save = element("button", { type: "button", class: "a-save", "data-act": "remarks", disabled: true }, t("remarks.save"));
  const parts = SIDES.map((side) => part(side, reveal[side].name));
  const body = element("div", { class: "a-remarks-body" }, parts, element("p", { class: "a-remarks-end" }, save, " ", status));
  const update = () => (save.disabled = !SIDES.some((side) => hasRemark(remarks[side])));
  on("reason", (button) => {
    const { side, reason } = button.dataset;
    const isChosen = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isChosen));
    remarks[side].reasons = remarks[side].reasons.filter((name) => name !== reason).concat(isChosen ? [reason] : []);
    update();
  });
  body.addEventListener("change", (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    const [side, criterion] = name.split("-");
    remarks[side].stars[criterion] = Number(value);
    update();
  });
  const title = element("summary", {}, t("remarks.title"));
  const lock = (stored, text) => {
    title.textContent = t("remarks.yours");
    status.textContent = text;
    showStored(body, stored);
  };
  const showSaved = async (text) => {
    const { ok, data } = await insist("GET", remarksPath(id));
    if (ok && SIDES.some((side) => data[side])) lock(data, text);
  };
  on("remarks", async () => {
    const { ok, data, problem } = await insist("POST", remarksPath(id), { body: chosen(remarks) });
    if (ok) return lock(data, t("remarks.saved"));
    status.textContent = problemText(problem);
    if (problem.code === "already_remarked") showSaved(problemText(problem));
  });
  showSaved(t("remarks.kept"));
  return element("details", { class: "a-remarks" }, title, body);
}

const hasRemark = ({ reasons, stars }) => reasons.length + Object.keys(stars).length > 0;
const chosen = (remarks) => Object.fromEntries(SIDES.filter((side) => hasRemark(remarks[side])).map((side) => [side, remarks[side]]));

// What is stored, in place of what was chosen here.
/** @type {(body: HTMLElement, stored: Record<string, { reasons: string[], stars: Record<string, number> } | null>) => void} */
function showStored(body, stored) {
  for (const chip of all("[data-reason]", body)) {
    const { side, reason } = chip.dataset;
    chip.setAttribute("aria-pressed", String(stored[side]?.reasons.includes(reason) ?? false));
  }
  for (const radio of body.querySelectorAll("input")) {
    const [side, criterion] = radio.name.split("-");
    radio.checked = stored[side]?.stars[criterion] === Number(radio.value);
  }
  for (const control of body.querySelectorAll("button, input")) /** @type {HTMLButtonElement} */ (control).disabled = true;
}

function part(side, name) {
  const legend = element("legend", {}, element("span", { class: "a-badge", "data-side": side }, side.toUpperCase()), ` ${name}`);
  return element("fieldset", { class: "a-remarks-side" }, legend, chips(side, GOOD), chips(side, BAD), CRITERIA.map((criterion) => stars(side, name, criterion)));
}

function chips(side, reasons) {
  const attributes = { type: "button", class: "a-chip", "data-act": "reason", "data-side": side, "aria-pressed": "false" };
  return element("div", { class: "a-chips" }, reasons.map((reason) => element("button", { ...attributes, "data-reason": reason }, t(`reason.${reason}`))));
}

function stars(side, name, criterion) {
  const title = t(`criterion.${criterion}`);
  const star = (count) => {
    const radio = element("input", { type: "radio", name: `${side}-${criterion}`, value: count, "aria-label": t("stars", { count }) });
    return element("label", { class: "a-star" }, radio, element("span", { "aria-hidden": "true" }, "★"));
  };
  return element("div", { class: "a-stars", role: "radiogroup", "aria-label": `${name}: ${title}` }, element("span", { class: "a-stars-name" }, title), STARS.map(star));
}

// After the vote: a link to the battle, made on request, and a card of it as a picture to save.

// Asks whether everybody may find the battle, and not only those whom its voter sends the link.
function listing(path, listed, say) {
  const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id: "share-list", "aria-describedby": "share-list-help" }));
  box.checked = listed;
  box.addEventListener("change", async () => {
    const answer = await call(box.checked ? "PUT" : "DELETE", `${path}/listing`);
    if (answer.ok) box.checked = answer.data.listed;
    else box.checked = !box.checked;
    say(answer.ok ? t(box.checked ? "share.listed" : "share.unlisted") : problemText(answer.problem));
  });
  return element("p", { class: "a-share-list" }, element("label", {}, box, " ", t("share.list")), " ", element("small", { id: "share-list-help" }, t("share.list.help")));
}

const button = (act, key) => element("button", { type: "button", class: "a-link", "data-act": act }, t(key));

// The voter may withdraw the link.
function shareRow(id, question, reveal) {
  const row = element("div", { class: "a-share" });
  const path = `/battles/${encodeURIComponent(id)}/share`;
  const offer = (key) => row.replaceChildren(button("share", key));
  /** @type {() => HTMLInputElement} */
  const box = () => row.querySelector(".a-share-link");
  const say = (text) => row.querySelector(".a-share-say")?.replaceChildren(text);
  const card = () => loaded(() => import("./share_card.js"));
  on("share", async () => {
    const answer = await call("POST", path);
    if (!answer.ok) return row.append(element("span", { role: "status" }, ` ${t("share.failed")}`));
    const { picture } = await card();
    const link = `${location.origin}/shared?b=${answer.data.token}`;
    row.replaceChildren(
      element("input", { class: "a-share-link", readonly: true, value: link, "aria-label": t("share.link") }),
      ...["copy", "withdraw", "picture"].map((act) => button(`share-${act}`, `share.${act}`)),
      listing(path, answer.data.listed, say),
      element("span", { class: "a-share-say", role: "status" }),
      picture(question, reveal),
    );
    box().focus({ preventScroll: true });
    box().select();
  });
  on("share-copy", async () => {
    if (await copy(box().value)) say(t("share.copied"));
    box().select();
  });
  on("share-picture", async () => (await card()).save(row.querySelector("canvas"), "battle.png"));
  on("share-withdraw", async () => {
    const answer = await call("DELETE", path);
    if (!answer.ok) return say(t("share.failed"));
    offer("share.make");
    row.append(element("span", { role: "status" }, ` ${t("share.withdrawn")}`));
  });
  offer(reveal.shared ? "share.link" : "share.make");
  return row;
}

// The panel after the vote: names, outcome, whether the vote counts, and other voters' outcomes.

let shownId = null;

export function show({ phase, reveal, id, kind, turns }) {
  const [box, after] = [at("reveal-box"), at("after-box")];
  box.hidden = after.hidden = phase !== "voted";
  if (phase !== "voted") {
    shownId = null;
    box.replaceChildren();
    return after.replaceChildren();
  }
  if (shownId === id) return;
  shownId = id;
  const board = boardOf(kind);
  box.replaceChildren(...panel(reveal, board, `reveal.chose.${reveal.outcome}`), element("div", { class: "a-reveal-end" }, note(reveal, board), crowdLine(id, reveal.outcome)));
  after.replaceChildren(remarksForm(id, reveal), reasoning(id), shareRow(id, turns[0].prompt, reveal));
}

// The board of the battle's kind, and a link to it. That of web pages needs votes first, so its link appears with a place.
function boardOf(kind) {
  const category = kind === "web_page" ? "web" : "";
  const href = category ? `/leaderboard?category=${category}` : "/leaderboard";
  return { category, link: element("a", { href, hidden: Boolean(category) }, t("reveal.board")) };
}

function panel(reveal, board, title) {
  const winner = reveal.outcome in reveal ? { name: reveal[reveal.outcome].name } : {};
  return [
    element("h2", { class: "a-reveal-title" }, t(title, winner)),
    element("div", { class: "a-reveal-cards", "data-outcome": reveal.outcome }, SIDES.map((side) => card(side, reveal, board))),
  ];
}

function note({ counted, reason, excluded, published }, board) {
  const key = counted ? (published ? "reveal.published" : "reveal.counted") : `reveal.not.${reason}`;
  const text = excluded ? excludedText(excluded) : t(raw(key) ? key : "reveal.not.other");
  return element("p", { class: "a-reveal-note", "data-counted": String(counted) }, text, " ", board.link);
}

function card(side, reveal, board) {
  const { name, owner, licence, link, demo } = reveal[side];
  const facts = [t("reveal.owner", { owner: ownerName(owner) }), licence && t("reveal.licence", { licence })];
  const text = element(
    "div",
    { class: "a-card-text" },
    element("h3", {}, element("a", { href: `/model?name=${encodeURIComponent(name)}` }, name), " ", demo ? element("span", { class: "a-tag" }, t("reveal.demo")) : null),
    results(name, board),
    element("p", { class: "a-card-facts" }, facts.filter(Boolean).join(" · "), outward(link, t("reveal.link"))),
  );
  return element("article", { class: "a-card", "data-side": side, "data-winner": reveal.outcome === side }, element("span", { class: "a-badge", "data-side": side }, side.toUpperCase()), text);
}

// Points of an interval beyond which it says nothing, as everywhere (see `shown_intervals.py`).
const WIDEST = 1000;

// Rank and rating, with an interval where there is one that says something, once the model is on the board, and what a
// million tokens cost in money and energy.
function results(name, board) {
  const line = element("p", { class: "a-card-rank" }, t("reveal.unrated"));
  const meters = element("p", { class: "a-meters" });
  insist("GET", `/models/${name.split("/").map(encodeURIComponent).join("/")}`).then(({ ok, data }) => {
    if (!ok) return;
    meters.append(...costs(data));
    const { row, count } = data.standings.find(({ category, language }) => category === board.category && !language) ?? {};
    if (row) board.link.hidden = false;
    if (!row || row.bt === null) return;
    if (row.component) {
      line.textContent = t(row.demo ? "reveal.practice" : "reveal.unplaced");
      return;
    }
    line.textContent = t("reveal.rank", { rank: row.rank, count, rating: whole(row.bt) });
    if (row.bt_low !== null && row.bt_high - row.bt_low <= WIDEST) line.append(" ", t("reveal.interval", { low: whole(row.bt_low), high: whole(row.bt_high) }));
    if (row.preliminary.length) line.append(" ", element("span", { class: "a-tag" }, t("board.young")));
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
