// The kind of a battle: texts that are read, or web pages that are run.

import { all, at } from "./dom.js";
import * as ideas from "./ideas.js";
import * as stage from "./page_stage.js";
import { on } from "./shell.js";

const HAS_PAGES = ["ready", "voting", "voted"];
const PAGE = "web_page";
let chosen = "text";

export const isOfPages = () => chosen === PAGE;

// What a vote on pages reports of them.
/** @type {(battle: any) => object} */
export const ballot = ({ kind }) => (kind === PAGE ? { seen: stage.seenTexts() } : {});

// What the first prompt of a battle says of its kind.
export const opening = () => (isOfPages() ? { kind: PAGE } : {});

export function choose(kind) {
  chosen = kind;
  for (const button of all("[data-act=web-kind]")) button.setAttribute("aria-pressed", String(button.dataset.value === kind));
  ideas.offerPages(isOfPages());
}

export function show({ id, kind, phase, turns, names }) {
  if (!at("stage")) return;
  if (kind !== PAGE || !HAS_PAGES.includes(phase)) return stage.close();
  const key = `${id} ${turns.map(({ generation }) => generation ?? 0)}`;
  stage.open(`/battles/${encodeURIComponent(id)}/pages`, key, phase === "voted" ? names : null);
}

export function begin(onChange) {
  stage.begin();
  on("web-kind", ({ dataset: { value } }) => {
    choose(value);
    onChange();
  });
}
