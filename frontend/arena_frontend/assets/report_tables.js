// Tables of reports: sections with a head, a table that scrolls inside, and figures with their intervals.

import { call } from "./api.js";
import { at, element } from "./dom.js";
import { failure } from "./failure.js";
import { language, t } from "./texts.js";

const digits = new Map();

function format(value, places) {
  if (!digits.has(places)) digits.set(places, new Intl.NumberFormat(language, { maximumFractionDigits: places, minimumFractionDigits: places }));
  return digits.get(places).format(value);
}

export const figure = (value, places = 2) => (value === null ? "–" : format(value, places));

// A value with its 95 % interval.
export function interval(found, places = 2) {
  if (found.value === null) return "–";
  const ends = found.low === null || found.high === null ? "" : ` (${format(found.low, places)} – ${format(found.high, places)})`;
  return format(found.value, places) + ends;
}

export function section(title, ...children) {
  return element("section", { class: "a-eval" }, element("h2", {}, title), children);
}

// It stays in the window, and wraps there, where the table scrolls.
export const captionOf = (text) => element("caption", {}, element("span", {}, text));

export function table(heads, rows, caption = "") {
  const head = element("thead", {}, element("tr", {}, heads.map((key) => element("th", { scope: "col" }, t(key)))));
  const body = element("tbody", {}, rows.map((cells) => element("tr", {}, cells.map((cell) => element("td", {}, String(cell))))));
  return element("div", { class: "a-eval-wide", tabindex: 0, role: "region", "aria-label": caption || t(heads[0]) }, element("table", {}, caption ? captionOf(caption) : null, head, body));
}

// Fills the page's place with the report at an address, or says why not.
export async function fill(id, address, paint) {
  const answer = await call("GET", address);
  at(id).removeAttribute("aria-busy");
  if (answer.ok) return at(id).replaceChildren(...paint(answer.data));
  at(id).replaceChildren(failure(answer, () => fill(id, address, paint)));
}
