// Makes an answer harmless before it is painted, whatever prefix of it has arrived.
//
// The text is rewritten into a small, canonical Markdown about which no renderer can be of two minds:
//   - fenced code stands at the left edge, between fences longer than any run of backticks inside, and is always closed;
//   - code within a line becomes <code> with every sign written as a character reference;
//   - formulae stand between private-use marks, which the Chatbot knows as its only LaTeX delimiters;
//   - everywhere else "<" and loose backticks are references, so no element can start, and "![" is no image
//     but a link.
// Nothing here decides about links: the guard in shell.js does, on the finished page.

export const INLINE = ["\ue000", "\ue001"];
export const DISPLAY = ["\ue002", "\ue003"];

const NEWLINES = /\r\n?|[\u0085\u2028\u2029]/g;
// Control characters, embeddings and overrides of direction, private use, interlinear marks and tag characters.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ue000-\uf8ff]|\udb40[\udc00-\udfff]|[\udb80-\udbff][\udc00-\udfff]/g;
const OPENING = /^([ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})[ \t]*([^`]*)$/;
const MARKER = /(?:[-*+]|\d{1,9}[.)])[ \t]+$/;
const LISTED = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const LANGUAGE = /^[A-Za-z0-9+#._-]{1,24}/;
const MATH_LIMIT = 5000;

const clean = (text) => text.replace(NEWLINES, "\n").replace(UNSEEN, "");

// What a person typed, shown letter by letter as it was typed.
export function literal(text) {
  return encode(clean(text)).replace(/^ | (?= )/gm, "&#160;");
}

export function neutralise(text) {
  const blocks = split(clean(text));
  return blocks.map((block) => (block.code === undefined ? prose(block.text) : fence(block))).join("\n");
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
    const found = OPENING.exec(line);
    const indented = !found && !listed && /^(?: {4}|\t)/.test(line) && !(lines.at(-1) ?? "").trim();
    if (found) {
      if (MARKER.test(found[1])) lines.push(found[1]);
      flush();
      open = { code: [], mark: found[2], language: found[3], width: found[1].length };
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

// One pass over running text: code within a line first, then formulae, then single signs.
function prose(text) {
  let out = "";
  let at = 0;
  while (at < text.length) {
    const piece = code(text, at) ?? formula(text, at) ?? sign(text, at);
    out += piece.out;
    at = piece.next;
  }
  return out;
}

const encode = (text) => text.replace(/[^\p{L}\p{N} \n]/gu, (sign) => `&#${sign.codePointAt(0)};`);
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
  for (const [left, right, marks, whole] of [
    ["$$", "$$", DISPLAY, true],
    ["\\[", "\\]", DISPLAY, true],
    ["\\(", "\\)", INLINE, true],
    ["$", "$", INLINE, false],
  ]) {
    if (!text.startsWith(left, at)) continue;
    const found = whole ? paired(text, at + left.length, right) : dollars(text, at);
    if (found === null) continue;
    const body = text.slice(at + left.length, found);
    return { out: marks[0] + escape(body) + marks[1], next: found + right.length };
  }
  return null;
}

function paired(text, from, right) {
  const end = text.indexOf(right, from);
  if (end < 0 || end - from > MATH_LIMIT) return null;
  const body = text.slice(from, end);
  return body.trim() && !/\n[ \t]*\n/.test(body) ? end : null;
}

// "$x$" is a formula, "$5 and $10" is money: no space inside the dollars, no digit after them, one line.
function dollars(text, at) {
  if (/[\w$\\]/.test(text[at - 1] ?? " ") || /[\s$]/.test(text[at + 1] ?? " ")) return null;
  const end = lineEnd(text, at);
  for (let next = at + 2; next < end; next += 1) {
    if (text[next] === "`") return null;
    if (text[next] !== "$" || text[next - 1] === "\\") continue;
    return /\s/.test(text[next - 1]) || /[\d$]/.test(text[next + 1] ?? " ") ? null : next;
  }
  return null;
}

function sign(text, at) {
  const here = text[at];
  if (here === "<") {
    const allowed = /^<br ?\/?>/i.exec(text.slice(at, at + 6));
    if (allowed) return { out: "<br>", next: at + allowed[0].length };
    const link = /^<(https?:\/\/[^\s<>]{1,2000})>/.exec(text.slice(at, at + 2100));
    return link ? { out: link[1], next: at + link[0].length } : { out: "&lt;", next: at + 1 };
  }
  if (here === "!" && text[at + 1] === "[") {
    const picture = /^!\[[^\]\n]{0,300}\]\(/.test(text.slice(at, at + 310));
    return { out: picture ? "&#128444; " : "&#33;", next: at + 1 };
  }
  if (text.startsWith("~~~", at)) return { out: "&#126;~~", next: at + 3 };
  if (text.startsWith("%%%", at)) return { out: "&#37;%%", next: at + 3 };
  return { out: here, next: at + 1 };
}

function lineEnd(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
