// The keyboard belongs to the arena: a page has it only while the pointer is inside it (or after a tap, where nothing
// points), or once its reader has gone there by the Tab key. A page that takes it otherwise loses it at once, and is ended when it keeps trying.

const RECENT = 500;
const PATIENCE = 10_000;
const TRIES = 5;

let tabbed = -RECENT;
/** @type {HTMLElement | null} */
let before = null;
/** @type {WeakMap<Element, number[]>} */
const taken = new WeakMap();

const touch = matchMedia("(hover: none)");
const tapped = () => touch.matches && navigator.userActivation?.isActive;
const allowed = (frame) => frame.matches(":hover") || performance.now() - tabbed < RECENT || tapped();

/** @param {(frame: Element) => void} persistent called with a frame that does not stop */
export function guardFocus(persistent) {
  addEventListener("keydown", ({ key }) => key === "Tab" && (tabbed = performance.now()), true);
  addEventListener("focusin", ({ target }) => target instanceof HTMLElement && target.tagName !== "IFRAME" && (before = target), true);
  addEventListener("blur", () => setTimeout(() => giveBack(persistent)));
}

function giveBack(persistent) {
  const frame = document.activeElement;
  if (frame?.tagName !== "IFRAME" || allowed(frame)) return;
  /** @type {HTMLElement} */ (frame).blur();
  window.focus();
  if (before?.isConnected) before.focus({ preventScroll: true });
  const now = performance.now();
  const times = [...(taken.get(frame) ?? []).filter((time) => now - time < PATIENCE), now];
  taken.set(frame, times);
  if (times.length >= TRIES) persistent(frame);
}
