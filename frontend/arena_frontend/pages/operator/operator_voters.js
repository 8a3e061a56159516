// Voters whose votes are improbable or for one side, for the operator to look at; nothing follows from it.

import { at, element } from "./dom.js";
import { chapter, number, renew, table } from "./owner_components.js";
import { t } from "./texts.js";

const VOTERS = "/operator/voters";
const HEADS = ["first", "votes", "improbable", "one_sided"];

export const frame = () => [element("div", { id: "operator-voters" })];

// Fetches and shows the list; without a doubtful voter there is none.
export async function load(operator) {
  const { ok, data } = await operator.call("GET", VOTERS);
  if (!ok) return;
  const hint = element("p", { class: "a-hint" }, t("op.voters.help", { tested: number(data.tested), named: number(data.rows.length) }));
  renew(at("operator-voters"), data.rows.length ? chapter("doubtful-voters", t("op.voters.title"), hint, table(t("op.voters.title"), HEADS.map((name) => t(`op.voters.head.${name}`)), data.rows.map(cells))) : null);
}

const cells = ({ first, votes, improbable, one_sided: side }) => [String(first), number(votes), chance(improbable), chance(side)];

// A probability; a very small one is only bounded.
const chance = (value) => (value < 0.0001 ? `< ${number(0.0001, 4)}` : number(value, 4));
