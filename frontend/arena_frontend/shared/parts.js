// Views: parts of a page that the server renders for whoever has signed in. An element with data-view="NAME" is filled
// with the view of this name; the values of the fields that its data-with selects are sent along.
// - A view is fetched by `load`, and again after the milliseconds in data-again of an element inside it.
// - A second fetch replaces only what the server now renders otherwise inside elements with data-part and an id, of
//   nested ones only the inner ones, so that typed text, focus and open <details> stay. Where the parts are others than
//   before, the whole view is replaced, and parts that remain move to their new places.
// - A view with aria-busy inside a view is fetched too; inside closed <details> only when they are opened. A view keeps
//   aria-busy, and is fetched again, until the server can be reached.

import { applyConditions } from "./fields.js";
import { keepFocus } from "./keep_focus.js";
import { all } from "./shell.js";
import { localizeTimes } from "./texts.js";

/** @typedef {import("./api.js").Answer} Answer */

export const RETRY_DELAY = 5000;
/** @type {WeakMap<Element, string>} what the server last rendered for a part */
const markup = new WeakMap();
/** @type {WeakMap<HTMLElement, { timer?: ReturnType<typeof setTimeout> }>} the latest request of a view */
const requests = new WeakMap();

// What a selector finds in the view around an element, but not in views nested inside it.
/** @type {(element: HTMLElement, selector: string) => HTMLElement[]} */
function allOfView(element, selector) {
  const view = element.closest("[data-view]");
  return all(selector, element).filter((inner) => inner.parentElement.closest("[data-view]") === view);
}

/** @type {(element: HTMLElement) => HTMLElement[]} */
const outermostParts = (element) => allOfView(element, "[data-part][id]").filter((part, _, parts) => !parts.some((other) => other !== part && other.contains(part)));

/** @type {(element: HTMLElement, rendered: HTMLElement, replace?: boolean) => void} */
function update(element, rendered, replace = false) {
  const [old, parts] = [outermostParts(element), outermostParts(rendered)];
  const isSame = parts.length && String(old.map(({ id }) => id)) === String(parts.map(({ id }) => id));
  if (isSame && !replace) return old.forEach((part, index) => updatePart(part, parts[index]));
  keepFocus(element, () => {
    if (!replace) for (const part of parts) reuse(old.find(({ id }) => id === part.id), part);
    element.replaceChildren(...rendered.childNodes);
  });
}

/** @type {(old: HTMLElement | undefined, rendered: HTMLElement) => void} */
function reuse(old, rendered) {
  if (!old) return;
  updatePart(old, rendered);
  rendered.replaceWith(old);
}

/** @type {(part: HTMLElement, rendered: HTMLElement) => void} */
function updatePart(part, rendered) {
  if (markup.get(part) === markup.get(rendered)) return;
  markup.set(part, markup.get(rendered));
  update(part, rendered);
}

// Whether the same request may succeed before long.
/** @type {(answer: Answer) => boolean} */
export const isTransient = ({ status }) => !status || status === 429 || status >= 500;

/** @typedef {(view: HTMLElement, replace?: boolean, body?: object) => Promise<Answer | null>} Load */

/**
 * @param {(query: string, body?: object) => Promise<Answer>} fetchPart
 * @param {(answer: Answer | null) => void} onAnswer called with the answers to timed requests
 */
export function loader(fetchPart, onAnswer) {
  // Fetches a view; with `replace` nothing of the old one stays, with a body it is what the server makes of that.
  // Resolves to null if a later request has taken its place.
  /** @type {Load} */
  async function load(view, replace = false, body = undefined) {
    cancel(view);
    /** @type {{ timer?: ReturnType<typeof setTimeout> }} */
    const request = {};
    requests.set(view, request);
    const fields = view.dataset.with ? /** @type {HTMLInputElement[]} */ (all(view.dataset.with)).map(({ name, value }) => [name, value.trim()]) : [];
    const answer = await fetchPart(`?${new URLSearchParams([["view", view.dataset.view], ["lang", document.documentElement.lang], ...fields])}`, body);
    if (requests.get(view) !== request || !view.isConnected) return null;
    if (!isTransient(answer)) view.removeAttribute("aria-busy");
    if (answer.ok) show(view, new DOMParser().parseFromString(answer.data, "text/html").body, replace);
    const [timed] = allOfView(view, "[data-again]");
    if (timed) request.timer = setTimeout(async () => view.isConnected && onAnswer(await load(view)), Number(timed.dataset.again));
    else if (view.ariaBusy) request.timer = setTimeout(() => view.isConnected && load(view), RETRY_DELAY);
    return answer;
  }

  /** @type {(view: HTMLElement, rendered: HTMLElement, replace: boolean) => void} */
  function show(view, rendered, replace) {
    for (const part of allOfView(rendered, "[data-part][id]")) markup.set(part, part.outerHTML);
    localizeTimes(rendered);
    update(view, rendered, replace);
    applyConditions(view);
    for (const inner of allOfView(view, "[data-view][aria-busy]:not(details:not([open]) *)")) load(inner);
  }

  document.addEventListener("toggle", ({ target }) => {
    for (const inner of /** @type {HTMLElement} */ (target).querySelectorAll("[data-view][aria-busy]")) load(/** @type {HTMLElement} */ (inner));
  }, true);
  return load;
}

// Drops the running or next request of a view.
/** @type {(view: HTMLElement) => void} */
export function cancel(view) {
  clearTimeout(requests.get(view)?.timer);
  requests.delete(view);
}
