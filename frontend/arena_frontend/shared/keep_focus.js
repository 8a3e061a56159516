// Changes the contents of an element; the focus and the scroll positions inside it stay. The focus of an element that
// has no replacement goes to the heading of its view.

// The replacement of a removed element: same id, name, label and link, or else the only one of its name.
/** @type {(container: HTMLElement, removed: HTMLElement) => HTMLElement | undefined} */
export function successor(container, removed) {
  const identity = (/** @type {HTMLElement} */ element) => JSON.stringify([element.id, element.dataset.name, element.ariaLabel, element.getAttribute("href")]);
  const candidates = [.../** @type {NodeListOf<HTMLElement>} */ (container.querySelectorAll(removed.localName))];
  const named = candidates.filter(({ dataset: { name } }) => name && name === removed.dataset.name);
  return candidates.find((element) => identity(element) === identity(removed)) ?? (named.length === 1 ? named[0] : undefined);
}

/** @type {(container: HTMLElement, change: () => void) => void} `change` may also replace the container by another of its id */
export function keepFocus(container, change) {
  const active = /** @type {HTMLElement | null} */ (container.contains(document.activeElement) ? document.activeElement : null);
  const positions = Array.from(container.querySelectorAll("[id][tabindex]"), ({ id, scrollLeft, scrollTop }) => ({ id, scrollLeft, scrollTop }));
  change();
  for (const { id, ...position } of positions) Object.assign(document.getElementById(id) ?? {}, position);
  if (!active || active === document.activeElement) return;
  const current = container.isConnected ? container : document.getElementById(container.id);
  const next = active.isConnected ? active : (successor(current, active) ?? current.closest("[data-view]")?.querySelector("h2[tabindex]"));
  /** @type {HTMLElement | null | undefined} */ (next)?.focus({ preventScroll: true });
}
