// The operator's page: the server renders its views; here are the acts that their markup names.

import { open } from "./door.js";
import { setText, settle } from "./fields.js";
import { votes } from "./operator_votes.js";
import { ask, fromTemplate } from "./part_acts.js";
import { cancel } from "./parts.js";
import { all, applyTheme, at, element, first, on } from "./shell.js";
import { listed, ruled, t } from "./texts.js";

const SITE = "/operator/site";
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;
const MOST_LINES = 20;
const MOST_CHARACTERS = 200;
const A = 65;
const MEGABYTES = 3;
// Bytes of a file or text that fit into a request, of 4 MB in base64, beside the other fields of the form.
const MOST_BYTES = MEGABYTES * 2 ** 20 - 2 ** 14;
const COLOURS = "link[href*='/site/colours.css']";
/** @type {(id: string) => string} */
const value = (id) => /** @type {HTMLInputElement} */ (at(id)).value;
const post = ({ dataset }, body) => page.session.call("POST", dataset.send.split(" ")[1], body);

/** @type {(file: Blob) => Promise<string>} */
const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });

// Creates an evaluation from pasted questions or a file, with the models that are ticked.
async function createDraft(form, { content, ...fields }) {
  at("draft-left-out").replaceChildren();
  const file = /** @type {HTMLInputElement} */ (at("draft-file")).files?.[0];
  if (file && content?.trim()) return { ok: false, status: 422, problem: { code: "two_sources", title: t("op.draft.two_sources") } };
  if ((file ?? new Blob([content ?? ""])).size > MOST_BYTES) return { ok: false, status: 413, problem: { code: "draft_too_large", title: t("op.draft.too_large", { limit: MEGABYTES }) } };
  const models = all("[data-model]:checked", form).map(({ dataset }) => dataset.model);
  const source = file ? { content: await base64(file), file: file.name } : { content: content ?? "" };
  return page.session.call("POST", "/operator/evaluations", { ...fields, ...source, models });
}

// Says which questions have a text that another one has too; they are in the new evaluation.
function showSameText(lines = []) {
  if (!lines.length) return;
  const named = [...lines.slice(0, MOST_LINES), ...(lines.length > MOST_LINES ? ["…"] : [])];
  at("draft-left-out").append(element("p", { class: "a-hint" }, t("op.draft.same_text", { count: lines.length, lines: listed(named.map(String)) })));
}

// A text as a short look shows it.
const short = (text = "") => (text.length > MOST_CHARACTERS ? `${Array.from(text).slice(0, MOST_CHARACTERS).join("")}…` : text);

// The first questions as they were read, each with its turns and options, its area and its right answer.
function showBeginning(questions = []) {
  if (!questions.length) return;
  const table = fromTemplate("beginning");
  for (const { turns, options, area, category, key, reference, hint } of questions) {
    const row = fromTemplate("beginning-row");
    const lines = [...turns, ...options.map((option, index) => `${String.fromCharCode(A + index)}. ${option}`)];
    const cells = [lines, [area ?? category ?? "–"], [key ?? reference ?? hint ?? "–"]];
    all("td > div", row).forEach((cell, index) => cell.append(...cells[index].map((line) => element("p", {}, short(line)))));
    table.querySelector("tbody").append(row);
  }
  at("draft-left-out").append(table);
}

// Says that the questions are a further version of a set that was there before, which others may use.
function showVersion(set = "") {
  const [, name, version] = /^(.*) (\d+)$/.exec(set) ?? [];
  if (Number(version) > 1) at("draft-left-out").append(element("p", { class: "a-hint" }, t("op.draft.version", { name, version })));
}

// What of the file is not in the new evaluation or not as it may be meant, with a button that deletes it, and what is.
function showRefused(_form, made) {
  const { name, duplicates, refused, refused_rows: rows, same_text: same, unused = [], multiple_choice: count = 0, judged = true } = made;
  showSameText(same);
  showVersion(made.set);
  showBeginning(made.beginning);
  const sentences = rows.map(({ line, reason, params }) => t("op.draft.refused", { line, reason: ruled("op.row", params) ?? reason }));
  const lines = [...duplicates.map((row) => t("op.draft.repeats", row)), ...sentences, ...refused.slice(rows.length)];
  const texts = [...lines];
  if (unused.length) texts.push(t("op.draft.unused", { count: unused.length, names: listed(unused) }));
  if (count && judged) texts.push(t("op.draft.multiple", { count, choice: t("op.draft.closed") }));
  if (!texts.length) return;
  const box = fromTemplate("left-out", { text: t(lines.length ? "op.draft.left_out" : "op.draft.look", { name }) });
  box.querySelector("ul").replaceChildren(...texts.map((text) => element("li", {}, text)));
  Object.assign(box.querySelector("button").dataset, { send: `DELETE /operator/evaluations/${encodeURIComponent(name)}`, runName: name });
  at("draft-left-out").prepend(box);
}

// What is said of a draft that is deleted, in place of the lines that it lacked; its form can be sent again.
function forgetDraft({ dataset: { runName: name } }) {
  for (const status of all(".a-saved", at("draft"))) status.textContent = "";
  at("draft-left-out").replaceChildren(element("p", { class: "a-hint" }, t("op.draft.deleted", { name })));
}

const invite = (button, fields) => post(button, { ...fields, address: window.location.origin });

// Links of annotators with their QR codes, which are shown this once, below those of earlier invitations.
function showLinks({ dataset: { runName: name } }, people) {
  const panel = /** @type {HTMLElement} */ (fromTemplate("links", { title: t("op.runs.links", { name }) }).firstElementChild);
  /** @type {HTMLElement} */ (panel.querySelector("[data-only-here]")).hidden = !people.some(({ link }) => LOOPBACK.test(new URL(link).hostname));
  for (const { annotator: label, link, qr } of people) {
    const person = fromTemplate("links-person", { link, qr });
    person.querySelector("img").alt = t("op.runs.qr", { label });
    person.querySelector("input").ariaLabel = t("op.runs.link", { label });
    panel.append(person);
  }
  at(`run-${name}-links`).append(panel);
}

// Closes an evaluation and publishes its report, which takes a while. Until then the page says so, its list stays, and
// the rules of the evaluation cannot be set.
async function closeRun(button, body) {
  const { runName: name } = button.dataset;
  const [status, rules] = [at(`run-${name}-status`), at(`evaluation-${name}`)];
  cancel(at("operator"));
  setText(status, t("op.runs.publishing", { name }));
  if (rules) rules.hidden = true;
  const answer = await post(button, body);
  setText(status, "");
  if (rules) rules.hidden = answer.ok;
  if (!answer.ok) await Promise.all(all("#operator, #operator-evaluations").map((view) => page.load(view)));
  return answer;
}

// The links that are shown of an evaluation end with it.
function endLinks({ dataset: { runName: name } }) {
  const links = at(`run-${name}-links`);
  if (links.firstChild) links.replaceChildren(element("p", { class: "a-hint", role: "status" }, t("op.runs.links.closed", { name })));
}

// Takes the chosen file, so that the same one can be chosen again.
function takeFile(input) {
  const [file] = input.files;
  input.value = "";
  return file;
}

// The keys of a change of the site, such as `name` and `imprint.en`.
/** @type {(change: Record<string, any>) => string[]} */
const keysOf = ({ pages, ...settings }) =>
  Object.entries({ ...settings, ...pages }).flatMap(([name, value]) => (Object(value) === value && !Array.isArray(value) ? Object.keys(value).map((language) => `${name}.${language}`) : [name]));

// Changes the site, with the versions that the element's texts had when they were shown, so that nothing is overwritten
// that another operator has changed since. What is stored is known to this page from then on.
async function editSite(source, change) {
  const { dataset } = source.closest("[data-versions]");
  const versions = JSON.parse(dataset.versions);
  const answer = await page.session.call("PATCH", SITE, { ...change, versions });
  if (!answer.ok) return answer;
  for (const key of keysOf(change)) versions[key] = answer.data.versions[key];
  dataset.versions = JSON.stringify(versions);
  void renewFrame();
  if (source instanceof HTMLFormElement) settle(source);
  return answer;
}

// The bar, the foot, the title and the colours of this page as the site now is; without a connection they stay.
async function renewFrame() {
  const answer = await fetch(`${location.pathname}?lang=${document.documentElement.lang}`, { headers: { Accept: "text/html" }, cache: "no-cache" }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["bar", "foot"]) at(id).replaceChildren(...page.getElementById(id).childNodes);
  const [old, colours] = [document, page].map((root) => first(COLOURS, root));
  if (old?.getAttribute("href") !== colours?.getAttribute("href")) {
    if (colours) document.head.append(colours);
    old?.remove();
  }
  document.title = page.title;
  applyTheme();
}

const setMark = async (input) => editSite(input, { mark: await base64(takeFile(input)) });

async function importSite(input) {
  try {
    const answer = await page.session.call("PUT", `${SITE}/file`, JSON.parse(await takeFile(input).text()));
    if (answer.ok) void renewFrame();
    return answer;
  } catch {
    return { ok: false, problem: { code: "invalid", params: { rule: "site_file" } } };
  }
}

// Texts of the site's pages that were typed and not published, and the versions they were typed over, by page and
// language: they outlast a look at another page or language.
/** @type {Map<string, { text: string, versions: string }>} */
const typed = new Map();

// Publishes what is typed; an empty text withdraws what is published, so that is asked.
async function publish(button, { page: name, language }) {
  const text = value("operator-page-text").trim();
  if (!text && first("[data-name=page-withdraw]") && !(await ask("withdraw-page", {}))) return null;
  const answer = await editSite(button, { pages: { [name]: { [language]: text } } });
  if (answer.ok) typed.delete(`${name}.${language}`);
  return answer;
}

const pageText = () => /** @type {HTMLTextAreaElement | null} */ (at("operator-page-text"));

function keepTyped({ target }) {
  const text = pageText();
  if (target !== text) return;
  const { versions } = /** @type {HTMLElement} */ (text.closest("[data-versions]")).dataset;
  if (text.value === text.defaultValue) typed.delete(text.dataset.place);
  else typed.set(text.dataset.place, { text: text.value, versions });
  showTyped();
}

function showTyped() {
  const text = pageText();
  if (!text) return;
  const entry = typed.get(text.dataset.place);
  at("operator-page-typed").hidden = !entry;
  if (!entry || text.value === entry.text) return;
  text.value = entry.text;
  /** @type {HTMLElement} */ (text.closest("[data-versions]")).dataset.versions = entry.versions;
}

function discardTyped() {
  typed.delete(pageText().dataset.place);
  return page.load(at("operator-page-text-of"), true);
}

document.addEventListener("input", keepTyped);
new MutationObserver(showTyped).observe(at("main"), { childList: true, subtree: true });

async function preview() {
  const view = at("operator-page-preview");
  const answer = await page.load(view, true, { text: value("operator-page-text") });
  if (answer) view.hidden = !answer.ok;
  return answer;
}

// Adds a model; the server asks it first, which takes a moment.
async function addModel(source, model) {
  const answer = await page.load(at("operator-added"), true, model);
  if (answer?.ok) await Promise.all([page.load(at("operator")), page.load(at("operator-draft")), source.closest("#operator-local") && page.load(at("operator-local"))]);
  return answer;
}

function review(button, verdict) {
  const options = /** @type {HTMLInputElement[]} */ (all("[data-option]", at("conversion"))).map((option) => option.value.trim());
  const key = /** @type {HTMLInputElement} */ (first("#conversion :checked"))?.value ?? "";
  const wording = verdict.verdict === "amended" ? { wording: { question: value("conversion-question").trim(), options, key } } : {};
  return post(button, { ...verdict, remark: value("conversion-remark").trim(), ...wording });
}

// Chooses a label or takes the choice back; the save button has the chosen ones in their order.
on("label", ({ dataset: { label } }) => {
  const [save] = all("[data-name=labels-save]");
  const body = JSON.parse(save.dataset.body);
  const values = body.values.includes(label) ? body.values.filter((value) => value !== label) : [...body.values, label];
  save.dataset.body = JSON.stringify({ ...body, values });
  for (const button of all("[data-act=label]")) {
    const index = values.indexOf(button.dataset.label);
    button.setAttribute("aria-pressed", String(index >= 0));
    button.textContent = index < 0 ? button.dataset.label : `${index + 1}. ${button.dataset.label}`;
  }
});

on("older", () => {
  const count = /** @type {HTMLInputElement} */ (at("acts-shown"));
  count.value = String(Number(count.value) + 20);
  void page.load(at("operator"));
});

// The part of the page that the address names: the root says which one, and styles hide the others.
function showPart() {
  const links = /** @type {HTMLAnchorElement[]} */ (all(".a-parts-of a"));
  const current = links.find(({ hash }) => hash === location.hash) ?? links[0];
  document.documentElement.dataset.shown = current.hash.slice(1);
  for (const link of links) link.ariaCurrent = link === current ? "true" : null;
  showForm();
}

// The address of links to the form of a new model, which is folded.
function showForm() {
  const form = /** @type {HTMLDetailsElement} */ (at("operator-add"));
  if (location.hash !== "#add" || !form) return;
  form.open = true;
  form.scrollIntoView();
}

// Models that may take part, their permissions and evaluations change elsewhere too, such as on the owners' page: the
// forms of evaluations are fetched again whenever they come into view. What is typed in them stays.
function renewForms() {
  if (document.hidden || location.hash !== "#evaluations") return;
  for (const view of all("[data-view=draft], [data-view=evaluations]", at("operator"))) void page.load(view);
}

window.addEventListener("hashchange", () => {
  showPart();
  renewForms();
});
document.addEventListener("visibilitychange", renewForms);
showPart();

const page = open("operator", { store: "arena_operator_key", off: "operator_off", by: { addModel, closeRun, createDraft, invite, editSite, setMark, importSite, publish, discardTyped, preview, review }, then: { showRefused, forgetDraft, showLinks, endLinks }, onShow: showForm });
votes(page.session);
page.show();
