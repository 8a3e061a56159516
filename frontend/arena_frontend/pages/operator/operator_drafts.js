// A new evaluation: questions pasted or dropped as a file, the models to ask, and how people judge.

import { all, at, element } from "./dom.js";
import { form } from "./forms.js";
import { chapter } from "./owner_components.js";
import { t } from "./texts.js";

const EVALUATIONS = "/operator/evaluations";
const PROTOCOLS = ["pairwise", "stars", "score"];
export const frame = () => [element("div", { id: "operator-draft", "data-needs": "operator" })];

// Shown once: a form that changed under the hand would lose what is being typed.
export async function load(operator, made) {
  if (at("operator-draft")?.childElementCount) return;
  const { ok, data } = await operator.call("GET", "/operator/evaluation-models");
  const place = at("operator-draft");
  if (!ok || !place || place.childElementCount) return;
  const name = /** @type {import("./forms.js").Row} */ (["name", { required: true, maxlength: 80, words: "evaluation" }]);
  const content = /** @type {import("./forms.js").Row} */ (["content", { kind: "textarea", rows: 5, words: "questions" }]);
  const people = /** @type {import("./forms.js").Row} */ (["per_item", { kind: "number", min: 1, max: 100, value: 3, required: true }]);
  const options = /** @type {[string, string][]} */ (PROTOCOLS.map((protocol) => [protocol, t(`op.draft.${protocol}`)]));
  const judging = /** @type {import("./forms.js").Row} */ (["protocol", { kind: "select", options, required: true }]);
  const shown = form("draft", [name, content, dropped(), models(data), judging, people], { label: t("op.draft.make"), done: t("op.draft.done"), submit: (said) => make(operator, said, made) });
  place.append(chapter("draft-made", t("op.draft.title"), element("p", { class: "a-hint" }, t("op.draft.help")), shown));
}

const dropped = () => element("div", { class: "a-field" }, element("label", { for: "draft-file" }, t("op.draft.file"), element("small", {}, t("own.optional"))), element("input", { id: "draft-file", type: "file" }));

function models(candidates) {
  const box = ({ name, practice }) => element("label", {}, element("input", { type: "checkbox", "data-model": name, checked: practice && candidates.length === 2 }), " ", name);
  return element("fieldset", { class: "a-field a-models", "data-wide": true }, element("legend", {}, t("op.draft.models")), candidates.length ? candidates.map(box) : element("p", { class: "a-hint" }, t("op.draft.none")));
}

/** @type {(operator: any, said: Record<string, any>, made: (refused: string[]) => void) => Promise<any>} */
async function make(operator, { name, content, protocol, per_item: people }, made) {
  const file = /** @type {HTMLInputElement} */ (at("draft-file")).files?.[0];
  const chosen = all("[data-model]", at("draft")).filter((box) => /** @type {HTMLInputElement} */ (box).checked).map((box) => box.dataset.model);
  const source = file ? { content: await base64(file), file: file.name } : { content: content ?? "" };
  const answer = await operator.call("POST", EVALUATIONS, { name, ...source, models: chosen, protocol, per_item: people });
  if (answer.ok) made(answer.data.refused);
  return answer;
}

/** @type {(file: File) => Promise<string>} */
const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
