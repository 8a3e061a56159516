// What operators have done: the newest acts, older ones on request, and all of them as a file.

import { at, element } from "./dom.js";
import { act, calling, chapter, line, moment, renew, table } from "./owner_components.js";
import { raw, t } from "./texts.js";

const ACTS = "/operator/acts";
const PAGE = 20;
const HEADS = ["at", "who", "kind", "target", "why"];
let older = [];

export const frame = () => [element("div", { id: "operator-acts" }), line("operator-acts-wrong")];

// Fetches the newest acts and shows them above the older ones that were asked for.
export async function load(operator) {
  const { ok, data } = await operator.call("GET", `${ACTS}?limit=${PAGE}`);
  if (!ok) return;
  const first = data.at(-1)?.number ?? 0;
  older = older.filter(({ number }) => number < first);
  if (older.length && older[0].number !== first - 1) older = [];
  show(operator, [...data, ...older]);
}

export const forget = () => (older = []);

function show(operator, acts) {
  const said = at("operator-acts-wrong");
  const last = acts.at(-1)?.number ?? 0;
  const more = last > 1 ? [act(t("op.acts.older"), () => extend(operator, acts), { name: "acts-older" })] : [];
  const save = calling(t("op.acts.save"), () => operator.save(`${ACTS}.csv`, "acts.csv"), said, { name: "acts-save" });
  const list = acts.length ? table(t("op.acts.title"), HEADS.map((name) => t(`op.acts.head.${name}`)), acts.map(cells)) : element("p", {}, t("op.acts.none"));
  renew(at("operator-acts"), chapter("acts", t("op.acts.title"), element("p", { class: "a-hint" }, t("op.acts.help")), list, element("p", { class: "a-acts" }, more, acts.length ? save : null)));
}

async function extend(operator, acts) {
  const { ok, data } = await operator.call("GET", `${ACTS}?limit=${PAGE}&before=${acts.at(-1).number}`);
  if (!ok) return;
  older = [...older, ...data];
  show(operator, [...acts, ...data]);
}

const cells = (view) => [moment(view.at), [view.who, element("small", {}, view.via)], raw(`op.did.${view.kind}`) ?? view.kind, view.target, view.why];
