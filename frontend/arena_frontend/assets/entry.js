// Conditions of a battle or chat: the arena is open, and the visitor has accepted its terms.

import { insist } from "./api.js";
import { at } from "./dom.js";
import * as ideas from "./ideas.js";
import * as images from "./images.js";
import * as memory from "./memory.js";
import * as notices from "./notices.js";
import { SIDES } from "./sides.js";
import { t } from "./texts.js";

// As the page says that came from the server; the arena itself says it anew.
let terms = Number(at("early")?.dataset.terms ?? 0);

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

export const agreed = () => !terms || memory.terms() === terms;
export const version = () => terms || undefined;

export function agree(asked, go) {
  terms = asked ?? terms;
  notices.askTerms(terms, go);
}
