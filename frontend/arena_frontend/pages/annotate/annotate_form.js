// What can be said of an item, one of four outcomes or points by criterion, and the guide to it.

import { answer } from "./answers.js";
import { OUTCOMES, all, at, element } from "./shell.js";
import { language, t } from "./texts.js";

const ARROWS = { ArrowLeft: "a", ArrowRight: "b" };
const translated = (texts) => texts[language] ?? texts[language.split("-")[0]] ?? texts.en;

export function guide(protocol) {
  const lines = protocol.guide.map(({ name, text }) => element("li", {}, element("b", {}, translated(name)), ": ", translated(text)));
  return lines.length ? [element("details", {}, element("summary", {}, t("annotate.guide")), element("ol", {}, lines))] : [];
}

/** @type {(item: any) => (string | Element)[]} */
export const reference = (item) => (item.reference ? [element("b", {}, t("annotate.reference")), " ", answer(item.reference_html)] : []);

// `keep` is told the points chosen so far.
export function form(protocol, item, judge, keep) {
  const skip = element("button", { type: "button", class: "a-link", "data-act": "say", "data-outcome": "skip" }, ...withKey("annotate.skip", "S"));
  if (protocol.pairwise) return [element("div", { class: "a-judge-row", role: "group", "aria-label": t("vote.title") }, OUTCOMES.map(choice)), help("annotate.keys.pair", skip)];
  const criteria = criteriaOf(protocol, item);
  const result = element("form", {}, element("div", { class: "a-scales" }, criteria.map(scale)), element("button", { class: "a-button", disabled: true }, ...withKey("annotate.send", "Enter")));
  result.addEventListener("change", () => {
    keep(pointsOf(result));
    const [next, send] = [markNext(result), result.querySelector("button")];
    send.disabled = !isComplete(result);
    (send.disabled ? next : send).scrollIntoView({ block: "nearest" });
  });
  markNext(result);
  result.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isComplete(result)) judge(pointsOf(result));
  });
  return [result, help(criteria.some(({ low, high }) => low > 0 && high >= 10) ? "annotate.keys.score.ten" : "annotate.keys.score", skip)];
}

const pointsOf = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, Number(value)]));

// A label with the key that does the same; screens without a keyboard do not show it.
/** @type {(key: string, name: string) => (string | Element)[]} */
export const withKey = (key, name) => [t(key), " ", element("kbd", {}, name)];

const help = (key, skip) => element("p", { class: "a-note" }, element("span", { class: "a-keys" }, t(key), " "), skip);

const choice = (outcome, index) =>
  element("button", { type: "button", class: "a-button", "data-act": "say", "data-outcome": outcome }, element("kbd", {}, String(index + 1)), " ", t(`vote.${outcome}`));

const criteriaOf = (protocol, item) => protocol.forms.find(({ name }) => name === item.form).criteria;

// A judgement as a person reads it: the outcome, or the points of each criterion.
export function inWords({ outcome, ...points }, protocol, item) {
  if (outcome) return t(outcome === "skip" ? "annotate.skip" : `vote.${outcome}`);
  return criteriaOf(protocol, item).map(({ id, name }) => `${translated(name)} ${points[id]}`).join(" · ");
}

// Shows a judgement that was taken back, or not sent yet, as it was, so that one slip costs one key.
/** @type {(said: Record<string, any>, mark: (outcome: string) => void) => void} */
export function choose({ outcome, ...points }, mark) {
  if (outcome) return mark(outcome);
  const form = at("judge").querySelector("form");
  for (const radio of form.querySelectorAll("input")) radio.checked = points[radio.name] === Number(radio.value);
  form.dispatchEvent(new Event("change"));
}

function scale({ id, low, high, name, text }) {
  const points = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  const radios = points.map((value) => element("label", {}, element("input", { type: "radio", name: id, value }), String(value)));
  return element("fieldset", {}, element("legend", { class: "a-say" }, translated(name)), element("b", { "aria-hidden": "true" }, translated(name)), element("small", {}, translated(text)), element("div", { class: "a-judge-row" }, radios));
}

// Marks the first scale without points, or the last one, and returns it.
function markNext(form) {
  const next = unanswered(form)[0] ?? form.querySelector("fieldset:last-of-type");
  for (const fieldset of all("fieldset", form)) fieldset.toggleAttribute("data-next", fieldset === next);
  return next;
}

const unanswered = (form) => /** @type {HTMLFieldSetElement[]} */ (all("fieldset", form)).filter((fieldset) => !fieldset.querySelector(":checked"));
const isComplete = (form) => !unanswered(form).length;

// Digits choose an outcome, or points for the first criterion without any; 0 means 10 where there is no zero. The points of
// a single criterion can be typed again, and in two digits. Returns whether the key has a meaning.
export function handleKey({ key }, protocol, judge) {
  if (protocol.pairwise) {
    const outcome = OUTCOMES[Number(key) - 1] ?? ARROWS[key] ?? (key === "s" ? "skip" : null);
    if (outcome) judge({ outcome });
    return Boolean(outcome);
  }
  const form = at("judge").querySelector("form");
  if (key === "s") judge({ outcome: "skip" });
  else if (key === "Enter" && isComplete(form)) form.requestSubmit();
  else if (key === "Backspace") startOver(form);
  else return /^\d$/.test(key) && choosePoints(form, key);
  return true;
}

function startOver(form) {
  form.reset();
  form.dispatchEvent(new Event("change"));
}

function choosePoints(form, digit) {
  const rows = all("fieldset", form);
  const [row] = rows.length > 1 ? unanswered(form) : rows;
  const before = row?.querySelector(":checked")?.getAttribute("value") ?? "";
  const radio = [before + digit, digit, digit === "0" ? "10" : ""].map((value) => row?.querySelector(`[value="${value}"]`)).find(Boolean);
  if (!(radio instanceof HTMLInputElement)) return false;
  radio.click();
  return true;
}
