// The keyboard: Enter sends (not while an input method composes), Alt and an arrow votes.

const VOTES = { ArrowLeft: "a", ArrowRight: "b", ArrowUp: "tie", ArrowDown: "both_bad" };

export function listenToKeys({ send, vote, votable, boxText }) {
  const keys = (event) => {
    const inBox = event.target.closest?.("#prompt");
    const composing = event.isComposing || event.keyCode === 229;
    if (inBox && event.key === "Enter" && !event.shiftKey && !composing) {
      event.preventDefault();
      event.stopImmediatePropagation();
      send();
    } else if (event.altKey && !event.ctrlKey && !event.metaKey && event.key in VOTES && document.documentElement.dataset.phase !== "empty") {
      // Pressed too early or twice, the same keys would make some browsers leave the page.
      event.preventDefault();
      if (votable() && !(inBox && boxText())) vote(VOTES[event.key]);
    }
  };
  window.addEventListener("keydown", keys, true);
}
