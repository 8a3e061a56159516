// Named settings of a model, each of which is compared like a model of its own; the same as `arena configurations`.

import { element } from "./dom.js";
import { form } from "./forms.js";
import { panel, renew } from "./owner_components.js";
import { t } from "./texts.js";

const SETTINGS = ["system_prompt", "temperature", "top_p", "max_tokens", "template"];

/** @import { Row } from "./forms.js" */

export function configurations(owner, endpoint) {
  const path = `${endpoint}/configurations`;
  const shown = element("ul", { id: "configuration-list" });
  const load = async () => {
    const { ok, data } = await owner.call("GET", path);
    if (ok) renew(shown, ...data.map(row));
  };
  /** @type {Row[]} */
  const fields = [
    ["name", { required: true, maxlength: 80, words: "configuration" }],
    ["system_prompt", { kind: "textarea", rows: 3, maxlength: 20_000 }],
    ["temperature", { kind: "number", min: 0, max: 2, step: "any" }],
    ["top_p", { kind: "number", min: 0, max: 1, step: "any" }],
    ["max_tokens", { kind: "number", min: 1, max: 1_000_000, step: 1 }],
    ["template", { kind: "textarea", rows: 2, maxlength: 20_000 }],
  ];
  const made = form("configuration", fields, {
    label: t("own.configurations.save"),
    submit: async (said) => {
      const answer = await owner.call("POST", path, Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== "")));
      if (answer.ok) await load();
      return answer;
    },
  });
  load();
  const more = element("details", { class: "a-more" }, element("summary", {}, t("own.configurations.open")), made);
  return panel("configurations", t("own.configurations"), element("p", { class: "a-hint" }, t("own.configurations.help")), shown, more);
}

function row({ name, version, settings, digest }) {
  const names = SETTINGS.filter((setting) => settings[setting] !== null && settings[setting] !== undefined).map((setting) => t(`own.field.${setting}`));
  return element("li", {}, element("b", {}, name), " ", element("span", { class: "a-tag" }, t("own.version", { count: version })), ` ${names.join(" · ")} `, element("code", { title: digest }, digest.slice(0, 16)));
}
