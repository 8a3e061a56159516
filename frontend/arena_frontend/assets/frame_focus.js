// Keeps the keyboard focus out of frames: a frame may have it only while the pointer is inside it (or after a tap, where
// there is no pointer), or once its reader has gone there by the Tab key. A frame that has it otherwise loses it at once, and
// nothing more: who moved it there cannot be known.

const RECENT = 500; // milliseconds

let lastTab = -RECENT;
/** @type {HTMLElement | null} */
let lastFocused = null;

const touch = matchMedia("(hover: none)");
const isTapped = () => touch.matches && navigator.userActivation?.isActive;
const isAllowed = (frame) => frame.matches(":hover") || performance.now() - lastTab < RECENT || isTapped();

export function guardFocus() {
  addEventListener("keydown", ({ key }) => key === "Tab" && (lastTab = performance.now()), true);
  addEventListener("focusin", ({ target }) => target instanceof HTMLElement && !target.shadowRoot && (lastFocused = target), true);
  addEventListener("blur", () => setTimeout(giveBack));
}

// Pages of models stand in shadow trees (see page_frame.js).
function giveBack() {
  const frame = document.activeElement?.shadowRoot?.activeElement;
  if (frame?.tagName !== "IFRAME" || isAllowed(frame)) return;
  /** @type {HTMLElement} */ (frame).blur();
  window.focus();
  if (lastFocused?.isConnected) lastFocused.focus({ preventScroll: true });
}
