// Shared by all pages: light and dark, the bar's menu and navigation, and the actions of buttons.

/** @type {(selector: string) => HTMLElement | null} */
const first = (selector) => document.querySelector(selector);
/** @type {(event: Event, selector: string) => HTMLElement | null} */
const around = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const THEME = "arena_theme";
/** @type {string | null} */
let themeOfVisit = null; // where site data are blocked

function theme() {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return themeOfVisit;
  }
}

/** @type {(wish: string | null) => void} */
function setTheme(wish) {
  themeOfVisit = wish;
  try {
    if (wish) localStorage.setItem(THEME, wish);
    else localStorage.removeItem(THEME);
  } catch {
    // It lasts for this visit.
  }
}

const isDark = () => (theme() ? theme() === "dark" : system.matches);

function applyTheme() {
  root.dataset.theme = isDark() ? "dark" : "light";
  if (document.body.classList.contains("dark") !== isDark()) document.body.classList.toggle("dark", isDark());
  const button = first("[data-act=theme]");
  if (!button) return;
  button.dataset.wish = theme() ?? "system";
  for (const name of ["aria-label", "title"]) button.setAttribute(name, button.dataset[theme() ?? "system"]);
}

const handlers = {
  // One press changes what is seen; where it is then as the system has it, it follows the system again.
  theme() {
    const next = isDark() ? "light" : "dark";
    setTheme(next === (system.matches ? "dark" : "light") ? null : next);
    applyTheme();
  },
};

// A button with data-act calls the handler of this name. A click before the handler is there is repeated for it.
const earlyClicks = new Map();
export const hasEarlyClick = () => earlyClicks.size > 0;

export function on(name, handler) {
  handlers[name] = handler;
  const click = earlyClicks.get(name);
  earlyClicks.delete(name);
  if (click?.button.isConnected) setTimeout(() => handler(click.button, click.event));
}

document.addEventListener("click", (event) => {
  const button = around(event, "[data-act]");
  if (!button) return;
  const act = button.dataset.act;
  if (act in handlers) handlers[act](button, event);
  else earlyClicks.set(act, { button, event });
});

// The language menu closes on a click elsewhere; its links keep the rest of the URL.
/** @type {() => HTMLDetailsElement | null} */
const menu = () => document.querySelector(".a-langs");

document.addEventListener("click", (event) => {
  if (around(event, ".a-langs")) keepAddress();
  else if (menu()?.open) menu().open = false;
});

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !menu()?.open) return;
  menu().open = false;
  menu().querySelector("summary").focus();
});

function keepAddress() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".a-langs a");
  for (const link of links) {
    const address = new URL(location.href);
    address.searchParams.set("lang", new URL(link.href).searchParams.get("lang"));
    link.href = address.pathname + address.search + address.hash;
  }
}

system.addEventListener("change", applyTheme);
window.addEventListener("storage", (event) => event.key === "arena_theme" && applyTheme());

// Removes the first view, except for what moves into Gradio's page, with the focus if it is there; until then that page
// is inert.
export function uncover() {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#arena-boot [data-into]")))
    first(`[data-place=${part.dataset.into}]`)?.replaceChildren(...part.childNodes);
  document.getElementById("arena-boot")?.remove();
  const app = first("gradio-app");
  if (app) app.inert = false;
  if (focused.isConnected) focused.focus({ preventScroll: true });
  fitNav(first(".a-nav"));
  applyTheme();
}

// Where the navigation has no room it scrolls, so that the current page's entry is visible. The leaderboard's entry is
// sticky; no other one lies half under it, since no finger could hit the rest.
/** @param {HTMLElement} nav */
function fitNav(nav) {
  /** @type {NodeListOf<HTMLElement>} */
  const entries = nav.querySelectorAll("a");
  const sticky = [...entries].find(({ dataset }) => dataset.page === "leaderboard");
  const others = [...entries].filter((entry) => entry !== sticky && entry.offsetWidth);
  nav.style.paddingRight = "";
  const overflow = nav.scrollWidth - nav.clientWidth;
  if (overflow > 0) {
    const starts = others.map(({ offsetLeft }) => offsetLeft - others[0].offsetLeft);
    const current = others.find((entry) => entry.ariaCurrent);
    const needed = current ? starts[others.indexOf(current)] + current.offsetWidth - (nav.clientWidth - sticky.offsetWidth) : 0;
    nav.style.scrollPaddingLeft = `${sticky.offsetWidth}px`;
    const end = starts.find((start) => start >= overflow) ?? overflow;
    nav.style.paddingRight = `${end - overflow}px`;
    nav.scrollLeft = starts.find((start) => start >= needed) ?? end;
  }
  showEdges(nav);
}

/** @param {HTMLElement} nav */
function showEdges(nav) {
  const rest = nav.scrollWidth - nav.clientWidth - nav.scrollLeft - parseFloat(getComputedStyle(nav).paddingRight);
  const [sticky, ...others] = [...nav.querySelectorAll("a")].sort(({ dataset }) => (dataset.page === "leaderboard" ? -1 : 1));
  const edge = sticky.getBoundingClientRect().right + 1;
  for (const entry of others) entry.toggleAttribute("data-under", rest + nav.scrollLeft >= 1 && entry.getBoundingClientRect().right <= edge);
  nav.dataset.more = [nav.scrollLeft >= 1 && "left", rest >= 1 && "right"].filter(Boolean).join(" ");
}

export async function present(id) {
  if (document.getElementById(id)) return;
  await new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.getElementById(id)) return;
      observer.disconnect();
      requestAnimationFrame(resolve);
    });
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["id"] });
  });
}

const nav = first(".a-nav");
if (nav) {
  new ResizeObserver(() => fitNav(nav)).observe(nav, { box: "border-box" });
  nav.addEventListener("scroll", () => showEdges(nav), { passive: true });
}
applyTheme();
new MutationObserver(applyTheme).observe(document.body, { attributeFilter: ["class"] });
const address = new URL(location.href);
if (address.searchParams.has("lang")) {
  address.searchParams.delete("lang");
  history.replaceState(history.state, "", address);
}
keepAddress();
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
// A battle or chat is uncovered by its engine, which takes over what was typed.
if (first("gradio-app")) present("engine").then(() => document.getElementById("early") || uncover());
