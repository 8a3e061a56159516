// Puts what the server renders for another address, or anew for the same, into the page: the elements with data-part and
// an id that differ. Focus and scroll position stay. It is the server's own markup, under a policy without inline scripts.

import { keepFocus } from "./keep_focus.js";

/** @type {(root: Document) => Map<string, HTMLElement>} */
const parts = (root) => new Map(Array.from(root.querySelectorAll("[data-part]"), (part) => [part.id, /** @type {HTMLElement} */ (part)]));

let turn = 0;
let pending = ""; // the address of a choice that is not shown yet

/**
 * Rejects if the server cannot be reached; of several at once only the last is shown. Without an address it asks anew
 * for what was chosen last, even if that is still on its way.
 * @param {string} address
 */
export async function show(address = pending || location.href) {
  const own = ++turn;
  const answer = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-cache" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (own !== turn) return;
  pending = "";
  history.replaceState(history.state, "", address);
  const [old, fresh] = [parts(document), parts(page)];
  if (fresh.size && String([...old.keys()]) === String([...fresh.keys()])) old.forEach((part, id) => part.isEqualNode(fresh.get(id)) || keepFocus(part, () => part.replaceWith(fresh.get(id))));
  else document.getElementById("main").replaceChildren(...page.getElementById("main").childNodes);
  document.dispatchEvent(new Event("swapped"));
}

let waiting = 0;

// The address with what it changes of this page, and with what a choice changes that is still on its way.
/** @type {(address: string) => string} */
function composed(address) {
  if (!pending) return address;
  const [page, next, both] = [location.href, address, pending].map((part) => new URL(part, location.href));
  for (const key of new Set([...page.searchParams.keys(), ...next.searchParams.keys()])) {
    const values = next.searchParams.getAll(key);
    if (String(values) === String(page.searchParams.getAll(key))) continue;
    both.searchParams.delete(key);
    for (const value of values) both.searchParams.append(key, value);
  }
  return both.href;
}

// Whatever is chosen takes the place of a search that still waits.
/** @type {(chosen: string) => void} */
function go(chosen) {
  clearTimeout(waiting);
  const address = (pending = composed(chosen));
  show(address).catch(() => (location.href = address));
}

// Links and forms that lead to the same page are followed without loading it.
document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.("#main a"));
  if (!link || link.pathname !== location.pathname || link.hash || link.download || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});

/** @type {(form: HTMLFormElement) => void} */
function submit(form) {
  const given = [...new FormData(form)].filter(([, value]) => value);
  go(`${location.pathname}${given.length ? "?" : ""}${new URLSearchParams(/** @type {any} */ (given))}`);
}

document.addEventListener("input", ({ target }) => {
  const { form, type } = /** @type {HTMLInputElement} */ (target);
  if (form?.method !== "get") return;
  clearTimeout(waiting);
  waiting = setTimeout(() => submit(form), type === "search" ? 250 : 0);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  submit(/** @type {HTMLFormElement} */ (event.target));
});
