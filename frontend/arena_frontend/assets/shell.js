// Shared by all pages: appearance, and actions of buttons.

/** @type {(selector: string) => HTMLElement | null} */
const first = (selector) => document.querySelector(selector);
/** @type {(event: Event, selector: string) => HTMLElement | null} */
const around = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const ORDER = [null, "light", "dark"];
const wish = () => localStorage.getItem("arena_theme");

function appearance() {
  const dark = wish() ? wish() === "dark" : system.matches;
  root.dataset.theme = dark ? "dark" : "light";
  if (document.body && document.body.classList.contains("dark") !== dark) document.body.classList.toggle("dark", dark);
  const button = first("[data-act=theme]");
  if (!button) return;
  button.dataset.wish = wish() ?? "system";
  for (const name of ["aria-label", "title"]) button.setAttribute(name, button.dataset[wish() ?? "system"]);
}

const handlers = {
  theme() {
    const next = ORDER[(ORDER.indexOf(wish()) + 1) % ORDER.length];
    if (next) localStorage.setItem("arena_theme", next);
    else localStorage.removeItem("arena_theme");
    appearance();
  },
};

// Buttons in static markup have data-act; pages add their own actions. A click made before its action is there is kept.
const early = new Map();
export const pressed = () => early.size > 0;

export function on(name, handler) {
  handlers[name] = handler;
  const kept = early.get(name);
  early.delete(name);
  if (kept?.button.isConnected) setTimeout(() => handler(kept.button, kept.event));
}

document.addEventListener("click", (event) => {
  const button = around(event, "[data-act]");
  if (!button) return;
  const act = button.dataset.act;
  if (act in handlers) handlers[act](button, event);
  else early.set(act, { button, event });
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

system.addEventListener("change", appearance);
window.addEventListener("storage", (event) => event.key === "arena_theme" && appearance());

// Removes the first view, but for what moves into Gradio's page, with the focus if it is there; until then nothing of
// that page can be reached or take the focus.
export function uncover() {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#arena-boot [data-into]")))
    first(`[data-place=${part.dataset.into}]`)?.replaceChildren(...part.childNodes);
  document.getElementById("arena-boot")?.remove();
  const app = first("gradio-app");
  if (app) app.inert = false;
  if (focused.isConnected) focused.focus({ preventScroll: true });
  fit(first(".a-nav"));
  appearance();
}

// Where the navigation finds no room it scrolls: the open page's entry is brought into sight. Of the entries that go
// under the leaderboard's none does so by half, since no finger could hit the rest.
/** @param {HTMLElement} nav */
function fit(nav) {
  /** @type {NodeListOf<HTMLElement>} */
  const entries = nav.querySelectorAll("a");
  const kept = [...entries].find(({ dataset }) => dataset.page === "leaderboard");
  const others = [...entries].filter((entry) => entry !== kept && entry.offsetWidth);
  nav.style.paddingRight = "";
  const most = nav.scrollWidth - nav.clientWidth;
  if (most > 0) {
    const starts = others.map(({ offsetLeft }) => offsetLeft - others[0].offsetLeft);
    const open = others.find((entry) => entry.ariaCurrent);
    const needed = open ? starts[others.indexOf(open)] + open.offsetWidth - (nav.clientWidth - kept.offsetWidth) : 0;
    nav.style.scrollPaddingLeft = `${kept.offsetWidth}px`;
    const end = starts.find((start) => start >= most) ?? most;
    nav.style.paddingRight = `${end - most}px`;
    nav.scrollLeft = starts.find((start) => start >= needed) ?? end;
  }
  showEdges(nav);
}

/** @param {HTMLElement} nav */
function showEdges(nav) {
  const rest = nav.scrollWidth - nav.clientWidth - nav.scrollLeft - parseFloat(getComputedStyle(nav).paddingRight);
  const [kept, ...others] = [...nav.querySelectorAll("a")].sort((one) => (one.dataset.page === "leaderboard" ? -1 : 1));
  const edge = kept.getBoundingClientRect().right + 1;
  for (const entry of others) entry.toggleAttribute("data-under", rest + nav.scrollLeft >= 1 && entry.getBoundingClientRect().right <= edge);
  nav.dataset.more = [nav.scrollLeft >= 1 && "left", rest >= 1 && "right"].filter(Boolean).join(" ");
}

/** @param {HTMLElement} nav */
function follow(nav) {
  if (!nav) return;
  new ResizeObserver(() => fit(nav)).observe(nav, { box: "border-box" });
  nav.addEventListener("scroll", () => showEdges(nav), { passive: true });
}

export async function present(id) {
  if (!document.getElementById(id)) await added(id);
  return document.getElementById(id);
}

// Looks at what changes, since a page may wait for its visitor for hours.
/** @type {(id: string) => Promise<void>} */
const added = (id) =>
  new Promise((done) => {
    const watch = new MutationObserver(() => {
      if (!document.getElementById(id)) return;
      watch.disconnect();
      requestAnimationFrame(() => done());
    });
    watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ["id"] });
  });

follow(first(".a-nav"));
appearance();
new MutationObserver(appearance).observe(document.body, { attributeFilter: ["class"] });
const address = new URL(location.href);
if (address.searchParams.has("lang")) {
  address.searchParams.delete("lang");
  history.replaceState(history.state, "", address);
}
keepAddress();
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
// The page of a battle or chat is uncovered by its engine, which takes over what was typed.
if (first("gradio-app")) present("engine").then(() => document.getElementById("early") || uncover());
