// After the vote, where the operator shows it: what both models thought beside their answers, folded away.

import { insist } from "./api.js";
import { element } from "./dom.js";
import { t } from "./texts.js";

export function reasoning(id) {
  const box = element("div", { class: "a-thoughts" });
  insist("GET", `/battles/${encodeURIComponent(id)}/reasoning`).then(({ ok, data }) => {
    if (!ok || !data.turns.length) return;
    const thoughts = data.turns.flatMap((turn) => Object.entries(turn.thoughts).map(([side, text]) => thought(turn, side, text)));
    box.replaceChildren(element("details", {}, element("summary", {}, t("reasoning.title")), ...thoughts));
  });
  return box;
}

// Text and nothing else: it comes from a stranger as the answers do.
const thought = ({ number }, side, text) =>
  element(
    "section",
    {},
    element("h3", {}, t("reasoning.of", { number, side: side.toUpperCase() })),
    element("p", { class: "a-thought", dir: "auto", tabindex: "0" }, text),
  );
