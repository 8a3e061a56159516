// The mark of an organisation: its initials in a colour that belongs to its name. Nothing is fetched from elsewhere.

import { element } from "./dom.js";
import { ownerName } from "./texts.js";

const COLOURS = 8;

/** @param {string} owner */
export function initials(owner) {
  const words = owner.split(/[\s\-_.]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = /^\p{Script=Han}/u.test(words[0] ?? "") ? words.slice(0, 1) : words.slice(0, 2);
  return letters.map((word) => Array.from(word)[0].toLocaleUpperCase()).join("") || "?";
}

// The same name has the same colour on every page.
export const colour = (owner) => Array.from(owner).reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)) >>> 0, 7) % COLOURS;

export const badge = (owner) => element("span", { class: "a-initials", "data-colour": colour(owner), "aria-hidden": "true" }, initials(ownerName(owner)));
