// Links as text: before the vote an answer has no link that can be followed, because a click would tell an owner's
// server which battle is live. An inline link or image becomes "label (address)"; in all other forms (reference links,
// bare and e-mail addresses) the character that would make it a link becomes a character reference.

import { encode } from "./references.js";

const LINK =
  /(!?)\[([^[\]`\n]{0,300})\]\(\s{0,9}(?:<([^<>\n]{0,2000})>|([^\s()<>]{0,2000}(?:\([^\s()<>]{0,300}\)[^\s()<>]{0,300}){0,9}))(?:\s{1,9}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\([^()\n]{0,300}\)))?\s{0,9}\)/y;
const ANGLE = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{1,2000})>/iy;
const BARE = /www\.|:\/|[[\]@]/iy;
const ESCAPED = /\\(?:[[\]@:]|(?=\\[[\]@:]))/y;
const BOX = /\[[ xX]\] /y;
const ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/;

const PICTURE = "&#128444; ";

// The link at position `at` as text, or null if none starts there; `prose` sanitises a label.
export function linkAsText(text, at, prose) {
  const link = match(LINK, text, at);
  if (link) return { out: asText(link, prose), next: at + link[0].length };
  const angle = match(ANGLE, text, at);
  if (angle) return { out: encode(angle[1]), next: at + angle[0].length };
  if (match(BOX, text, at) && ITEM.test(lineBefore(text, at))) return { out: text.slice(at, at + 3), next: at + 3 };
  const bare = match(BARE, text, at) ?? match(ESCAPED, text, at);
  return bare && { out: encode(bare[0].replace(/^\\(?=.)/, "")), next: at + bare[0].length };
}

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function asText([, picture, label, angled, plain], prose) {
  const [name, address] = [label.trim(), angled ?? plain];
  const shown = name && name !== address ? `${prose(name, false)} (${encode(address)})` : encode(address);
  return (picture ? PICTURE : "") + shown;
}

const lineBefore = (text, at) => text.slice(Math.max(0, at - 300), at).split("\n").at(-1);
