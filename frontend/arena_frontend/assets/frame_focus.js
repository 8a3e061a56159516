// Keeps the keyboard focus out of frames: a frame may have it only while the pointer is inside it (or after a tap, where
// there is no pointer), or once its reader has gone there by the Tab key. A frame that takes it otherwise loses it at once,
// and is ended when it keeps trying.

const RECENT = 500; // milliseconds
const [TRIES, WINDOW] = [5, 10_000]; // so many within so many milliseconds

let lastTab = -RECENT;
/** @type {HTMLElement | null} */
let lastFocused = null;
/** @type {WeakMap<Element, number[]>} */
const attempts = new WeakMap(); // times

const touch = matchMedia("(hover: none)");
const isTapped = () => touch.matches && navigator.userActivation?.isActive;
const isAllowed = (frame) => frame.matches(":hover") || performance.now() - lastTab < RECENT || isTapped();

/** @param {(frame: Element) => void} onPersist called with a frame that keeps trying */
export function guardFocus(onPersist) {
  addEventListener("keydown", ({ key }) => key === "Tab" && (lastTab = performance.now()), true);
  addEventListener("focusin", ({ target }) => target instanceof HTMLElement && target.tagName !== "IFRAME" && (lastFocused = target), true);
  addEventListener("blur", () => setTimeout(() => giveBack(onPersist)));
}

function giveBack(onPersist) {
  const frame = document.activeElement;
  if (frame?.tagName !== "IFRAME" || isAllowed(frame)) return;
  /** @type {HTMLElement} */ (frame).blur();
  window.focus();
  if (lastFocused?.isConnected) lastFocused.focus({ preventScroll: true });
  const now = performance.now();
  const times = [...(attempts.get(frame) ?? []).filter((time) => now - time < WINDOW), now];
  attempts.set(frame, times);
  if (times.length >= TRIES) onPersist(frame);
}
