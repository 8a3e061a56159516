// Acts on the voter's own battles and chats, which the server has listed.

import { call } from "./api.js";
import { check } from "./receipts.js";
import { all, at, element, forgetVisitor, on, selectConversation } from "./shell.js";
import { excludedText, localizeTimes, problemText, t } from "./texts.js";

const PAGES = { battle: "/", side_by_side: "/side-by-side", direct: "/direct" };

/** @type {(address: string) => Promise<Document>} */
async function fetchPage(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Shows the result of an act in its row, in place of the last one.
/** @type {(button: HTMLElement, text: string, attributes?: Record<string, unknown>) => void} */
function say(button, text, attributes = {}) {
  const row = button.closest("li");
  row.querySelector("[role=status]")?.remove();
  row.append(element("p", { class: "a-round-facts", role: "status", ...attributes }, text));
}

on("open", ({ dataset }) => {
  selectConversation(dataset.kind, dataset.id);
  location.assign(PAGES[dataset.kind]);
});

on("more", async (link, event) => {
  event.preventDefault();
  const page = await fetchPage(link.href).catch(() => null);
  const rows = page ? all("#mine-list > li", page) : [];
  if (!rows.length) return location.assign(link.href);
  at("mine-list").append(...rows);
  at("mine-more").replaceWith(page.getElementById("mine-more"));
  localizeTimes(at("main"));
  rows[0].querySelector("button")?.focus();
});

// Buttons of a share stand in a row: its link, withdraw, unlist.
on("withdraw", async (button) => {
  const answer = await call("DELETE", `/battles/${encodeURIComponent(button.dataset.id)}/share`);
  say(button, answer.ok ? t("share.withdrawn") : problemText(answer.problem));
  if (!answer.ok) return;
  button.previousElementSibling.remove();
  if (button.nextElementSibling?.matches("[data-act=unlist]")) button.nextElementSibling.remove();
  button.remove();
});

on("unlist", async (button) => {
  const answer = await call("DELETE", `/battles/${encodeURIComponent(button.dataset.id)}/share/listing`);
  say(button, answer.ok ? t("share.unlisted") : problemText(answer.problem));
  if (answer.ok) button.remove();
});

// Green only if all holds: the vote, its place in the log, the signature, and what this browser saw before.
// A vote stays in the log when it is excluded, so the arena is asked whether it still counts.
on("receipt", async (button) => {
  const { id } = button.dataset;
  const [{ state, why, place }, { data }] = await Promise.all([check(id), call("GET", `/battles/${encodeURIComponent(id)}/reveal`)]);
  const facts = place ? { number: place.index + 1, count: place.size, root: place.root } : { why: why ?? "" };
  const fate = data?.excluded ? ` ${excludedText(data.excluded)}` : "";
  say(button, t(`mine.receipt.${state}`, facts) + fate, { "data-receipt": state });
});

on("keep", () => {
  const details = /** @type {HTMLDetailsElement} */ (at("mine-forget"));
  details.open = false;
  details.querySelector("summary").focus();
});

on("forget", async () => {
  const answer = await call("DELETE", "/me");
  if (!answer.ok) return at("mine-forget").append(element("p", { role: "alert" }, problemText(answer.problem)));
  const done = at("mine-out") ? "forget.members.done" : "forget.done"; // only members sign out
  forgetVisitor();
  at("mine").replaceChildren(element("p", { role: "status" }, t(done)), element("p", {}, element("a", { href: "/" }, t("board.empty.action"))));
});

localizeTimes(at("main"));
