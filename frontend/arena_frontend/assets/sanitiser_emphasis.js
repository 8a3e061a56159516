// Emphasis where CommonMark leaves its marks visible: a closing mark after full-width punctuation and before a letter,
// which its flanking rule allows only where words have spaces between them. The rule here also lets Chinese, Japanese
// and Korean characters stand for the space (as in tats-u's "CJK-friendly emphasis"); a paragraph without any of them is
// left to the renderer, unless a mark would stay visible between closing punctuation and a letter (`**Note:**this`).

const CJK =
  /[\u1100-\u11ff\u2e80-\u303f\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const SIGN = /[\p{P}\p{S}]/u;
const CLOSING = /[\p{Pe}\p{Pf}.,:;!?"'\u201d\u2019]/u;
const IDENTIFIER = /^[a-z0-9_]+$/;
const LIMIT = 400; // marks per paragraph
const REFERENCES = { "*": "&#42;", _: "&#95;" };

/** @typedef {{ sign: string, count: number, left: number, before: string, after: string, opens: boolean, closes: boolean, at: number, group: number, line: number, tags: [string, string], isPaired: boolean }} Mark */

const space = (sign) => !sign.trim();

// The run of one sign at position `at`, with what it may open or close; null where it is text in any case.
export function mark(text, at) {
  const sign = text[at];
  if (sign !== "*" && sign !== "_") return null;
  const count = (sign === "*" ? /^\*+/ : /^_+/).exec(text.slice(at, at + 200))[0].length;
  const before = previous(text, at);
  const after = String.fromCodePoint(text.codePointAt(at + count) ?? 32);
  const [left, right] = [flanks(before, after), flanks(after, before)];
  const free = (outside, inside) =>
    sign === "*" || SIGN.test(outside) || space(outside) || (CJK.test(outside) && (count > 1 || SIGN.test(inside)));
  const opens = left && (!right || free(before, after));
  const closes = right && (!left || free(after, before));
  return { sign, count, left: count, before, after, opens, closes, at, group: 0, line: 0, tags: ["", ""], isPaired: false };
}

function previous(text, at) {
  const low = text.charCodeAt(at - 1);
  return at ? text.slice(at - (low >= 0xdc00 && low <= 0xdfff ? 2 : 1), at) : " ";
}

const sign = (one) => SIGN.test(one) && !CJK.test(one);
const flanks = (outside, inside) => !space(inside) && (!sign(inside) || space(outside) || sign(outside) || CJK.test(outside));

// Replaces the marks of a text by elements; `pieces` has the marks in their positions.
/** @type {(pieces: (string | Mark)[], text: string) => string} */
export function withEmphasis(pieces, text) {
  const groups = new Map();
  for (const piece of pieces)
    if (typeof piece !== "string") groups.set(piece.group, [...(groups.get(piece.group) ?? []), piece]);
  for (const marks of groups.values()) if (marks.length <= LIMIT) pair(marks, text);
  return pieces.map((piece) => (typeof piece === "string" ? piece : render(piece))).join("");
}

const render = ({ sign: own, count, left, tags, isPaired }) => (isPaired ? tags[0] + REFERENCES[own].repeat(left) + tags[1] : own.repeat(count));

/** @param {Mark[]} marks */
function pair(marks, text) {
  const pairs = [...matched(marks, text), ...leftover(marks, text)];
  const inside = text.slice(Math.max(0, marks[0].at - 1), marks.at(-1).at + marks.at(-1).count + 2);
  if (!CJK.test(inside) && !pairs.some(({ forced }) => forced)) return;
  for (const mark of marks) mark.isPaired = true;
  for (const { from, to, size } of pairs) {
    const tag = size === 2 ? "strong" : "em";
    from.tags[1] = `<${tag}>` + from.tags[1];
    to.tags[0] += `</${tag}>`;
  }
}

// CommonMark's "process emphasis": each closer takes the nearest opener of the same sign.
function matched(marks, text) {
  const pairs = [];
  const open = [];
  for (const to of marks) {
    for (let place = open.length - 1; to.closes && to.left && place >= 0; place -= 1) {
      const from = open[place];
      if (from.sign !== to.sign || odd(from, to)) continue;
      open.length = place + 1;
      if (identifier(from, to, text)) {
        open.pop();
        to.opens = false;
        break;
      }
      while (from.left && to.left) {
        const size = Math.min(from.left, to.left, 2);
        pairs.push({ from, to, size, forced: false });
        from.left -= size;
        to.left -= size;
      }
      if (!from.left) open.pop();
    }
    if (to.opens && to.left) open.push(to);
  }
  return pairs;
}

const odd = (from, to) => (from.closes || to.opens) && (from.count + to.count) % 3 === 0 && from.count % 3 > 0;

// `__init__` within Chinese text is a name.
const identifier = (from, to, text) => from.sign === "_" && from.count > 1 && IDENTIFIER.test(text.slice(from.at + from.count, to.at));

// Marks that would stay visible: two pairs of asterisks on one line, the second after a space or closing punctuation and
// before a letter.
function leftover(marks, text) {
  const pairs = [];
  const rest = marks.filter(({ sign: own, left, count }) => own === "*" && left === 2 && count === 2);
  for (let place = 0; place + 1 < rest.length; place += 1) {
    const [from, to] = [rest[place], rest[place + 1]];
    const body = text.slice(from.at + 2, to.at);
    const ends = CLOSING.test(to.before) || (space(to.before) && CJK.test(body));
    if (from.line !== to.line || space(from.after) || space(to.after) || !ends || /[*_]/.test(body)) continue;
    from.left = to.left = 0;
    pairs.push({ from, to, size: 2, forced: true });
    place += 1;
  }
  return pairs;
}
