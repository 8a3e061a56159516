// What an owner says about an endpoint: the same fields to register one and to change it.

import { call } from "./api.js";
import { element } from "./dom.js";
import { field, fill, form, values } from "./forms.js";
import { t } from "./texts.js";

const DRAFT = "arena_endpoint_draft";
const COUNT = { kind: "number", min: 1, step: 1 };
const NEWLY = ["url", "wire_model", "preset", "dialect"];

// Vendors and dialects, asked once.
let known = null;
export async function choices() {
  const answers = known ?? (await Promise.all([call("GET", "/presets"), call("GET", "/dialects")]));
  if (answers.every(({ ok }) => ok)) known = answers;
  return { presets: answers[0].data ?? [], dialects: answers[1].data ?? [] };
}

// What somebody typed is nobody else's after signing out.
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

// A vendor stands for an address and a dialect; an own server has them typed in.
function choose(made) {
  const custom = made.elements.source.value === "custom";
  for (const row of made.querySelectorAll("[data-field]")) {
    if (row.dataset.field === "preset") row.hidden = custom;
    if (["dialect", "url"].includes(row.dataset.field)) row.hidden = !custom;
  }
}

function about(id) {
  return [
    ["description_en", { wide: true, maxlength: 500 }],
    ["description_zh", { wide: true, maxlength: 500 }],
    ["licence", { maxlength: 80 }],
    ["link", { kind: "url", maxlength: 500, placeholder: "https://" }],
    ["billions", { kind: "number", min: 0, step: "any" }],
    ["open_weights", { kind: "select", options: [["", t("own.unsaid")], ["true", t("own.yes")], ["false", t("own.no")]] }],
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

const folded = (id, key, fields) => element("details", { class: "a-more" }, element("summary", {}, t(key)), element("div", { class: "a-form" }, fields.map((part) => field(id, ...part))));

// From what is typed to what is sent, and back.
function told({ source, unlisted, aliases, open_weights: open, ...rest }) {
  const body = { ...rest, listed: !unlisted };
  if (aliases) body.aliases = aliases.split(/[,，、]/).map((word) => word.trim()).filter(Boolean);
  else body.aliases = [];
  body.open_weights = open === null ? null : open === "true";
  return body;
}

function typed({ listed, aliases, open_weights: open, ...rest }) {
  const source = rest.preset ? "preset" : "custom";
  return { ...rest, source, unlisted: listed === false, aliases: (aliases ?? []).join(", "), open_weights: open === null || open === undefined ? "" : String(open) };
}

// A reload or a change of language gives back what was typed, but for the key, which is never written down.
export function registerForm(owner, offered, done) {
  const id = "register";
  const first = ["name", { required: true, maxlength: 80 }];
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
    const { key: _secret, ...rest } = values(made);
    sessionStorage.setItem(DRAFT, JSON.stringify(rest));
  });
  return made;
}

function needsKey(made, presets) {
  const preset = made.elements.source.value === "preset" && presets.find(({ name }) => name === made.elements.preset.value);
  made.elements.key.required = Boolean(preset && preset.needs_key);
  made.querySelector("[data-field=key] label small").hidden = made.elements.key.required;
}

// Sends only what differs; a new address, dialect, vendor or wire model is said to make a new version before it does.
export function changeForm(owner, view, offered, done) {
  const id = "change";
  let now = view;
  const newer = element("p", { class: "a-warn", id: "change-newer", role: "status", hidden: true }, t("own.change.newer"));
  const made = form(id, [...where(id, offered), ["wire_model", { required: true, maxlength: 200 }], ...about(id), newer], {
    label: t("own.change.save"),
    submit: async (said) => {
      const answer = await owner.call("PATCH", `/endpoints/${view.id}`, differing(now, told(said)));
      if (answer.ok) {
        now = answer.data;
        done(now);
      }
      return answer;
    },
  });
  fill(made, typed(view));
  choose(made);
  made.addEventListener("input", () => {
    choose(made);
    newer.hidden = !NEWLY.some((name) => name in differing(now, told(values(made))));
  });
  return made;
}

function differing(view, said) {
  const same = (name) => JSON.stringify(view[name] ?? null) === JSON.stringify(said[name] ?? null);
  const changed = Object.fromEntries(Object.entries(said).filter(([name]) => !same(name)));
  if (!said.preset && view.preset) Object.assign(changed, { dialect: said.dialect, url: said.url });
  return changed;
}
