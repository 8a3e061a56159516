// After the vote: who was who, what was chosen, whether it counts, what others chose, and a link to show it.

import { call, insist } from "./api.js";
import { at, element, outward } from "./dom.js";
import { OUTCOMES, SIDES } from "./sides.js";
import { reasoning } from "./battle_reasoning.js";
import { remarks } from "./battle_remarks.js";
import { on } from "./shell.js";
import { ownerName, raw, t } from "./texts.js";

let shown = null;

export function show({ phase, reveal, id }) {
  const box = at("reveal-box");
  box.hidden = phase !== "voted";
  if (phase !== "voted") {
    shown = null;
    return box.replaceChildren();
  }
  if (shown === id) return;
  shown = id;
  box.replaceChildren(...panel(reveal, `reveal.chose.${reveal.outcome}`), note(reveal), crowdLine(id), reasoning(id), remarks(id), shareRow(id));
}

// Used by the page of a shared battle too.
export function panel(reveal, title) {
  const chose = reveal.outcome in reveal ? { name: reveal[reveal.outcome].name } : {};
  return [
    element("h2", { class: "a-reveal-title" }, t(title, chose)),
    element("div", { class: "a-reveal-cards" }, ...SIDES.map((side) => card(side, reveal))),
  ];
}

const note = ({ counted, reason }) =>
  element(
    "p",
    { class: "a-reveal-note", "data-counted": String(counted) },
    counted ? t("reveal.counted") : notCounted(reason),
    " ",
    element("a", { href: "/leaderboard" }, t("reveal.board")),
  );

function notCounted(reason) {
  const key = `reveal.not.${reason}`;
  return t(raw(key) ? key : "reveal.not.other");
}

function card(side, reveal) {
  const { name, owner, licence, link, demo } = reveal[side];
  const facts = [t("reveal.owner", { owner: ownerName(owner) }), licence && t("reveal.licence", { licence })];
  return element(
    "article",
    { class: "a-card", "data-side": side, "data-winner": reveal.outcome === side },
    element("span", { class: "a-badge", "data-side": side }, side.toUpperCase()),
    element(
      "div",
      { class: "a-card-text" },
      element("h3", {}, `${name} `, demo ? element("span", { class: "a-tag" }, t("reveal.demo")) : null),
      element("p", {}, facts.filter(Boolean).join(" · ")),
      outward(link, t("reveal.link")),
    ),
  );
}

// What the rest of the voters chose for this pair; it comes after the panel and moves nothing that is read already.
function crowdLine(id) {
  const line = element("div", { class: "a-crowd" }, element("p", {}, "\u00a0"));
  insist("GET", `/battles/${encodeURIComponent(id)}/crowd`).then(({ ok, data }) => {
    if (!ok) return line.replaceChildren();
    const count = OUTCOMES.reduce((sum, outcome) => sum + data[outcome], 0);
    if (!count) return line.replaceChildren(element("p", {}, t("crowd.none")));
    const parts = OUTCOMES.filter((outcome) => data[outcome]).map((outcome) => {
      const share = Math.round((100 * data[outcome]) / count);
      return { outcome, share, text: t("crowd.part", { what: t(`vote.${outcome}`), share }) };
    });
    line.replaceChildren(
      element("p", {}, `${t("crowd.title", { count })} `, parts.map(({ text }) => text).join(" · ")),
      element(
        "div",
        { class: "a-crowd-bar", "aria-hidden": "true" },
        ...parts.map(({ outcome, share }) => element("span", { "data-outcome": outcome, style: `flex-grow: ${share}` })),
      ),
    );
  });
  return line;
}

// The link exists only once it is asked for, and its voter may take it back.
function shareRow(id) {
  const row = element("div", { class: "a-share" });
  const path = `/battles/${encodeURIComponent(id)}/share`;
  const offer = () =>
    row.replaceChildren(element("button", { type: "button", class: "a-link", "data-act": "share" }, t("share.make")));
  const told = (text) => row.querySelector(".a-share-say")?.replaceChildren(text);
  on("share", async () => {
    const answer = await call("POST", path);
    if (!answer.ok) return row.append(element("span", { role: "status" }, ` ${t("share.failed")}`));
    const link = `${location.origin}/shared?b=${answer.data.token}`;
    row.replaceChildren(
      element("input", { class: "a-share-link", readonly: true, value: link, "aria-label": t("share.link") }),
      element("button", { type: "button", class: "a-link", "data-act": "share-copy" }, t("share.copy")),
      element("button", { type: "button", class: "a-link", "data-act": "share-withdraw" }, t("share.withdraw")),
      element("span", { class: "a-share-say", role: "status" }),
    );
    row.firstChild.focus({ preventScroll: true });
    row.firstChild.select();
  });
  on("share-copy", async () => {
    row.firstChild.select();
    // Without HTTPS there is no clipboard to write to, but what is selected can still be copied.
    const written = navigator.clipboard?.writeText(row.firstChild.value).then(() => true, () => false);
    if ((await written) || document.execCommand("copy")) told(t("share.copied"));
  });
  on("share-withdraw", async () => {
    const answer = await call("DELETE", path);
    if (!answer.ok) return told(t("share.failed"));
    offer();
    row.append(element("span", { role: "status" }, ` ${t("share.withdrawn")}`));
  });
  offer();
  return row;
}
