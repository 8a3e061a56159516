// The form of an endpoint: the same fields for registration and changes.

import { call } from "./api.js";
import { element } from "./dom.js";
import { shown, values } from "./fields.js";
import { field, fill, form, words } from "./forms.js";
import { t } from "./texts.js";

const DRAFT = "arena_endpoint_draft";
const COUNT = { kind: "number", min: 1, step: 1 };
const AMOUNT = { kind: "number", min: 0, step: "any" };
const NEWLY = ["url", "wire_model", "preset", "dialect"];
const COMPETITOR = ["system_prompt", "temperature", "top_p", "max_tokens"];

// Vendors and dialects, fetched once.
let known = null;
export async function choices() {
  const answers = known ?? (await Promise.all([call("GET", "/presets"), call("GET", "/dialects")]));
  if (answers.every(({ ok }) => ok)) known = answers;
  return { presets: answers[0].data ?? [], dialects: answers[1].data ?? [] };
}

// The draft is deleted at sign-out.
export const forget = () => sessionStorage.removeItem(DRAFT);

function where(id, { presets, dialects }) {
  const from = field(id, "source", { kind: "select", required: true, options: [["preset", t("own.source.preset")], ["custom", t("own.source.custom")]] });
  const preset = field(id, "preset", { kind: "select", required: true, options: presets.map(({ name }) => [name, name]) });
  const dialect = field(id, "dialect", { kind: "select", required: true, options: dialects.map((name) => [name, dialectName(name)]) });
  const url = field(id, "url", { kind: "url", required: true, maxlength: 500, placeholder: "https://api.example.com/v1" });
  return [from, preset, dialect, url];
}

const dialectName = (name) => {
  const words = t(`own.dialect.${name}`);
  return words.startsWith("own.") ? name : words;
};

// A vendor implies address and dialect; for an own server they are entered.
function choose(made) {
  const custom = made.elements.source.value === "custom";
  for (const row of made.querySelectorAll("[data-field]")) {
    if (row.dataset.field === "preset") row.hidden = custom;
    if (["dialect", "url"].includes(row.dataset.field)) row.hidden = !custom;
  }
}

/** @returns {(import("./forms.js").Row | Node)[]} */
function about(id) {
  return [
    ["description_en", { wide: true, maxlength: 500 }],
    ["description_zh", { wide: true, maxlength: 500 }],
    ["languages", { wide: true, maxlength: 100, placeholder: "en, zh" }],
    ["vision", { kind: "checkbox", wide: true }],
    ["licence", { maxlength: 80 }],
    ["link", { kind: "url", maxlength: 500, placeholder: "https://" }],
    ["billions", AMOUNT],
    ["open_weights", { kind: "select", options: [["", t("own.unsaid")], ["true", t("yes")], ["false", t("no")]] }],
    ["context_tokens", COUNT],
    ["price_in", AMOUNT],
    ["price_out", AMOUNT],
    ["energy", AMOUNT],
    ["unlisted", { kind: "checkbox", wide: true }],
    ["daily_calls", COUNT],
    ["daily_tokens", COUNT],
    folded(id, "own.more", [
      ["group", { maxlength: 40 }],
      ["aliases", { maxlength: 400 }],
      ["system_prompt", { kind: "textarea" }],
      ["temperature", { kind: "number", min: 0, max: 5, step: "any" }],
      ["top_p", { kind: "number", min: 0, max: 1, step: "any" }],
      ["max_tokens", COUNT],
    ]),
  ];
}

/** @type {(id: string, key: string, fields: import("./forms.js").Row[]) => HTMLElement} */
const folded = (id, key, fields) => element("details", { class: "a-more" }, element("summary", {}, t(key)), element("div", { class: "a-form" }, fields.map((part) => field(id, ...part))));

// Conversion between form values and API fields.
/** @param {Record<string, any>} typed */
function told({ source, unlisted, aliases, languages, open_weights: open, ...rest }) {
  /** @type {Record<string, unknown>} */
  const body = { ...rest, listed: !unlisted, aliases: words(aliases), languages: words(languages) };
  body.open_weights = open === null ? null : open === "true";
  return body;
}

function typed({ listed, aliases, languages, open_weights: open, ...rest }) {
  const source = rest.preset ? "preset" : "custom";
  return { ...rest, source, unlisted: listed === false, aliases: (aliases ?? []).join(", "), languages: (languages ?? []).join(", "), open_weights: open === null || open === undefined ? "" : String(open) };
}

// A reload or a change of language restores the draft, without the key, which is never stored.
export function registerForm(owner, offered, done) {
  const id = "register";
  /** @type {import("./forms.js").Row} */
  const first = ["name", { required: true, maxlength: 80 }];
  /** @type {import("./forms.js").Row} */
  const key = ["key", { kind: "password", autocomplete: "new-password", maxlength: 4000 }];
  const made = form(id, [first, ...where(id, offered), ["wire_model", { required: true, maxlength: 200 }], key, ...about(id)], {
    label: t("own.register"),
    submit: async (said) => {
      const body = Object.fromEntries(Object.entries(told(said)).filter(([, value]) => value !== null));
      const answer = await owner.call("POST", "/endpoints", body);
      if (answer.ok) {
        forget();
        done(answer.data);
      }
      return answer;
    },
  });
  fill(made, JSON.parse(sessionStorage.getItem(DRAFT) ?? "{}"));
  choose(made);
  needsKey(made, offered.presets);
  made.addEventListener("input", () => {
    choose(made);
    needsKey(made, offered.presets);
    const { key: _secret, ...rest } = values(shown(made));
    sessionStorage.setItem(DRAFT, JSON.stringify(rest));
  });
  return made;
}

function needsKey(made, presets) {
  const preset = made.elements.source.value === "preset" && presets.find(({ name }) => name === made.elements.preset.value);
  made.elements.key.required = Boolean(preset && preset.needs_key);
  made.querySelector("[data-field=key] label small").hidden = made.elements.key.required;
}

// Sends only fields that differ from current or pending values; asks before a change that makes a new version.
export function changeForm(owner, view, offered, done) {
  const id = "change";
  const approved = (view.changes ?? []).some(({ after }) => after === "active");
  const newly = approved ? [...NEWLY, ...COMPETITOR] : NEWLY;
  const asIs = (said) => ({ ...said, ...said.pending });
  let now = asIs(view);
  const newer = element("p", { class: "a-warn", id: "change-newer", role: "status", hidden: true }, t("own.change.newer"));
  const made = form(id, [...where(id, offered), ["wire_model", { required: true, maxlength: 200 }], ...about(id), ...(approved ? [element("p", { class: "a-hint" }, t("own.change.waits"))] : []), newer], {
    label: t("own.change.save"),
    submit: async (said) => {
      const answer = await owner.call("PATCH", `/endpoints/${view.id}`, differing(now, told(said)));
      if (answer.ok) {
        now = asIs(answer.data);
        done(answer.data);
      }
      return answer;
    },
  });
  fill(made, typed(now));
  choose(made);
  made.addEventListener("input", () => {
    choose(made);
    newer.hidden = !newly.some((name) => name in differing(now, told(values(shown(made)))));
  });
  return made;
}

function differing(view, said) {
  const same = (name) => JSON.stringify(view[name] ?? null) === JSON.stringify(said[name] ?? null);
  const changed = Object.fromEntries(Object.entries(said).filter(([name]) => !same(name)));
  if (!said.preset && view.preset) Object.assign(changed, { dialect: said.dialect, url: said.url });
  return changed;
}
