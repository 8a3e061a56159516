// The owners' page: after sign-in the list of endpoints, one endpoint, or a form for new ones, selected by the fragment
// of the URL, which has nothing secret. The server renders them; here is what their markup cannot say.

import { around, at, first } from "./dom.js";
import { open } from "./door.js";
import { changed, fit, settle, shown } from "./fields.js";
import { acts } from "./owners_proxy.js";
import { filled } from "./part_acts.js";
import { on } from "./shell.js";
import { t } from "./texts.js";

const DRAFT = "arena_endpoint_draft";

const { session, show, put, load, leave } = open("owners", {
  store: "arena_owner_key",
  shown: restore,
  forget() {
    sessionStorage.removeItem(DRAFT);
    history.replaceState(null, "", location.pathname);
  },
  by: acts((view, body) => load(view, true, body).then((answer) => answer ?? new Promise(() => {}))), // none to one that has left
  then: {
    // A new key is shown once; this tab uses it from now on.
    fresh(_source, { key }) {
      session.keep(key, session.stays());
      put(filled("fresh", { key }));
      at("api-key").focus();
    },
    revoked: () => leave(t("own.revoked")),
    share: (_source, { code }) => at("colleague").replaceChildren(filled("share", { code })),
    enter: () => show(),
    registered(_form, { id }) {
      sessionStorage.removeItem(DRAFT);
      go(`endpoint-${id}`);
    },
    // Another version has a page of its own.
    changed(form, { id }) {
      settle(form);
      return String(id) === form.dataset.number ? load(at("owners")) : go(`endpoint-${id}`);
    },
    emptied(form) {
      form.reset();
      return load(at("owners"));
    },
  },
});

// The view of the fragment; null for the skip link and other anchors of the page.
function place() {
  const mark = location.hash.slice(1);
  return /^(|new|proxy|endpoint-\d+)$/.test(mark) ? mark : null;
}

function go(mark) {
  if (location.hash.slice(1) === mark) view();
  else location.hash = mark;
}

const view = (moved = true) => show(place() ?? "", moved);

// A form with a draft gets what was typed before.
function restore() {
  const form = /** @type {HTMLFormElement} */ (first("form[data-draft]"));
  if (!form) return;
  for (const [id, value] of Object.entries(JSON.parse(sessionStorage.getItem(DRAFT) ?? "{}"))) Object.assign(at(id) ?? {}, value);
  fit(form);
  needsKey(/** @type {any} */ (form));
}

// What was typed stays in the tab over a reload or a change of language, without the key.
function keep(form) {
  const fields = /** @type {any[]} */ ([...form.elements]).filter(({ id, type }) => id && type !== "password");
  sessionStorage.setItem(DRAFT, JSON.stringify(Object.fromEntries(fields.map(({ id, type, checked, value }) => [id, type === "checkbox" ? { checked } : { value }]))));
}

// Some vendors ask for a key.
function needsKey({ elements: { preset, key } }) {
  key.required = !preset.closest("[hidden]") && preset.dataset.keys.split(" ").includes(preset.value);
  first("[data-field=key] label small").hidden = key.required;
}

document.addEventListener("input", (event) => {
  const form = around(event, "form");
  if (form?.matches("[data-draft]")) {
    keep(form);
    needsKey(/** @type {any} */ (form));
  }
  if (form?.id === "change") at("change-newer").hidden = !shown(form).some((field) => field.dataset.newer !== undefined && changed(field));
});

on("kept", () => go(""));
window.addEventListener("hashchange", () => place() !== null && view());
view(false);
