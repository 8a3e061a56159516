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
export function remarksForm(id, reveal) {
  const remarks = Object.fromEntries(SIDES.map((side) => [side, { reasons: [], stars: {} }]));
  const status = element("span", { class: "a-remarks-say", role: "status" });
  const save = element("button", { type: "button", class: "a-save", "data-act": "remarks", disabled: true }, t("remarks.save"));
  const parts = SIDES.map((side) => part(side, reveal[side].name));
  const body = element("div", { class: "a-remarks-body" }, parts, element("p", { class: "a-remarks-end" }, save, " ", status));
  const update = () => (save.disabled = !SIDES.some((side) => hasRemark(remarks[side])));
  on("reason", (button) => {
    const { side, reason } = button.dataset;
    const isChosen = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isChosen));
    remarks[side].reasons = remarks[side].reasons.filter((name) => name !== reason).concat(isChosen ? [reason] : []);
    update();
  });
  body.addEventListener("change", (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    const [side, criterion] = name.split("-");
    remarks[side].stars[criterion] = Number(value);
    update();
  });
  on("remarks", () => send(id, remarks, body, status));
  return element("details", { class: "a-remarks" }, element("summary", {}, t("remarks.title")), body);
}

const hasRemark = ({ reasons, stars }) => reasons.length + Object.keys(stars).length > 0;

async function send(id, remarks, body, status) {
  const sent = Object.fromEntries(SIDES.filter((side) => hasRemark(remarks[side])).map((side) => [side, remarks[side]]));
  const { ok, problem } = await insist("POST", `/battles/${encodeURIComponent(id)}/remarks`, { body: sent });
  status.textContent = ok ? t("remarks.saved") : problemText(problem);
  if (ok || problem.code === "already_remarked") for (const control of body.querySelectorAll("button, input")) control.disabled = true;
}

function part(side, name) {
  const legend = element("legend", {}, element("span", { class: "a-badge", "data-side": side }, side.toUpperCase()), ` ${name}`);
  return element("fieldset", { class: "a-remarks-side" }, legend, chips(side, GOOD), chips(side, BAD), CRITERIA.map((criterion) => stars(side, name, criterion)));
}

function chips(side, reasons) {
  const attributes = { type: "button", class: "a-chip", "data-act": "reason", "data-side": side, "aria-pressed": "false" };
  return element("div", { class: "a-chips" }, reasons.map((reason) => element("button", { ...attributes, "data-reason": reason }, t(`reason.${reason}`))));
}

function stars(side, name, criterion) {
  const title = t(`criterion.${criterion}`);
  const star = (count) => {
    const radio = element("input", { type: "radio", name: `${side}-${criterion}`, value: count, "aria-label": t("stars", { count }) });
    return element("label", { class: "a-star" }, radio, element("span", { "aria-hidden": "true" }, "★"));
  };
  return element("div", { class: "a-stars", role: "radiogroup", "aria-label": `${name}: ${title}` }, element("span", { class: "a-stars-name" }, title), STARS.map(star));
}
