// Follows links and GET forms that lead to the same page without loading it: fetches the page of the new address and
// puts its elements with data-part and an id in the places of those that differ. Focus and scroll position stay. It is
// the server's own markup, under a policy without inline scripts.

import { keepFocus } from "./keep_focus.js";

/** @type {(root: Document) => Map<string, HTMLElement>} */
const partsById = (root) => new Map(Array.from(root.querySelectorAll("[data-part]"), (part) => [part.id, /** @type {HTMLElement} */ (part)]));

let latest = 0; // number of the newest request
let pending = ""; // the chosen address that is not shown yet
let timer = 0; // of typed text that is not asked for yet

// Shows the page of an address, or else fetches the pending or current one again. Only the newest request is shown.
// Rejects if the server cannot be reached.
/** @type {(address?: string) => Promise<void>} */
export async function show(address = pending || location.href) {
  const number = ++latest;
  const answer = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-cache" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (number !== latest) return;
  pending = "";
  history.replaceState(history.state, "", address);
  const [old, parts] = [partsById(document), partsById(page)];
  if (parts.size && String([...old.keys()]) === String([...parts.keys()])) old.forEach((part, id) => part.isEqualNode(parts.get(id)) || keepFocus(part, () => part.replaceWith(parts.get(id))));
  else document.getElementById("main").replaceChildren(...page.getElementById("main").childNodes);
  document.dispatchEvent(new Event("swapped"));
}

// Adds what an address changes of this page to the pending address, so that two quick choices are both kept.
/** @type {(address: string) => string} */
function merged(address) {
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

/** @type {(chosen: string) => void} */
function go(chosen) {
  clearTimeout(timer);
  const address = (pending = merged(chosen));
  show(address).catch(() => (location.href = address));
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.("#main a"));
  if (!link || link.pathname !== location.pathname || link.hash || link.download || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});

/** @type {(form: HTMLFormElement) => void} */
function submit(form) {
  const fields = [...new FormData(form)].filter(([, value]) => value);
  go(`${location.pathname}${fields.length ? "?" : ""}${new URLSearchParams(/** @type {any} */ (fields))}`);
}

document.addEventListener("input", ({ target }) => {
  const { form, type } = /** @type {HTMLInputElement} */ (target);
  if (form?.method !== "get") return;
  clearTimeout(timer);
  timer = setTimeout(() => submit(form), type === "search" ? 250 : 0);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  submit(/** @type {HTMLFormElement} */ (event.target));
});
