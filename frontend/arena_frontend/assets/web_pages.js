// The kind of a battle: texts that are read, or web pages that are run.

import { all, at } from "./dom.js";
import * as ideas from "./ideas.js";
import * as stage from "./page_stage.js";
import { on } from "./shell.js";

const RUNNABLE = ["ready", "voting", "voted"];
const [TEXT, PAGE] = ["text", "web_page"];
let chosen = TEXT;

export const wanted = () => chosen === PAGE;

// What a vote says of the pages that have run: of texts nothing.
/** @type {(battle: any) => object} */
export const ballot = ({ kind }) => (kind === PAGE ? { seen: stage.seen() } : {});

// What the first prompt of a battle says of its kind: of texts nothing.
export const opening = () => (wanted() ? { kind: PAGE } : {});

export function choose(kind) {
  chosen = kind;
  for (const button of all("[data-act=web-kind]")) button.setAttribute("aria-pressed", String(button.dataset.value === kind));
  ideas.offerPages(wanted());
}

export function show({ id, kind, phase, turns, names }) {
  if (!at("stage")) return;
  if (kind !== PAGE || !RUNNABLE.includes(phase)) return stage.close();
  const key = `${id} ${turns.map(({ generation }) => generation ?? 0)}`;
  stage.open(`/battles/${encodeURIComponent(id)}/pages`, key, phase === "voted" ? names : null);
}

export function begin(changed) {
  stage.begin();
  on("web-kind", ({ dataset: { value } }) => {
    choose(value);
    changed();
  });
}
