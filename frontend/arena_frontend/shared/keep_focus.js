// Changes what is inside an element, or its place; the focus and scroll positions inside stay.

/** @type {(place: HTMLElement, change: () => void) => void} */
export function keepFocus(place, change) {
  const active = /** @type {HTMLElement | null} */ (place.contains(document.activeElement) ? document.activeElement : null);
  const scrolled = Array.from(place.querySelectorAll("[id][tabindex]"), ({ id, scrollLeft, scrollTop }) => ({ id, scrollLeft, scrollTop }));
  change();
  for (const { id, ...position } of scrolled) Object.assign(document.getElementById(id) ?? {}, position);
  if (!active || active.isConnected) return;
  const now = place.isConnected ? place : document.getElementById(place.id);
  const same = (/** @type {HTMLElement} */ one) => one.id === active.id && one.dataset.name === active.dataset.name && one.ariaLabel === active.ariaLabel && one.getAttribute("href") === active.getAttribute("href");
  [.../** @type {NodeListOf<HTMLElement>} */ (now.querySelectorAll(active.localName))].find(same)?.focus({ preventScroll: true });
}
