// Which answers of the item have been in sight. On a phone they stand below each other, so the second may never have been.

import { SIDES, at, first } from "./shell.js";

const STACKED = window.matchMedia("(max-width: 720px)");
const LINE = 24; // pixels
const unseen = new Set(); // sides
let item = 0; // its number
let observer = new IntersectionObserver(see);

const answerOf = (side) => first(".a-answer", at(`chat_${side}`));

/** @type {(entries: IntersectionObserverEntry[]) => void} */
function see(entries) {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) unseen.delete(/** @type {HTMLElement} */ (target.closest(".a-side")).dataset.side);
  }
}

// Begins with the answers of an item, or goes on with it after its judgement was taken back: a line of each has to come
// between the bar and the choice.
/** @type {(number: number) => void} */
export function watch(number) {
  observer.disconnect();
  if (!STACKED.matches) return unseen.clear();
  if (number !== item) SIDES.forEach((side) => unseen.add(side));
  item = number;
  observer = new IntersectionObserver(see, { rootMargin: `-${at("bar").offsetHeight}px 0px -${at("judge-box").offsetHeight + LINE}px` });
  unseen.forEach((side) => observer.observe(answerOf(side)));
}

export function unwatch() {
  observer.disconnect();
  unseen.clear();
}

// Scrolls to the first answer that has not been in sight and returns its side; it counts as seen from then on.
export function showUnseen() {
  const side = SIDES.find((one) => unseen.has(one));
  if (!side) return null;
  unseen.delete(side);
  answerOf(side).scrollIntoView({ block: "start" });
  return side;
}
