// The sanitiser: makes an answer, or any prefix of it, harmless before it is rendered.
//
// The text is rewritten into a small, canonical Markdown that all renderers read the same way:
//   - fenced code is at the left edge, between fences longer than any run of backticks inside, and always closed;
//   - inline code becomes <code> with every character as a character reference;
//   - formulae are between private-use marks, which are the Chatbot's only LaTeX delimiters;
//   - emphasis that the renderers would not see next to Chinese, Japanese or Korean text becomes <strong> and <em>;
//   - everywhere else "<" and single backticks are references, so that no element can start, and "![" starts a link
//     instead of an image;
//   - unless links are allowed, they become text with visible addresses (`linkAsText`).

import { mark, withEmphasis } from "./sanitiser_emphasis.js";
import { linkAsText } from "./sanitiser_links.js";
import { encode } from "./references.js";

export const INLINE = ["\ue000", "\ue001"];
export const DISPLAY = ["\ue002", "\ue003"];

const NEWLINES = /\r\n?|[\u0085\u2028\u2029]/g;
// Control characters, bidirectional embeddings and overrides, private use, interlinear marks and tag characters.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ue000-\uf8ff]|\udb40[\udc00-\udfff]|[\udb80-\udbff][\udc00-\udfff]/g;
const OPENING = /^([ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})[ \t]*([^`]*)$/;
const MARKER = /(?:[-*+]|\d{1,9}[.)])[ \t]+$/;
const LISTED = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
// Elements that Markdown allows, around plain text; they are written without attributes.
const INLINE_ELEMENT = /^<(sub|sup|kbd|mark|b|strong|i|em|u|ins|s|del)>([^<\n]{1,200})<\/\1>/i;
const REPLACED = { b: "strong", i: "em", u: "em", ins: "em", s: "del" };
const FRAME = /^<(p|div|center|span|font)(?: [^<>\n]{0,200})?>([^<\n]{1,400})<\/\1>/i;
const COMMENT = /^<!--[^]{0,400}?-->/;
const SUMMARY = /^<summary>([^<\n]{1,200})<\/summary>/i;
const DETAILS = /^<\/?details(?: open)?>/i;
const HIGHLIGHT = /^==(?![\s=])([^=\n]{1,200})(?<!\s)==(?!=)/;
const CALLOUT = /^([ \t]*>[ \t]*)\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*$/gim;
const ENVIRONMENT = /^\\begin\{((?:equation|align|gather|multline|split)\*?)\}/;
const TARGET = /^ {0,3}\[([^\]^\n]{1,80})\]:[ \t]*<?(https?:\/\/[^\s<>]{1,2000})>?.*$/gm;
const LANGUAGE = /^[A-Za-z0-9+#._-]{1,24}/;
// Text without any character that a rule below looks at.
const PLAIN = /(?:[^`$\\<!~%[\]@:*_|=\nwh]|=(?!=)|w(?!ww\.)|h(?!ttps?:))+/iy;
const ADDRESS = /(?:https?:\/\/|www\.)(?:(?!%%%|~~~)[^\s<>`*$![\]\\|()\u2018-\u201f\u3000-\u303f\uff00-\uffef])+/iy;
const BLOCK = /^(?:[ \t]*(?:\n|$)|[ \t]*(?:>|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|\||(?:[-*_][ \t]*){3,}(?:\n|$)))/;
const HEADING = /^[ \t>]*#{1,6}[ \t]/;
const DELIMITERS = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$/m;
const NOTE = /\[\^([^\]\s]{1,40})\]/g;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const CACHE_LIMIT = 400;
const MATH_LIMIT = 5000;
/** @type {[left: string, right: string, marks: string[], isUnambiguous: boolean][]} */
const FORMULAE = [
  ["$$", "$$", DISPLAY, true],
  ["\\[", "\\]", DISPLAY, true],
  ["\\(", "\\)", INLINE, true],
  ["$", "$", INLINE, false],
];

// A heading without the space before its Chinese, Japanese or Korean text.
const UNSPACED_HEADING = /^( {0,3}#{2,6})(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}*\uff08\u3010\u300a\u201c])/gmu;

const clean = (text) => text.replace(NEWLINES, "\n").replace(INVISIBLE, "");

// A person's prompt, shown literally.
export function literal(text) {
  return encode(clean(text)).replace(/^ | (?= )/gm, "&#160;");
}

export const sanitise = (text, options = {}) => rewrite(text, options).join("\n");

// The same in parts to be rendered one by one; while the answer grows, all but the last ones stay the same.
export const parts = (text, options = {}) => rewrite(options.growing ? withoutOpenEnd(text) : text, options).filter((part) => part.trim());

// A growing answer without the head row of a table that may yet be none, and without an unclosed mark of emphasis.
function withoutOpenEnd(text) {
  const cut = text.lastIndexOf("\n\n") + 1;
  const end = text.slice(cut);
  if ((text.match(/^[ \t>]*(?:`{3,}|~{3,})/gm)?.length ?? 0) % 2) return text;
  if (/^\s*\|/.test(end) && !DELIMITERS.test(end)) return text.slice(0, cut);
  const marks = [...end.matchAll(/\*+/g)].filter(([{ length }]) => length === 2);
  return marks.length % 2 ? text.slice(0, cut + marks.at(-1).index) + text.slice(cut + marks.at(-1).index + 2) : text;
}

const cache = new Map();

function rewrite(text, { links = false }) {
  const whole = clean(text);
  const notes = footnotes(whole);
  const targets = new Map([...whole.matchAll(TARGET)].map(([, name, address]) => [name.toLowerCase(), address]));
  const chunks = split(whole).flatMap((block, index) => (block.code === undefined ? sections(withAddresses(block.text, targets), index > 0) : [block]));
  return chunks.map((chunk, index) => {
    const key = `${links} ${chunk.code === undefined ? chunk : `${chunk.language}\n${chunk.code.join("\n")}`}`;
    const isFinal = index < chunks.length - 1 && !key.includes("[^");
    if (isFinal && cache.has(key)) return cache.get(key);
    const out = chunk.code === undefined ? prose(chunk, links, notes) : fence(chunk);
    if (cache.size > CACHE_LIMIT) cache.clear();
    if (isFinal) cache.set(key, out);
    return out;
  });
}

// Reference links become inline links.
function withAddresses(text, targets) {
  if (!targets.size) return text;
  const link = (whole, words, name) => (targets.has((name || words).toLowerCase()) ? `[${words}](${targets.get((name || words).toLowerCase())})` : whole);
  return text.replace(TARGET, "").replace(/\[([^\][\n]{1,300})\]\[([^\][\n]{0,80})\]/g, link);
}

// Cuts running text after a blank line where the next line begins something new; lists and quotations stay whole.
function sections(text, isAfterCode) {
  const result = [[]];
  let blank = false;
  for (const line of (isAfterCode ? outdented(text) : text).replace(UNSPACED_HEADING, "$1 ").split("\n")) {
    const part = result.at(-1);
    const kind = kindOf(line);
    if (blank && kind !== "" && (kind === "text" || kind !== kindOf(part.find((first) => first.trim()) ?? ""))) result.push([line]);
    else part.push(line);
    blank = !line.trim();
  }
  return result.map((lines) => lines.join("\n"));
}

const kindOf = (line) => (/^\s|^$/.test(line) ? "" : line.startsWith(">") ? "quotation" : LISTED.test(line) ? "list" : "text");

// Moves the text of a list item after its code to the left edge, as the code is.
function outdented(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => /^\S/.test(line));
  const inner = end < 0 ? lines : lines.slice(0, end);
  const width = Math.min(...inner.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return width < Infinity ? [...inner.map((line) => line.slice(width)), ...lines.slice(inner.length)].join("\n") : text;
}

function split(text) {
  const blocks = [];
  let open = null;
  let lines = [];
  let listed = false;
  const flush = () => {
    if (lines.length) blocks.push({ text: lines.join("\n") });
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (open) {
      if (closes(line, open)) open = null;
      else open.code.push(dedent(line, open.width));
      continue;
    }
    const fence = OPENING.exec(line);
    const indented = !fence && !listed && /^(?: {4}|\t)/.test(line) && !(lines.at(-1) ?? "").trim();
    if (fence) {
      if (MARKER.test(fence[1])) lines.push(fence[1]);
      flush();
      open = { code: [], mark: fence[2], language: fence[3], width: fence[1].length };
      blocks.push(open);
    } else if (indented && line.trim()) {
      flush();
      const last = blocks.at(-1);
      const body = dedent(line, 4);
      if (last?.indented) last.code.push(body);
      else blocks.push({ code: [body], language: "", indented: true });
    } else {
      if (LISTED.test(line)) listed = true;
      else if (/^\S/.test(line)) listed = false;
      lines.push(line);
    }
  }
  flush();
  return blocks;
}

function closes(line, open) {
  const bare = line.replace(/^[ \t>]*/, "").trimEnd();
  return bare.length >= open.mark.length && bare === open.mark[0].repeat(bare.length);
}

function dedent(line, width) {
  let cut = 0;
  while (cut < width && " \t>".includes(line[cut] ?? "x")) cut += 1;
  return line.slice(cut);
}

function fence({ code, language }) {
  const body = code.join("\n");
  const longest = Math.max(2, ...(body.match(/`+/g) ?? []).map((run) => run.length));
  const mark = "`".repeat(longest + 1);
  const name = LANGUAGE.exec(language)?.[0].toLowerCase() ?? "";
  return `\n${mark}${name === "mermaid" ? "" : name}\n${body}\n${mark}\n`;
}

// One pass over running text: inline code first, then formulae, links, marks of emphasis and single characters.
function prose(raw, links, notes = new Map()) {
  const text = raw.replace(CALLOUT, (_, quoted, kind) => `${quoted}**${kind[0]}${kind.slice(1).toLowerCase()}**  `);
  const pieces = [];
  const isBorder = borders(text);
  let at = 0;
  let [group, line] = [0, 0];
  while (at < text.length) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0];
    if (plain) {
      pieces.push(plain);
      at += plain.length;
      continue;
    }
    const marked = mark(text, at);
    if (marked) {
      pieces.push(marked.opens || marked.closes ? { ...marked, group, line } : marked.sign.repeat(marked.count));
      at += marked.count;
      continue;
    }
    if (isBorder(at)) group += 1;
    if (text[at] === "\n") line += 1;
    const piece =
      code(text, at) ?? formula(text, at) ?? footnote(text, at, notes) ?? (links ? address(text, at) : linkAsText(text, at, prose)) ?? character(text, at);
    pieces.push(piece.out);
    at = piece.next;
  }
  return withEmphasis(pieces, text);
}

// Emphasis ends with its paragraph, list item, heading, quotation or cell.
function borders(text) {
  const rows = DELIMITERS.test(text);
  const start = (at) => text.lastIndexOf("\n", at - 1) + 1;
  return (at) => {
    if (text[at] === "\n") return BLOCK.test(text.slice(at + 1, at + 80)) || HEADING.test(text.slice(start(at), at));
    return text[at] === "|" && (rows || !/[^ \t>]/.test(text.slice(start(at), at)));
  };
}

// Numbers of footnotes, in the order of their first occurrence.
const footnotes = (text) => new Map([...new Set([...text.matchAll(NOTE)].map(([, name]) => name))].map((name, index) => [name, index + 1]));

function footnote(text, at, notes) {
  if (!text.startsWith("[^", at)) return null;
  const match = /^\[\^([^\]\s]{1,40})\](:?)/.exec(text.slice(at, at + 50));
  if (!match || !notes.has(match[1])) return null;
  const isDefinition = match[2] && !text.slice(text.lastIndexOf("\n", at) + 1, at).trim();
  const number = [...String(notes.get(match[1]))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return { out: number + (isDefinition ? "" : match[2]), next: at + match[0].length };
}

// An address as one piece, so that no character in it is taken for a mark.
function address(text, at) {
  ADDRESS.lastIndex = at;
  const out = ADDRESS.exec(text)?.[0];
  return out ? { out, next: at + out.length } : null;
}

const escape = (text) => text.replace(/</g, "&lt;");

function code(text, at) {
  if (text[at] !== "`") return null;
  const run = /^`+/.exec(text.slice(at, at + 80))[0];
  const end = lineEnd(text, at);
  for (let next = at + run.length; next < end; next += 1) {
    if (text[next] !== "`") continue;
    const close = /^`+/.exec(text.slice(next, end))[0];
    const inside = text.slice(at + run.length, next);
    if (close.length === run.length && inside.trim())
      return { out: `<code>${encode(inside.trim())}</code>`, next: next + close.length };
    next += close.length - 1;
  }
  return { out: "&#96;".repeat(run.length), next: at + run.length };
}

function formula(text, at) {
  const named = text[at] === "\\" && ENVIRONMENT.exec(text.slice(at, at + 30));
  if (named) {
    const right = `\\end{${named[1]}}`;
    const end = closing(text, at + named[0].length, right);
    if (end !== null) return { out: DISPLAY[0] + escape(text.slice(at, end + right.length)) + DISPLAY[1], next: end + right.length };
  }
  for (const [left, right, marks, isUnambiguous] of FORMULAE) {
    if (!text.startsWith(left, at)) continue;
    const end = isUnambiguous ? closing(text, at + left.length, right) : closingDollar(text, at);
    if (end === null) continue;
    const body = text.slice(at + left.length, end);
    return { out: marks[0] + escape(body) + marks[1], next: end + right.length };
  }
  return null;
}

function closing(text, from, right) {
  const length = text.slice(from, from + MATH_LIMIT).indexOf(right);
  const body = text.slice(from, from + length);
  return length > 0 && body.trim() && !/\n[ \t]*\n/.test(body) ? from + length : null;
}

// "$x$" is a formula, "$5 and $10" is money: no space inside the dollars, no digit after them, one line.
function closingDollar(text, at) {
  if (/[\w$\\]/.test(text[at - 1] ?? " ") || /[\s$]/.test(text[at + 1] ?? " ")) return null;
  const end = lineEnd(text, at);
  for (let next = at + 2; next < end; next += 1) {
    if (text[next] === "`") return null;
    if (text[next] !== "$" || text[next - 1] === "\\") continue;
    return /\s/.test(text[next - 1]) || /[\d$]/.test(text[next + 1] ?? " ") ? null : next;
  }
  return null;
}

function character(text, at) {
  const here = text[at];
  if (here === "\\" && /[*_]/.test(text[at + 1] ?? "")) return { out: here + text[at + 1], next: at + 2 };
  if (here === "<") {
    const rest = text.slice(at, at + 700);
    for (const [pattern, out] of ELEMENTS) {
      const match = pattern.exec(rest);
      if (match) return { out: out(match), next: at + match[0].length };
    }
    const link = /^<(https?:\/\/[^\s<>]{1,2000})>/.exec(text.slice(at, at + 2100));
    return link ? { out: link[1], next: at + link[0].length } : { out: "&lt;", next: at + 1 };
  }
  const marked = here === "=" && HIGHLIGHT.exec(text.slice(at, at + 210));
  if (marked) return { out: wrapped("mark", marked[1]), next: at + marked[0].length };
  if (here === "!" && text[at + 1] === "[") {
    const picture = /^!\[[^\]\n]{0,300}\]\(/.test(text.slice(at, at + 310));
    return { out: picture ? "&#128444; " : "&#33;", next: at + 1 };
  }
  if (text.startsWith("~~~", at)) return { out: "&#126;~~", next: at + 3 };
  if (text.startsWith("%%%", at)) return { out: "&#37;%%", next: at + 3 };
  return { out: here, next: at + 1 };
}

/** @type {[RegExp, (match: RegExpExecArray) => string][]} */
const ELEMENTS = [
  [/^<br ?\/?>/i, () => "<br>"],
  [/^<hr ?\/?>/i, () => "\n\n---\n\n"],
  [INLINE_ELEMENT, ([, name, inside]) => wrapped(REPLACED[name.toLowerCase()] ?? name.toLowerCase(), inside)],
  [SUMMARY, ([, inside]) => wrapped("strong", inside)],
  [FRAME, ([, , inside]) => prose(inside, false)],
  [DETAILS, () => ""],
  [COMMENT, () => ""],
];

const wrapped = (tag, text) => `<${tag}>${encode(text)}</${tag}>`;

function lineEnd(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
