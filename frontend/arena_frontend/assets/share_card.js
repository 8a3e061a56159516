// The card of a battle: question, names and vote as a picture that its voter may save and pass on. It is drawn in this
// browser; nobody else sees it unless the voter shows it.

import { SIDES, download, element } from "./shell.js";
import { language, ownerName, t } from "./texts.js";

export const WIDTH = 1200;
export const HEIGHT = 630;
const EDGE = 64;
const FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif";
const QUESTION = { size: 46, height: 60, lines: 4 };
const COLOURS = { ground: "#f6f7f9", paper: "#ffffff", ink: "#1a2030", soft: "#565f70", line: "#dfe3ea", a: "#4653c9", b: "#ad4f06" };

export function picture(question, reveal) {
  const canvas = element("canvas", { class: "a-share-card", width: WIDTH, height: HEIGHT, role: "img", "aria-label": description(question, reveal) });
  draw(canvas.getContext("2d"), question, reveal);
  return canvas;
}

const description = (question, reveal) => `${question} ${SIDES.map((side) => `${side.toUpperCase()}: ${reveal[side].name}`).join(", ")}. ${verdict(reveal)}`;

function verdict(reveal) {
  const winner = reveal[reveal.outcome];
  return t(`shared.chose.${reveal.outcome}`, winner ? { name: winner.name } : {});
}

function draw(pen, question, reveal) {
  pen.fillStyle = COLOURS.ground;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  text(pen, t("brand"), EDGE, 84, { size: 30, weight: 650, colour: COLOURS.soft });
  lines(pen, question, WIDTH - 2 * EDGE).forEach((line, index) => text(pen, line, EDGE, 168 + index * QUESTION.height, { size: QUESTION.size, weight: 650 }));
  const width = (WIDTH - 2 * EDGE - 24) / 2;
  SIDES.forEach((side, index) => drawModel(pen, side, reveal, EDGE + index * (width + 24), width));
  text(pen, verdict(reveal), EDGE, HEIGHT - 52, { size: 30, weight: 650, maxWidth: WIDTH - 2 * EDGE });
}

function drawModel(pen, side, reveal, x, width) {
  const [y, height] = [402, 112];
  const isWinner = reveal.outcome === side;
  pen.beginPath();
  pen.roundRect(x, y, width, height, 18);
  pen.fillStyle = COLOURS.paper;
  pen.fill();
  pen.lineWidth = isWinner ? 6 : 2;
  pen.strokeStyle = isWinner ? COLOURS[side] : COLOURS.line;
  pen.stroke();
  text(pen, side.toUpperCase(), x + 28, y + 70, { size: 40, weight: 700, colour: COLOURS[side] });
  text(pen, reveal[side].name, x + 84, y + 52, { size: 32, weight: 650, maxWidth: width - 108 });
  text(pen, ownerName(reveal[side].owner), x + 84, y + 88, { size: 24, colour: COLOURS.soft, maxWidth: width - 108 });
}

function text(pen, words, x, y, { size, weight = 400, colour = COLOURS.ink, maxWidth = Infinity }) {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.fillStyle = colour;
  pen.fillText(cut(pen, words, maxWidth), x, y);
}

function cut(pen, words, maxWidth) {
  if (pen.measureText(words).width <= maxWidth) return words;
  const signs = Array.from(words);
  while (signs.length && pen.measureText(`${signs.join("")}…`).width > maxWidth) signs.pop();
  return `${signs.join("")}…`;
}

// Lines of the question, broken between words and between Chinese characters; the last one says that more follows.
function lines(pen, question, maxWidth) {
  pen.font = `650 ${QUESTION.size}px ${FONT}`;
  const parts = [...new Intl.Segmenter(language, { granularity: "word" }).segment(question.replace(/\s+/gu, " ").trim())].map(({ segment }) => segment);
  const result = [""];
  for (const part of parts) {
    if (result.at(-1) && pen.measureText(result.at(-1) + part).width > maxWidth) result.push("");
    if (result.length > QUESTION.lines) break;
    result[result.length - 1] += result.at(-1) ? part : part.trimStart();
  }
  if (result.length > QUESTION.lines) {
    result.pop();
    result.push(cut(pen, `${result.pop()} …`, maxWidth));
  }
  return result.map((line) => cut(pen, line, maxWidth));
}

export const save = (canvas, name) => canvas.toBlob((blob) => download(blob, name), "image/png");
