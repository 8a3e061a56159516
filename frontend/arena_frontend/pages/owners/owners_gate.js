// What the vote gate does to an owner's model, and their objections to it.

import { at, element } from "./dom.js";
import { calling, confirm, line, moment, number, panel, renew } from "./owner_components.js";
import { t } from "./texts.js";

export const frame = () => [element("div", { id: "endpoint-gate" }), line("endpoint-gate-wrong")];

// Shown only if the gate moves the model by more than its interval, or if there was an objection.
export async function load(owner, path, name) {
  const answer = await owner.call("GET", `${path}/gate`);
  if (!answer.ok || !at("endpoint-gate")) return;
  const { row, notable, objections } = answer.data;
  const told = notable ? element("p", {}, t("own.gate.moved", { with: number(row.bt), without: number(row.bt_without), votes: number(row.votes) })) : null;
  const open = objections.some((each) => !each.answer);
  const object = notable && !open ? calling(t("own.gate.object"), () => send(owner, path, name), at("endpoint-gate-wrong"), { name: "object" }) : null;
  const link = element("p", {}, element("a", { href: "/integrity" }, t("nav.integrity")));
  renew(at("endpoint-gate"), notable || objections.length ? panel("endpoint-weighed", t("own.gate.title"), told, objections.map(said), object, link) : null);
}

async function send(owner, path, name) {
  const { sure, text } = await confirm(t("own.gate.object"), t("own.gate.ask"), t("own.gate.object"), { label: t("own.gate.why"), kind: "primary" });
  if (!sure || !text) return null;
  const answer = await owner.call("POST", `${path}/objections`, { text });
  if (answer.ok) await load(owner, path, name);
  return answer;
}

const said = ({ text, created_at: made, answer, answered_at: answered }) =>
  element("div", { class: "a-objection" }, element("p", {}, moment(made), " ", text), element("p", {}, answer ? [t("own.gate.answer"), " ", moment(answered), " ", answer] : t("own.gate.waits")));
