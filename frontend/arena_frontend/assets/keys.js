// Keyboard: Enter sends (not while an input method composes), Alt and an arrow key vote. Pointer: the second click of a
// double click on a vote neither presses what has moved to its place nor selects text.

import { around } from "./dom.js";
import { SIDES } from "./sides.js";

const OF_TWO = { ArrowLeft: "a", ArrowRight: "b", ArrowUp: "tie", ArrowDown: "both_bad" };
const VOTES = SIDES.length > 1 ? OF_TWO : { ArrowLeft: "good", ArrowRight: "bad" };

export function listenToKeys({ send, vote, canVote, boxText }) {
  const onKey = (event) => {
    const isInBox = around(event, "#prompt");
    const isComposing = event.isComposing || event.keyCode === 229;
    if (isInBox && event.key === "Enter" && !event.shiftKey && !isComposing) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!event.repeat) send();
    } else if (event.altKey && !event.ctrlKey && !event.metaKey && event.key in VOTES && document.documentElement.dataset.phase !== "empty") {
      // Pressed too early or twice, the same keys would navigate away in some browsers.
      event.preventDefault();
      if (canVote() && !(isInBox && boxText())) vote(VOTES[event.key]);
    }
  };
  window.addEventListener("keydown", onKey, true);
}

const DOUBLE_CLICK = 700;
let until = 0;

export const ignoreDoubleClick = () => (until = performance.now() + DOUBLE_CLICK);

for (const kind of /** @type {const} */ (["mousedown", "click", "dblclick"]))
  window.addEventListener(
    kind,
    (event) => {
      if (event.detail < 2 || performance.now() > until) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
