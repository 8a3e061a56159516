// SVG elements from text and attributes, scales, and a frame with axes; CSS applies the theme.

import { plain } from "./numbers.js";

const SPACE = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export const canvas = (width, height, label, ...children) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "a-svg", role: "img", "aria-label": label }, ...children);

export const scale = (from, to, low, high) => (value) => (to === from ? (low + high) / 2 : low + ((value - from) / (to - from)) * (high - low));

// About `count` round tick values between two values.
export function marks(low, high, count = 5) {
  const rough = Math.max((high - low) / count, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step + 1e-9) + 1 }, (_, place) => first + place * step);
}

// Horizontal lines with their values on the left.
export const levels = (values, y, left, right, text = (value) => plain.format(value)) =>
  values.map((value) =>
    svg(
      "g",
      {},
      svg("line", { class: "a-grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
      svg("text", { class: "a-mark-text", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, text(value)),
    ),
  );

// A line through the points, interrupted where one is missing.
export function path(values, x, y) {
  let pen = "M";
  return values
    .map((value, place) => {
      if (value === null) {
        pen = "M";
        return "";
      }
      const point = `${pen}${x(place).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = "L";
      return point;
    })
    .join("");
}

export const title = (text) => svg("title", {}, text);
