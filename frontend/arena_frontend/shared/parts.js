// Parts of a page that the server renders for whoever has signed in. An element with data-view has what the server gives
// for the view of this name. When it is fetched again, those of its elements with data-part and an id get other content
// that the server gives otherwise than before, so that typed text, focus and what is folded open stay; of one with such
// parts inside, those alone. Where there are others now, those that there were before move to their new places. The
// fields of the selector data-with are sent. It is fetched again after the milliseconds of an element with data-again,
// and by `load`. A view inside it is fetched too, inside closed <details> as soon as they are opened; until then it has
// aria-busy. While the arena cannot be reached it is asked for again.

import { all } from "./dom.js";
import { fit } from "./fields.js";
import { keepFocus } from "./keep_focus.js";
import { language } from "./texts.js";

/** @typedef {import("./api.js").Answer} Answer */

/** @type {WeakMap<Element, string>} what the server gave for an element */
const markup = new WeakMap();
/** @type {WeakMap<HTMLElement, { timer?: ReturnType<typeof setTimeout> }>} */
const states = new WeakMap();
export const AGAIN = 5000;
const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

// Those inside a view and in no view within it.
/** @type {(view: HTMLElement, selector: string) => HTMLElement[]} */
function within(view, selector) {
  const own = view.closest("[data-view]");
  return all(selector, view).filter((one) => one.parentElement.closest("[data-view]") === own);
}

// The outermost parts inside a view or a part.
/** @type {(place: HTMLElement) => HTMLElement[]} */
const outermost = (place) => within(place, "[data-part][id]").filter((part, _, parts) => !parts.some((other) => other !== part && other.contains(part)));

/** @type {(place: HTMLElement, fresh: HTMLElement, anew?: boolean) => void} */
function renew(place, fresh, anew = false) {
  const [old, parts] = [outermost(place), outermost(fresh)];
  const same = parts.length && String(old.map(({ id }) => id)) === String(parts.map(({ id }) => id));
  if (same && !anew) return old.forEach((part, index) => fill(part, parts[index]));
  keepFocus(place, () => {
    if (!anew) for (const part of parts) remain(old.find(({ id }) => id === part.id), part);
    place.replaceChildren(...fresh.childNodes);
  });
}

/** @type {(old: HTMLElement | undefined, part: HTMLElement) => void} */
function remain(old, part) {
  if (!old) return;
  fill(old, part);
  part.replaceWith(old);
}

/** @type {(part: HTMLElement, fresh: HTMLElement) => void} */
function fill(part, fresh) {
  if (markup.get(part) === markup.get(fresh)) return;
  markup.set(part, markup.get(fresh));
  renew(part, fresh);
}

// Whether the arena may answer otherwise before long.
/** @type {(answer: Answer) => boolean} */
export const passing = ({ status }) => !status || status === 429 || status >= 500;

/** @typedef {(view: HTMLElement, anew?: boolean, body?: object) => Promise<Answer | null>} Load */

/**
 * @param {(address: string, body?: object) => Promise<Answer>} fetched gets a part, by its address
 * @param {(answer: Answer | null) => void} hear of what the page fetches again by itself
 */
export function loader(fetched, hear) {
  // Fetches a view again, or `anew` for another, or what the server makes of a body; null if it was asked for once more.
  /** @type {Load} */
  async function load(view, anew = false, body = undefined) {
    stop(view);
    /** @type {{ timer?: ReturnType<typeof setTimeout> }} */
    const state = {};
    states.set(view, state);
    const fields = view.dataset.with ? /** @type {HTMLInputElement[]} */ (all(view.dataset.with)).map(({ name, value }) => [name, value.trim()]) : [];
    const answer = await fetched(`?${new URLSearchParams([["view", view.dataset.view], ["lang", document.documentElement.lang], ...fields])}`, body);
    if (states.get(view) !== state || !view.isConnected) return null;
    if (!passing(answer)) view.removeAttribute("aria-busy");
    if (answer.ok) show(view, new DOMParser().parseFromString(answer.data, "text/html").body, anew);
    const [soon] = within(view, "[data-again]");
    if (soon) state.timer = setTimeout(async () => view.isConnected && hear(await load(view)), Number(soon.dataset.again));
    else if (view.ariaBusy) state.timer = setTimeout(() => view.isConnected && load(view), AGAIN);
    return answer;
  }

  /** @type {(view: HTMLElement, fresh: HTMLElement, anew: boolean) => void} */
  function show(view, fresh, anew) {
    for (const part of within(fresh, "[data-part][id]")) markup.set(part, part.outerHTML);
    for (const time of fresh.querySelectorAll("time")) time.textContent = dates.format(new Date(time.dateTime));
    renew(view, fresh, anew);
    fit(view);
    for (const inner of within(view, "[data-view][aria-busy]:not(details:not([open]) *)")) load(inner);
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
