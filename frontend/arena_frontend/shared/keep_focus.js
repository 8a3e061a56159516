// Changes what is inside an element, or its place; the focus and scroll positions inside stay.

// The element of a place that has come for one that is gone: the same, or the only one of its name with other words.
/** @type {(place: HTMLElement, gone: HTMLElement) => HTMLElement | undefined} */
export function successor(place, gone) {
  const same = (/** @type {HTMLElement} */ one) => one.id === gone.id && one.dataset.name === gone.dataset.name && one.ariaLabel === gone.ariaLabel && one.getAttribute("href") === gone.getAttribute("href");
  const others = [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(gone.localName))];
  const [named, ...more] = others.filter(({ dataset: { name } }) => name && name === gone.dataset.name);
  return others.find(same) ?? (more.length ? undefined : named);
}

/** @type {(place: HTMLElement, change: () => void) => void} */
export function keepFocus(place, change) {
  const active = /** @type {HTMLElement | null} */ (place.contains(document.activeElement) ? document.activeElement : null);
  const scrolled = Array.from(place.querySelectorAll("[id][tabindex]"), ({ id, scrollLeft, scrollTop }) => ({ id, scrollLeft, scrollTop }));
  change();
  for (const { id, ...position } of scrolled) Object.assign(document.getElementById(id) ?? {}, position);
  if (!active || active === document.activeElement) return;
  const now = place.isConnected ? place : document.getElementById(place.id);
  (active.isConnected ? active : successor(now, active))?.focus({ preventScroll: true });
}
