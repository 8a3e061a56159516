// The owners' page: after sign-in the list of endpoints, one endpoint, or a form for new ones, selected by the fragment
// of the URL, which has nothing secret. The server renders them; here are the acts that their markup names.

import { open } from "./door.js";
import { applyConditions, isChanged, settle, visibleFields } from "./fields.js";
import { proxyActs } from "./owners_proxy.js";
import { fromTemplate } from "./part_acts.js";
import { around, at, first, on, storedObject, tab } from "./shell.js";
import { t } from "./texts.js";

const DRAFT = "arena_endpoint_draft";

const { session, show, put, load, leave } = open("owners", {
  store: "arena_owner_key",
  onShow: restoreDraft,
  onEnd() {
    tab.removeItem(DRAFT);
    history.replaceState(null, "", location.pathname);
  },
  by: {
    ...proxyActs((view, body) => load(view, true, body).then((answer) => answer ?? new Promise(() => {}))), // a view that has left never answers
    stateSame: (form, { model }) => session.call("PUT", `/endpoints/${form.dataset.number}/same-as/${encodeURIComponent(model)}`),
  },
  then: {
    // A new key is shown once; this tab uses it from now on.
    useKey(_source, { key }) {
      session.begin(key, session.isPersistent());
      put(fromTemplate("new-key", { key }));
      at("api-key").focus();
    },
    leave: () => leave(t("own.revoked")),
    share: (_source, { code }) => at("colleague").replaceChildren(fromTemplate("share", { code })),
    enter: () => show(),
    openNew(_form, { id }) {
      tab.removeItem(DRAFT);
      go(`endpoint-${id}`);
    },
    openVersion: (_source, { id }) => go(`endpoint-${id}`),
    // A new version has a page of its own.
    showChange(form, { id }) {
      settle(form);
      return String(id) === form.dataset.number ? load(at("owners")) : go(`endpoint-${id}`);
    },
    reset(form) {
      form.reset();
      return load(at("owners"));
    },
  },
});

// The view that the fragment names; null for the skip link and other anchors of the page.
function viewName() {
  const name = location.hash.slice(1);
  return /^(|new|proxy|endpoint-\d+)$/.test(name) ? name : null;
}

function go(name) {
  if (location.hash.slice(1) === name) showView();
  else location.hash = name;
}

const showView = (isFocused = true) => show(viewName() ?? "", isFocused);

// The draft stays in the tab over a reload or a change of language, without the key.
function restoreDraft() {
  const form = /** @type {HTMLFormElement} */ (first("form[data-draft]"));
  if (!form) return;
  const draft = storedObject(tab, DRAFT);
  for (const field of draftFields(form)) {
    const stored = draft[field.id];
    if (typeof stored?.checked === "boolean") field.checked = stored.checked;
    else if (typeof stored?.value === "string") field.value = stored.value;
  }
  applyConditions(form);
  requireKey(/** @type {any} */ (form));
}

/** @type {(form: HTMLFormElement) => any[]} */
const draftFields = (form) => /** @type {any[]} */ ([...form.elements]).filter(({ id, type }) => id && type !== "password");

function storeDraft(form) {
  tab.setItem(DRAFT, JSON.stringify(Object.fromEntries(draftFields(form).map(({ id, type, checked, value }) => [id, type === "checkbox" ? { checked } : { value }]))));
}

// Makes the key a required field if the chosen vendor needs one.
function requireKey({ elements: { preset, key } }) {
  key.required = !preset.closest("[hidden]") && preset.dataset.keys.split(" ").includes(preset.value);
  first("[data-field=key] label small").hidden = key.required;
}

document.addEventListener("input", (event) => {
  const form = around(event, "form");
  if (form?.matches("[data-draft]")) {
    storeDraft(form);
    requireKey(/** @type {any} */ (form));
  }
  if (form?.id === "change") at("change-newer").hidden = !visibleFields(form).some((field) => field.dataset.newer !== undefined && isChanged(field));
});

on("key-stored", () => go(""));
window.addEventListener("hashchange", () => viewName() !== null && showView());
showView(false);
