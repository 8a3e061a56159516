// What is live of the leaderboard: a new snapshot appears by itself, and the time since the last one passes.

import { show } from "./swap.js";

const at = (id) => document.getElementById(id);
const root = document.documentElement;

// Asks for the ids of the newest board while the page is visible, and for the page when it shows another.
async function poll() {
  if (document.hidden) return;
  const answer = await fetch("/api/v1/leaderboard/newest", { cache: "no-cache" }).catch(() => null);
  const ids = answer?.ok ? await answer.json() : null;
  const old = ids && `${ids.snapshot}-${ids.tables}` !== at("board").dataset.newest;
  const lost = old ? await show().then(() => false, () => true) : !ids;
  root.dataset.live = String(!lost);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function clock() {
  const place = /** @type {HTMLTimeElement | null} */ (at("board-updated"));
  if (!place) return;
  const made = new Date(place.dateTime);
  const seconds = Math.min(0, Math.round((made.getTime() - Date.now()) / 1000));
  const [unit, size] = UNITS.find(([, long]) => -seconds >= long) ?? UNITS.at(-1);
  place.textContent = new Intl.RelativeTimeFormat(root.lang, { numeric: "auto" }).format(Math.round(seconds / size), unit);
  place.title = made.toLocaleString(root.lang);
}

document.addEventListener("click", async (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.("#board-link"));
  if (!link) return;
  link.textContent = await navigator.clipboard.writeText(link.href).then(() => link.dataset.copied, () => link.href);
});

// A note at a column that lies open hides nothing once the page moves under it.
document.addEventListener("scroll", () => /** @type {HTMLElement} */ (document.querySelector(":popover-open"))?.hidePopover(), { capture: true, passive: true });

clock();
setInterval(clock, 20_000);
document.addEventListener("swapped", clock);
setInterval(poll, 15_000);
document.addEventListener("visibilitychange", poll);
addEventListener("online", poll);
poll();
