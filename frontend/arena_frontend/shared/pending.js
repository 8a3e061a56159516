// Pending changes of an approved model: current and requested values.

import { element } from "./dom.js";
import { fieldOf } from "./owner_components.js";
import { t } from "./texts.js";

export const waiting = (view) => Object.keys(view.pending ?? {}).length > 0;

export function wanted(view) {
  const change = ([name, value]) => t("own.pending.step", { field: fieldOf(name), before: shown(view[name]), after: shown(value) });
  return element("ul", { class: "a-wanted" }, Object.entries(view.pending ?? {}).map((each) => element("li", {}, change(each))));
}

function shown(value) {
  if (value === true || value === false) return t(value ? "yes" : "no");
  const text = Array.isArray(value) ? value.join(", ") : value;
  return text === null || text === undefined || text === "" ? "–" : String(text);
}
