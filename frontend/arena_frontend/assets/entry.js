// Conditions of a battle or chat: the arena accepts prompts, and the visitor has accepted its terms.

import { insist } from "./api.js";
import { at, first } from "./dom.js";
import * as ideas from "./ideas.js";
import * as images from "./images.js";
import * as memory from "./memory.js";
import * as notices from "./notices.js";
import { SIDES } from "./sides.js";
import { t } from "./texts.js";

// The version of the terms: at first as in the page's HTML, then as the API says.
let terms = Number(first("[data-terms]")?.dataset.terms ?? 0);

export async function greet(kind) {
  const answer = await insist("GET", "/status");
  if (!answer.ok) return;
  terms = answer.data.terms;
  images.allow(kind !== "battle" || answer.data.vision);
  if (!answer.data.practice) ideas.offerSafety();
  if (at("practice-line")) at("practice-line").hidden = !answer.data.practice;
  if (answer.data.endpoints < SIDES.length) notices.warn(t("notice.few"));
  else if (kind === "battle" && !answer.data.accepting) notices.warn(t("notice.not_accepting"));
}

export const hasAgreed = () => !terms || memory.terms() === terms;
export const version = () => terms || undefined;

export function agree(newVersion, go) {
  terms = newVersion ?? terms;
  notices.askTerms(terms, go);
}
