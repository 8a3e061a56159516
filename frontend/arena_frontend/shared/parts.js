// Parts of a page that the server renders for whoever has signed in. An element with data-view has what the server gives
// for the view of this name. When it is fetched again, those of its elements with data-part and an id get other content
// that the server gives otherwise than before, so that typed text, focus and what is folded open stay. It is fetched again
// after the milliseconds of an element with data-again, and by `load`. A view inside it is fetched too, inside closed
// <details> as soon as they are opened; until then it has aria-busy.

import { fit } from "./fields.js";
import { keepFocus } from "./keep_focus.js";
import { language } from "./texts.js";

/** @typedef {import("./api.js").Answer} Answer */

/** @type {WeakMap<Element, string>} what the server gave for an element */
const markup = new WeakMap();
/** @type {WeakMap<HTMLElement, { timer?: ReturnType<typeof setTimeout> }>} */
const states = new WeakMap();
const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

// Those inside a view and in no view within it.
/** @type {(view: HTMLElement, selector: string) => HTMLElement[]} */
function within(view, selector) {
  const own = view.closest("[data-view]");
  return [.../** @type {NodeListOf<HTMLElement>} */ (view.querySelectorAll(selector))].filter((one) => one.parentElement.closest("[data-view]") === own);
}

/** @typedef {(view: HTMLElement, anew?: boolean, body?: object) => Promise<Answer | null>} Load */

/** @param {(address: string, body?: object) => Promise<Answer>} fetched gets a part, by its address */
export function loader(fetched) {
  // Fetches a view again, or `anew` for another, or what the server makes of a body; null if it was asked for once more.
  /** @type {Load} */
  async function load(view, anew = false, body = undefined) {
    stop(view);
    /** @type {{ timer?: ReturnType<typeof setTimeout> }} */
    const state = {};
    states.set(view, state);
    const answer = await fetched(`?view=${encodeURIComponent(view.dataset.view)}&lang=${document.documentElement.lang}`, body);
    if (states.get(view) !== state || !view.isConnected) return null;
    view.removeAttribute("aria-busy");
    if (answer.ok) show(view, new DOMParser().parseFromString(answer.data, "text/html").body, anew);
    const [soon] = within(view, "[data-again]");
    if (soon) state.timer = setTimeout(() => view.isConnected && load(view), Number(soon.dataset.again));
    return answer;
  }

  /** @type {(view: HTMLElement, fresh: HTMLElement, anew: boolean) => void} */
  function show(view, fresh, anew) {
    const [old, parts] = [within(view, "[data-part]"), within(fresh, "[data-part]")];
    for (const part of parts) markup.set(part, part.outerHTML);
    for (const time of fresh.querySelectorAll("time")) time.textContent = dates.format(new Date(time.dateTime));
    const same = parts.length && String(old.map(({ id }) => id)) === String(parts.map(({ id }) => id));
    if (same && !anew) old.forEach((part, place) => fill(part, parts[place]));
    else keepFocus(view, () => view.replaceChildren(...fresh.childNodes));
    fit(view);
    for (const inner of within(view, "[data-view][aria-busy]:not(details:not([open]) *)")) load(inner);
  }

  /** @type {(part: HTMLElement, fresh: HTMLElement) => void} */
  function fill(part, fresh) {
    if (markup.get(part) === markup.get(fresh)) return;
    markup.set(part, markup.get(fresh));
    keepFocus(part, () => part.replaceChildren(...fresh.childNodes));
  }

  document.addEventListener("toggle", ({ target }) => {
    for (const inner of /** @type {HTMLElement} */ (target).querySelectorAll("[data-view][aria-busy]")) load(/** @type {HTMLElement} */ (inner));
  }, true);
  return load;
}

// An answer that is under way is not shown.
/** @type {(view: HTMLElement) => void} */
export function stop(view) {
  clearTimeout(states.get(view)?.timer);
  states.delete(view);
}
