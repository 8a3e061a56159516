// What readers compare models by besides votes, by the word of their owners: size, weights, context, prices, energy.

import { element } from "./dom.js";
import { call } from "./api.js";
import { plain } from "./numbers.js";
import { language, t } from "./texts.js";

const FACTS = ["open_weights", "billions", "context_tokens", "price_in", "price_out", "energy"];
const KILO = 1024;
const PROMPTS = 3; // Tokens that are read for each that is written, in one figure for the price of both.

let known = new Map();

// Facts change seldom and stand in no snapshot, so they are fetched beside the first board only.
export async function fetchFacts() {
  const answer = await call("GET", "/models");
  if (answer.ok) known = new Map(answer.data.map((model) => [model.name, Object.fromEntries(FACTS.map((fact) => [fact, model[fact] ?? null]))]));
}

export function withFacts(row) {
  const facts = known.get(row.name) ?? {};
  const told = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
  return { ...row, ...told };
}

// Billions of parameters, as given by the owner, or else from the name, such as "7b" or "8x7B".
export function billions(row) {
  if (row.billions !== null && row.billions !== undefined) return row.billions;
  const found = /(?:^|[^\d.])(?:(\d+)x)?(\d+(?:\.\d+)?)b(?![a-z])/i.exec(row.name);
  return found ? Number(found[1] ?? 1) * Number(found[2]) : null;
}

const given = (value) => value !== null && value !== undefined;

// Dollars per million tokens in a usual mix of prompts and answers; null unless both prices are known.
export const price = (row) => (given(row.price_in) && given(row.price_out) ? (PROMPTS * row.price_in + row.price_out) / (PROMPTS + 1) : null);

const money = new Intl.NumberFormat(language, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

// 131,072 tokens are called 128K, and 1,048,576 are called 1M.
function binary(tokens) {
  if (tokens % KILO) return compact.format(tokens);
  return tokens % (KILO * KILO) ? `${plain.format(tokens / KILO)}K` : `${plain.format(tokens / KILO / KILO)}M`;
}

export const dollars = (value) => money.format(value);
export const sizeText = (row) => (billions(row) === null ? "–" : `${plain.format(billions(row))}B`);
export const contextText = (row) => (given(row.context_tokens) ? binary(row.context_tokens) : "–");
export const priceText = (row) => (given(row.price_in) || given(row.price_out) ? [row.price_in, row.price_out].map((value) => (given(value) ? money.format(value) : "–")).join(" / ") : "–");
export const energyText = (row) => (given(row.energy) ? t("col.energy.unit", { energy: plain.format(row.energy) }) : "–");

export function weights(row) {
  const open = row.open_weights;
  const mark = given(open) ? element("span", { class: "a-weights", "data-open": String(open) }, t(`filter.weights.${open ? "open" : "closed"}`)) : null;
  return [mark ?? "–", row.licence ? element("small", {}, row.licence) : null];
}
