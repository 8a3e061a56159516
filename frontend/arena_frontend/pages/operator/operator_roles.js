// Who acts here, in which role. What is marked as needing a role is hidden from everybody below it, and until it is known
// who has signed in; the style sheet has the order of roles.

import { at, element } from "./dom.js";
import { t } from "./texts.js";

// The name under which several people act by one key; they alone say in a field who they are.
const SHARED = "ARENA_OPERATOR_KEY";

export const needs = (role, ...nodes) => element("div", { "data-needs": role }, nodes);

export async function load(operator) {
  const { ok, data } = await operator.call("GET", "/operator/me");
  if (!ok) return;
  at("operator-me").textContent = t("op.me", { name: data.name, role: t(`op.role.${data.role}`) });
  Object.assign(at("operator").dataset, { role: data.role, shared: String(data.name === SHARED) });
}

export function forget() {
  const { dataset } = at("operator");
  delete dataset.role;
  delete dataset.shared;
}
