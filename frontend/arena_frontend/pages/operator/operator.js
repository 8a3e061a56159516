// The operator's page: the server renders its parts, and here is what their markup cannot say.

import { all, at, element } from "./dom.js";
import { open } from "./door.js";
import { votes } from "./operator_votes.js";
import { filled } from "./part_acts.js";
import { on } from "./shell.js";
import { t } from "./texts.js";

const SITE = "/operator/site";
/** @type {(id: string) => string} */
const value = (id) => /** @type {HTMLInputElement} */ (at(id)).value;

/** @type {(file: Blob) => Promise<string>} */
const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });

// A new evaluation, of what was pasted or of a file, with the models that are ticked.
async function draft(form, { content, ...fields }) {
  const file = /** @type {HTMLInputElement} */ (at("draft-file")).files?.[0];
  const models = all("[data-model]:checked", form).map(({ dataset }) => dataset.model);
  const source = file ? { content: await base64(file), file: file.name } : { content: content ?? "" };
  return page.session.call("POST", "/operator/evaluations", { ...fields, ...source, models });
}

function made(_form, { refused }) {
  at("operator-links").replaceChildren(...(refused.length ? [element("ul", { class: "a-hint" }, refused.map((text) => element("li", {}, text)))] : []));
}

const invite = ({ dataset }, fields) => page.session.call("POST", dataset.send.split(" ")[1], { ...fields, address: window.location.origin });

// Links with their pictures, which are shown this once.
function invited({ dataset }, people) {
  const panel = filled("invited", { title: t("op.runs.links", { name: dataset.runName }) }).firstElementChild;
  for (const { annotator: label, link, qr } of people) {
    const person = filled("invited-person", { link, qr });
    person.querySelector("img").alt = t("op.runs.qr", { label });
    person.querySelector("input").ariaLabel = t("op.runs.link", { label });
    panel.append(person);
  }
  at("operator-links").replaceChildren(panel);
}

// The file that was chosen; the same one can be chosen again.
function chosen(box) {
  const [file] = box.files;
  box.value = "";
  return file;
}

const mark = async (box) => page.session.call("PATCH", SITE, { mark: await base64(chosen(box)) });

async function carry(box) {
  try {
    return await page.session.call("PUT", `${SITE}/file`, JSON.parse(await chosen(box).text()));
  } catch {
    return { ok: false, problem: { code: "invalid", params: { rule: "site_file" } } };
  }
}

function publish(_button, { page: name, language, others }) {
  const text = value("operator-page-text");
  return page.session.call("PATCH", SITE, { pages: { [name]: text.trim() ? { ...others, [language]: text } : others } });
}

async function preview() {
  const shown = at("operator-page-preview");
  const answer = await page.load(shown, true, { text: value("operator-page-text") });
  if (answer) shown.hidden = !answer.ok;
  return answer;
}

function review({ dataset }, verdict) {
  const options = all("[data-option]", at("conversion")).map((option) => /** @type {HTMLInputElement} */ (option).value.trim());
  const key = /** @type {HTMLInputElement} */ (document.querySelector("#conversion :checked"))?.value ?? "";
  const wording = verdict.verdict === "amended" ? { wording: { question: value("conversion-question").trim(), options, key } } : {};
  return page.session.call("POST", dataset.send.split(" ")[1], { ...verdict, remark: value("conversion-remark").trim(), ...wording });
}

// A label that is pressed is chosen or no more; its place among the chosen ones is their order.
on("label", ({ dataset: { label } }) => {
  const [save] = all("[data-name=labels-save]");
  const body = JSON.parse(save.dataset.body);
  const chosen = body.values.includes(label) ? body.values.filter((one) => one !== label) : [...body.values, label];
  save.dataset.body = JSON.stringify({ ...body, values: chosen });
  for (const button of all("[data-act=label]")) {
    const order = chosen.indexOf(button.dataset.label);
    button.setAttribute("aria-pressed", String(order >= 0));
    button.textContent = order < 0 ? button.dataset.label : `${order + 1}. ${button.dataset.label}`;
  }
});

on("older", () => {
  const shown = /** @type {HTMLInputElement} */ (at("acts-shown"));
  shown.value = String(Number(shown.value) + 20);
  void page.load(at("operator"));
});

const page = open("operator", { store: "arena_operator_key", off: "operator_off", by: { draft, invite, mark, carry, publish, preview, review }, then: { made, invited } });
votes(page.session);
page.show();
