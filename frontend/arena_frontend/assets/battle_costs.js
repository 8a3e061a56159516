// What a million tokens of a model cost, in money and energy, as small bars; fetched with the first reveal only.

import { element } from "./dom.js";
import { price, priceText } from "./leaderboard_facts.js";
import { plain } from "./numbers.js";
import { svg } from "./svg.js";
import { t } from "./texts.js";

export function costs(model) {
  const known = [
    [t("reveal.price"), price(model), priceText(model)],
    [t("reveal.energy"), model.energy ?? null, `${plain.format(model.energy)} kWh`],
  ];
  return known.filter(([, amount]) => amount !== null).map(([title, amount, text]) => element("span", { title }, meter(amount), text));
}

// A bar from a hundredth to a hundred, each tenfold as wide as the one before.
const [LOW, DECADES, WIDE, HIGH] = [0.01, 4, 56, 6];

function meter(amount) {
  const share = Math.min(1, Math.max(0.03, Math.log10(Math.max(amount, LOW) / LOW) / DECADES));
  const bar = (width) => svg("rect", { width, height: HIGH, rx: HIGH / 2 });
  return svg("svg", { width: WIDE, height: HIGH, "aria-hidden": "true" }, bar(WIDE), bar(WIDE * share));
}
