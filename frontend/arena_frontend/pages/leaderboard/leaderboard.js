// Keeps the leaderboard current: shows a new snapshot once it is published, and the time since the last one.

import { show } from "./swap.js";

const at = (id) => document.getElementById(id);
const root = document.documentElement;

// Fetches the ids of the newest board while the page is visible, and the page if it shows another one.
async function poll() {
  if (document.hidden) return;
  const answer = await fetch("/api/v1/leaderboard/newest", { cache: "no-cache" }).catch(() => null);
  const ids = answer?.ok ? await answer.json() : null;
  const isOld = ids && `${ids.snapshot}-${ids.tables}` !== at("board").dataset.newest;
  const isLive = isOld ? await show().then(() => true, () => false) : Boolean(ids);
  root.dataset.live = String(isLive);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function showAge() {
  const element = /** @type {HTMLTimeElement | null} */ (at("board-updated"));
  if (!element) return;
  const date = new Date(element.dateTime);
  const seconds = Math.min(0, Math.round((date.getTime() - Date.now()) / 1000));
  const [unit, size] = UNITS.find(([, size]) => -seconds >= size) ?? UNITS.at(-1);
  element.textContent = new Intl.RelativeTimeFormat(root.lang, { numeric: "auto" }).format(Math.round(seconds / size), unit);
  element.title = date.toLocaleString(root.lang);
}

// Before swap.js, which would fetch the view and put the link as it was in the place of what it says.
document.addEventListener("click", copyLink, true);

/** @type {(event: Event) => Promise<void>} */
async function copyLink(event) {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.("#board-link"));
  if (!link) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  link.textContent = await navigator.clipboard.writeText(link.href).then(() => link.dataset.copied, () => link.href);
}

// A column's note would stay in its place while the page scrolls under it. A scroll that ended before it was opened may
// be reported after that.
let openPositions = "";
const positions = () => String([scrollX, scrollY, at("board-scroll")?.scrollLeft]);
document.addEventListener("beforetoggle", () => (openPositions = positions()), true);
document.addEventListener("scroll", () => positions() !== openPositions && /** @type {HTMLElement} */ (document.querySelector(":popover-open"))?.hidePopover(), { capture: true, passive: true });

showAge();
setInterval(showAge, 20_000);
document.addEventListener("swapped", showAge);
setInterval(poll, 15_000);
document.addEventListener("visibilitychange", poll);
addEventListener("online", poll);
poll();
