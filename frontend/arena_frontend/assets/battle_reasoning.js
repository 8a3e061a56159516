// After the vote, if the operator shows it: the reasoning of both models, collapsed.

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

// Plain text only, because it is as untrusted as answers.
const thought = ({ number }, side, text) =>
  element("section", {}, element("h3", {}, t("reasoning.of", { number, side: side.toUpperCase() })), element("p", { class: "a-thought", dir: "auto", tabindex: "0" }, text));
