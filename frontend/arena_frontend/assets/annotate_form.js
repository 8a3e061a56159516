// What can be said of an item: one of four outcomes, or points by criterion; and what to look at.

import { all, at, element } from "./dom.js";
import { language, t } from "./texts.js";
import { OUTCOMES } from "./sides.js";

const ARROWS = { ArrowLeft: "a", ArrowRight: "b" };
const words = (texts) => texts[language] ?? texts[language.split("-")[0]] ?? texts.en;

const criteria = (protocol, item) => protocol.forms.find(({ name }) => name === item.form).criteria;

export function guide(protocol, item) {
  const lines = protocol.guide.map(({ name, text }) => element("li", {}, element("b", {}, words(name)), ": ", words(text)));
  const known = item.reference ? element("p", { class: "a-reference" }, element("b", {}, t("annotate.reference")), " ", item.reference) : null;
  const look = lines.length ? element("details", {}, element("summary", {}, t("annotate.guide")), element("ol", {}, lines)) : null;
  return element("div", {}, look, known);
}

export function form(protocol, item, say) {
  const skip = element("button", { type: "button", class: "a-link", "data-act": "say", "data-outcome": "skip" }, t("annotate.skip"));
  if (protocol.pairwise) return [element("div", { class: "a-judge-row", role: "group", "aria-label": t("vote.title") }, OUTCOMES.map(choice)), help("annotate.keys.pair", skip)];
  const rows = criteria(protocol, item).map(scale);
  const made = element("form", {}, rows, element("button", { class: "a-button", disabled: true }, t("annotate.send")));
  made.addEventListener("change", () => {
    made.querySelector("button").disabled = !complete(made);
    (open(made)[0] ?? made.querySelector("fieldset:last-of-type")).scrollIntoView({ block: "nearest" });
  });
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    if (complete(made)) say(Object.fromEntries([...new FormData(made)].map(([name, value]) => [name, Number(value)])));
  });
  return [made, help("annotate.keys.score", skip)];
}

const help = (key, skip) => element("p", { class: "a-note" }, element("span", { class: "a-keys" }, t(key), " "), skip);

const choice = (outcome, number) =>
  element("button", { type: "button", class: "a-button", "data-act": "say", "data-outcome": outcome }, element("kbd", {}, String(number + 1)), " ", t(`vote.${outcome}`));

function scale({ id, low, high, name, text }) {
  const points = Array.from({ length: high - low + 1 }, (_, number) => low + number);
  const radios = points.map((value) => element("label", {}, element("input", { type: "radio", name: id, value }), String(value)));
  return element("fieldset", {}, element("legend", { class: "a-say" }, words(name)), element("b", { "aria-hidden": "true" }, words(name)), element("small", {}, words(text)), element("div", { class: "a-judge-row" }, radios));
}

const open = (made) => /** @type {HTMLFieldSetElement[]} */ (all("fieldset", made)).filter((each) => !each.querySelector(":checked"));
const complete = (made) => !open(made).length;

// Digits choose an outcome, or points for the first criterion without any; 0 is ten where there is no zero.
export function keyed(event, protocol, say) {
  if (protocol.pairwise) {
    const outcome = OUTCOMES[Number(event.key) - 1] ?? ARROWS[event.key] ?? (event.key === "s" ? "skip" : null);
    if (outcome) say({ outcome });
    return Boolean(outcome);
  }
  const made = at("judge").querySelector("form");
  if (event.key === "s") say({ outcome: "skip" });
  else if (event.key === "Enter" && complete(made)) made.requestSubmit();
  else if (event.key === "Backspace") for (const each of all("input", made)) /** @type {HTMLInputElement} */ (each).checked = false;
  else return /^\d$/.test(event.key) && pointed(made, event.key);
  return true;
}

function pointed(made, digit) {
  const row = open(made)[0];
  const radio = row?.querySelector(`[value="${digit}"]`) ?? (digit === "0" ? row?.querySelector('[value="10"]') : null);
  if (!(radio instanceof HTMLInputElement)) return false;
  radio.click();
  return true;
}
