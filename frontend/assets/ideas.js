// Ideas for an empty box: ten kinds of questions, three of each. Without a choice, four of different kinds.

import { at, element } from "./dom.js";
import { on } from "./shell.js";
import { raw, t } from "./texts.js";

const SHOWN = 4;
let start = Math.floor(Math.random() * 30);
let kind = -1;

function chosen() {
  const all = raw("ideas");
  if (kind >= 0) {
    const [title, ...prompts] = all[kind];
    return prompts.map((_, step) => [title, prompts[(start + step) % prompts.length]]);
  }
  return Array.from({ length: SHOWN }, (_, step) => {
    const [title, ...prompts] = all[(start + step) % all.length];
    return [title, prompts[Math.floor((start + step) / all.length) % prompts.length]];
  });
}

function chip(title, number) {
  const attributes = { type: "button", class: "a-chip", "data-act": "kind", "data-kind": number, "aria-pressed": String(number === kind) };
  return element("button", attributes, title);
}

function cards() {
  at("idea-list").replaceChildren(
    ...chosen().map(([title, prompt]) =>
      element(
        "button",
        { type: "button", class: "a-idea", "data-act": "idea", "data-prompt": prompt },
        element("strong", {}, title),
        element("span", {}, prompt),
      ),
    ),
  );
}

export function begin() {
  at("idea-kinds").replaceChildren(chip(t("ideas.all"), -1), ...raw("ideas").map(([title], number) => chip(title, number)));
  cards();
  on("ideas", () => {
    start += kind < 0 ? SHOWN : 1;
    cards();
  });
  on("kind", (button) => {
    kind = Number(button.dataset.kind);
    for (const other of at("idea-kinds").children) other.setAttribute("aria-pressed", String(other === button));
    cards();
  });
}
