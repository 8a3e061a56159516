// The operator's site: settings that every page shows, and a file that carries the whole to another arena.

import { at, element } from "./dom.js";
import { fill, form, words } from "./forms.js";
import { act, calling, chapter, line, say } from "./owner_components.js";
import { editor } from "./operator_pages.js";
import { needs } from "./operator_roles.js";
import { problemText, t } from "./texts.js";

const SITE = "/operator/site";
const FILE = "/operator/site/file";
const CHECKS = ["off", "log", "warn", "block"];
const LANGUAGES = ["en", "zh", "zh-TW"];
const MARKS = "image/png,image/jpeg,image/webp";

// The field of a text in one language, by the name that the API gives it.
const fieldOf = (name, code) => [name, code].join(".");

export const frame = () => [element("div", { id: "operator-site" })];

// Fetched once: what is being written must not be taken away by the updates of the list.
export async function load(operator) {
  const place = at("operator-site");
  if (!place || place.dataset.loaded) return;
  place.dataset.loaded = "true";
  const { ok, data } = await operator.call("GET", SITE);
  if (ok) show(operator, data);
  else delete place.dataset.loaded;
}

function show(operator, told) {
  const save = async (change) => {
    const answer = await operator.call("PATCH", SITE, change);
    if (answer.ok) keep(answer.data);
    return answer;
  };
  const keep = (data) => {
    told = data;
    say(at("operator-imprint"), data.imprint_missing ? t("op.site.imprint_missing") : "");
  };
  const wrong = line("operator-site-wrong");
  const shown = chapter(
    "operator-site-part",
    t("op.site.title"),
    element("p", { class: "a-hint" }, t("op.site.help")),
    line("operator-imprint"),
    needs(
      "operator",
      editor(() => told, save, (text) => operator.call("POST", `${SITE}/preview`, { text })),
      element("h3", {}, t("op.site.settings")),
      settings(told.site, save),
      mark(save, wrong),
    ),
    ...carried(operator),
    wrong,
  );
  at("operator-site").replaceChildren(shown);
  keep(told);
}

function settings(site, save) {
  const fields = (name, look) => LANGUAGES.map((code) => /** @type {[string, {}]} */ ([fieldOf(name, code), { kind: "textarea", words: `site_${name}_${code}`, ...look }]));
  const made = form(
    "operator-site-form",
    [
      ["name", { words: "site_name", maxlength: 40 }],
      ["languages", { words: "site_languages" }],
      ["prompt_checks", { kind: "select", words: "site_checks", options: CHECKS.map((name) => [name, t(`op.checks.${name}`)]) }],
      ["accent", { words: "site_accent", placeholder: "#1a6fb5" }],
      ...fields("announcement", { maxlength: 300 }),
      ...fields("ideas", { rows: 4 }),
    ],
    { label: t("own.change.save"), submit: (said) => save(changeOf(said)) },
  );
  const announced = Object.entries(site.announcement).map(([code, text]) => [fieldOf("announcement", code), text]);
  const ideas = Object.entries(site.ideas).map(([code, lines]) => [fieldOf("ideas", code), lines.join("\n")]);
  fill(made, { ...site, languages: site.languages.join(", "), ...Object.fromEntries([...announced, ...ideas]) });
  return made;
}

const lines = (text) => text.split("\n").map((idea) => idea.trim()).filter(Boolean);

function changeOf(said) {
  const inEach = (name, read) => Object.fromEntries(LANGUAGES.filter((code) => said[fieldOf(name, code)]).map((code) => [code, read(said[fieldOf(name, code)])]));
  return { name: said.name ?? "", languages: words(said.languages), prompt_checks: said.prompt_checks, accent: said.accent ?? "", announcement: inEach("announcement", (text) => text), ideas: inEach("ideas", lines) };
}

// The mark is sent as it is chosen.
function mark(save, wrong) {
  const box = element("input", { type: "file", id: "operator-mark", accept: MARKS, "aria-describedby": "operator-mark-help" });
  box.addEventListener("change", async () => {
    const [file] = box.files;
    box.value = "";
    if (file) done(await save({ mark: await base64(file) }));
  });
  const remove = calling(t("op.site.mark.remove"), () => save({ mark: "" }), wrong, { name: "mark-remove" });
  return element("div", { class: "a-field" }, element("label", { for: "operator-mark" }, t("op.site.mark")), box, element("p", { class: "a-hint", id: "operator-mark-help" }, t("op.site.mark.help")), element("p", { class: "a-acts" }, remove));
}

const done = (answer) => say(at("operator-site-wrong"), answer.ok ? "" : problemText(answer.problem));

async function base64(file) {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

function carried(operator) {
  const box = element("input", { type: "file", id: "operator-site-file", accept: ".json,application/json" });
  box.addEventListener("change", async () => {
    const [file] = box.files;
    box.value = "";
    if (file) await take(operator, await file.text());
  });
  const save = act(t("op.site.export"), async () => done(await operator.save(FILE, "site.json")), { name: "site-export" });
  const chosen = element("div", { class: "a-field" }, element("label", { for: "operator-site-file" }, t("op.site.import")), box, element("p", { class: "a-hint" }, t("op.site.import.help")));
  return [needs("operator", chosen), element("p", { class: "a-acts" }, save)];
}

async function take(operator, text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    return say(at("operator-site-wrong"), t("error.invalid.site_file"));
  }
  const answer = await operator.call("PUT", FILE, file);
  if (answer.ok) show(operator, answer.data);
  return done(answer);
}
