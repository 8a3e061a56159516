// What scripts of all pages share: what the browser stores, elements, markup of the server, light and dark, the bar, and the
// actions of buttons.

// What the browser keeps for this site; where it keeps nothing, as with site data blocked, for this visit alone.

/** @typedef {{ getItem: (name: string) => string | null, setItem: (name: string, value: string) => void, removeItem: (name: string) => void }} Store */

/** @type {() => Store} */
function memory() {
  const values = new Map();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => values.set(name, String(value)),
    removeItem: (name) => values.delete(name),
  };
}

// Merely to name it throws where it is blocked, and writing throws where it is full.
/** @type {(open: () => Storage) => Store} */
function store(open) {
  const visit = memory();
  const act = (kept, own) => {
    try {
      return kept(open());
    } catch {
      return own();
    }
  };
  return {
    getItem: (name) => visit.getItem(name) ?? act((place) => place.getItem(name), () => null),
    setItem: (name, value) => act((place) => place.setItem(name, value), () => visit.setItem(name, value)),
    removeItem(name) {
      visit.removeItem(name);
      act((place) => place.removeItem(name), () => {});
    },
  };
}

export const tab = store(() => sessionStorage);
export const browser = store(() => localStorage);

// What is stored under a name as JSON; an empty object in place of anything else, since a browser may have kept it of an
// older page, or cut it.
/** @type {(place: Store, name: string) => Record<string, any>} */
export function storedObject(place, name) {
  try {
    const value = JSON.parse(place.getItem(name) ?? "{}");
    return Object(value) === value && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

// State that a tab keeps over a reload: its battle or chat, the draft in its text box with its images, and what could not
// be sent yet. A
// new tab resumes the most recent conversation of this browser; one that has left its own stores an empty entry, so that
// it does not resume another.

const TERMS = "arena_terms";
const RECEIPTS = "arena_receipts";
const READ = "arena_read";
const JUDGEMENT = "arena_judgement";
const DRAFTS = { battle: "arena_draft", side_by_side: "arena_side_by_side_draft", direct: "arena_direct_draft" };
const imagesOf = (kind) => `arena_images_${kind}`;
const itemOf = (kind) => `arena_${kind}`;
const unsentOf = (kind) => `arena_unsent_${kind}`;
const put = (key, value) => (value ? tab.setItem(key, value) : tab.removeItem(key));
const ID = /^[\w-]{0,64}$/;

/** @type {(place: Store, key: string) => string | null} */
function storedId(place, key) {
  const id = place.getItem(key);
  return id !== null && ID.test(id) ? id : null;
}

export function conversationMemory(kind) {
  const item = itemOf(kind);
  return {
    id: () => storedId(tab, item) ?? storedId(browser, item),
    isOfTab: (id) => storedId(tab, item) === id,
    storeId(id) {
      tab.setItem(item, id);
      browser.setItem(item, id);
    },
    forgetId(id) {
      tab.setItem(item, "");
      if (browser.getItem(item) === id) browser.removeItem(item);
    },
    draft: () => tab.getItem(DRAFTS[kind]) ?? "",
    storeDraft: (text) => put(DRAFTS[kind], text),
    images: () => (tab.getItem(imagesOf(kind)) ?? "").split(" ").filter((id) => id && ID.test(id)),
    storeImages: (ids) => put(imagesOf(kind), ids.join(" ")),
    unsent: () => storedObject(tab, unsentOf(kind)),
    storeUnsent: (request) => put(unsentOf(kind), request && JSON.stringify(request)),
  };
}

// The sides of a battle's newest answers that have been in sight.
export function readSides(answers) {
  const [key, sides = ""] = (tab.getItem(READ) ?? "").split("|");
  return key === answers ? sides : "";
}

export const storeReadSides = (answers, sides) => tab.setItem(READ, `${answers}|${sides.join("")}`);

// What an annotator has chosen and not saved yet; `place` is the link and the item, so that no other one shows it.
/** @type {(place: string) => Record<string, any> | null} */
export function judgementDraft(place) {
  const draft = storedObject(tab, JUDGEMENT);
  return draft.place === place && Object(draft.said) === draft.said ? draft.said : null;
}

/** @type {(place: string, said: Record<string, any>) => void} */
export const storeJudgementDraft = (place, said) => put(JUDGEMENT, Object.keys(said).length && JSON.stringify({ place, said }));
export const dropJudgementDraft = () => tab.removeItem(JUDGEMENT);

export const selectConversation = (kind, id) => tab.setItem(itemOf(kind), id);

export const agreedTerms = () => Number(browser.getItem(TERMS));

export const storeTerms = (version) => browser.setItem(TERMS, version);

// After "forget me": deletes everything stored in this browser.
export function forgetVisitor() {
  const items = Object.keys(DRAFTS).map(itemOf);
  for (const key of [...items, TERMS, RECEIPTS]) browser.removeItem(key);
  for (const key of [...items, READ, JUDGEMENT, ...Object.keys(DRAFTS).map(unsentOf), ...Object.values(DRAFTS)]) tab.removeItem(key);
}

// Elements are built from text and attributes.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes] `true` for an attribute without a value; null, undefined and false for none
 * @param {...any} children nodes and texts, in lists or not; null and undefined for none
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const result = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "style") result.style.cssText = String(value); // the attribute would need a policy that allows inline styles
    else if (value !== undefined && value !== null && value !== false) result.setAttribute(name, value === true ? "" : String(value));
  }
  result.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return result;
}

export const at = (id) => document.getElementById(id);

/** @type {(selector: string, place?: ParentNode) => HTMLElement | null} */
export const first = (selector, place = document) => place.querySelector(selector);

/** @type {(selector: string, place?: ParentNode) => HTMLElement[]} */
export const all = (selector, place = document) => Array.from(place.querySelectorAll(selector));

// An added node and what it contains, as far as a selector matches.
/** @type {(node: Node, selector: string) => Element[]} */
export const matching = (node, selector) => (node instanceof Element ? [node, ...node.querySelectorAll(selector)].filter((element) => element.matches(selector)) : []);

// The nearest element around an event's target, which can also be the document.
/** @type {(event: Event, selector: string) => HTMLElement | null} */
export const around = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

// A link of an owner, in a new tab; null unless it is http or https.
export function outward(link, ...children) {
  if (!/^https?:\/\//i.test(link ?? "")) return null;
  return element("a", { href: link, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}

// Shows a dialog over the page, with the focus on `first`; resolves to the value that it was closed with.
/** @type {(dialog: HTMLDialogElement, first: HTMLElement) => Promise<string>} */
export function modal(dialog, first) {
  at("main").append(dialog);
  dialog.showModal();
  first.focus();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    }),
  );
}

// Without HTTPS there is no clipboard API, but a selected text can still be copied.
/** @type {(text: string) => Promise<boolean>} */
export async function copy(text) {
  if (await navigator.clipboard?.writeText(text).then(() => true, () => false)) return true;
  const box = Object.assign(element("textarea"), { value: text });
  document.body.append(box);
  box.select();
  const result = document.execCommand("copy");
  box.remove();
  return result;
}

/** @type {(blob: Blob, name: string) => void} */
export function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// Sides and outcomes of this page: a direct chat has one model.

const DIRECT = location.pathname.endsWith("/direct");

export const SIDES = DIRECT ? ["a"] : ["a", "b"];
export const OUTCOMES = DIRECT ? ["good", "bad"] : ["a", "tie", "both_bad", "b"];

// What browsers with Trusted Types let become markup or a script: HTML that the arena's own server has rendered, and
// scripts of this origin.

/** @type {{ createHTML: (html: string) => string, createScriptURL: (address: string) => string }} */
const policy = Reflect.get(globalThis, "trustedTypes")?.createPolicy("arena", { createHTML: (html) => html, createScriptURL: own }) ?? { createHTML: (html) => html, createScriptURL: own };

function own(address) {
  if (new URL(address).origin !== location.origin) throw new TypeError("This script is not of the arena.");
  return address;
}

// The elements of HTML that the server has rendered; scripts in it would not run.
/** @type {(html: string) => Node[]} */
export const nodesOf = (html) => [...new DOMParser().parseFromString(policy.createHTML(html), "text/html").body.childNodes];

/** @type {(address: URL) => string} */
export const scriptAddress = ({ href }) => policy.createScriptURL(href);

// Light and dark, the bar's menu and navigation, and the actions of buttons.

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const THEME = "arena_theme";

/** @type {() => string | null} */
function theme() {
  const wish = browser.getItem(THEME);
  return wish === "dark" || wish === "light" ? wish : null;
}

/** @type {(wish: string | null) => void} */
const setTheme = (wish) => (wish ? browser.setItem(THEME, wish) : browser.removeItem(THEME));

const isDark = () => (theme() ? theme() === "dark" : system.matches);

export function applyTheme() {
  root.dataset.theme = isDark() ? "dark" : "light";
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
  nav: (button) => openMore(button.ariaExpanded !== "true"),
};

// A button with data-act calls the handler of this name. A click before the handler is there is repeated for it.
const earlyClicks = new Map();

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

// The language menu and, on a phone, that of the other pages close on a click elsewhere and by Escape. The links of
// languages keep the rest of the URL.
/** @type {() => HTMLDetailsElement | null} */
const languages = () => document.querySelector(".a-langs");
const more = () => first(".a-nav-more");
const openMore = (yes) => more()?.setAttribute("aria-expanded", String(yes));

document.addEventListener("click", (event) => {
  if (!around(event, ".a-nav")) openMore(false);
  if (around(event, ".a-langs")) keepAddress();
  else if (languages()?.open) languages().open = false;
});

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  if (more()?.ariaExpanded === "true") more().focus();
  openMore(false);
  if (!languages()?.open) return;
  languages().open = false;
  languages().querySelector("summary").focus();
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

applyTheme();
const address = new URL(location.href);
if (address.searchParams.has("lang")) {
  address.searchParams.delete("lang");
  history.replaceState(history.state, "", address);
}
keepAddress();
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
