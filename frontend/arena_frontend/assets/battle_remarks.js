// Optional remarks after the vote: reasons and stars per side.

import { insist } from "./api.js";
import { SIDES } from "./sides.js";
import { element } from "./dom.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

const GOOD = ["useful", "complete", "creative", "clear"];
const BAD = ["wrong", "shallow", "ignored"];
const CRITERIA = ["accuracy", "informativeness", "fluency", "logic", "harmlessness"];
const STARS = [1, 2, 3];

// Each side is addressed by the name that the vote has revealed.
export function remarks(id, reveal) {
  const said = Object.fromEntries(SIDES.map((side) => [side, { reasons: [], stars: {} }]));
  const answer = element("span", { class: "a-remarks-say", role: "status" });
  const save = element("button", { type: "button", class: "a-save", "data-act": "remarks", disabled: true }, t("remarks.save"));
  const body = element(
    "div",
    { class: "a-remarks-body" },
    ...SIDES.map((side) => part(side, reveal[side].name)),
    element("p", { class: "a-remarks-end" }, save, " ", answer),
  );
  const changed = () => (save.disabled = !SIDES.some((side) => given(said[side])));
  on("reason", (button) => {
    const { side, reason } = button.dataset;
    const chosen = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(chosen));
    said[side].reasons = said[side].reasons.filter((word) => word !== reason).concat(chosen ? [reason] : []);
    changed();
  });
  body.addEventListener("change", (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    const [side, criterion] = name.split("-");
    said[side].stars[criterion] = Number(value);
    changed();
  });
  on("remarks", () => keep(id, said, body, answer));
  return element("details", { class: "a-remarks" }, element("summary", {}, t("remarks.title")), body);
}

const given = ({ reasons, stars }) => reasons.length + Object.keys(stars).length > 0;

async function keep(id, said, body, answer) {
  const sent = Object.fromEntries(SIDES.filter((side) => given(said[side])).map((side) => [side, said[side]]));
  const { ok, problem } = await insist("POST", `/battles/${encodeURIComponent(id)}/remarks`, { body: sent });
  const kept = ok || problem.code === "already_remarked";
  answer.textContent = ok ? t("remarks.saved") : problemText(problem);
  if (kept) for (const control of body.querySelectorAll("button, input")) control.disabled = true;
}

function part(side, name) {
  return element(
    "fieldset",
    { class: "a-remarks-side" },
    element("legend", {}, element("span", { class: "a-badge", "data-side": side }, side.toUpperCase()), ` ${name}`),
    chips(side, GOOD),
    chips(side, BAD),
    ...CRITERIA.map((criterion) => stars(side, name, criterion)),
  );
}

function chips(side, reasons) {
  return element(
    "div",
    { class: "a-chips" },
    ...reasons.map((reason) =>
      element(
        "button",
        { type: "button", class: "a-chip", "data-act": "reason", "data-side": side, "data-reason": reason, "aria-pressed": "false" },
        t(`reason.${reason}`),
      ),
    ),
  );
}

function stars(side, name, criterion) {
  return element(
    "div",
    { class: "a-stars", role: "radiogroup", "aria-label": `${name}: ${t(`criterion.${criterion}`)}` },
    element("span", { class: "a-stars-name" }, t(`criterion.${criterion}`)),
    ...STARS.map((count) =>
      element(
        "label",
        { class: "a-star" },
        element("input", { type: "radio", name: `${side}-${criterion}`, value: count, "aria-label": t("stars", { count }) }),
        element("span", { "aria-hidden": "true" }, "★"),
      ),
    ),
  );
}
