// Links of shared battles that readers reported, for the operator to look at and to take down.

import { at, element } from "./dom.js";
import { calling, chapter, confirm, line, moment, number, renew } from "./owner_components.js";
import { t } from "./texts.js";

const SHARES = "/operator/shares";

export const frame = () => [element("div", { id: "operator-shares" }), line("operator-shares-wrong")];

// Fetches and shows the list; without a report there is none.
export async function load(operator) {
  const { ok, data } = await operator.call("GET", SHARES);
  if (!ok) return;
  const shown = data.length ? chapter("reported-shares", t("op.shares.title"), element("p", { class: "a-hint" }, t("op.shares.help")), data.map((each) => reported(operator, each))) : null;
  renew(at("operator-shares"), shown);
}

function reported(operator, { token, prompt, reports, created_at: made }) {
  const told = Object.entries(reports).map(([reason, count]) => `${t(`shared.report.${reason}`)}: ${number(count)}`);
  const open = element("a", { href: `/shared?b=${encodeURIComponent(token)}`, target: "_blank", rel: "noreferrer" }, t("op.shares.open"));
  const takeDown = calling(t("op.shares.take_down"), () => remove(operator, token, prompt), at("operator-shares-wrong"), { name: `down-${token}`, kind: "danger", "data-needs": "moderator", "aria-label": t("op.act.of", { act: t("op.shares.take_down"), name: prompt }) });
  return element("div", { class: "a-objection" }, element("p", {}, element("strong", {}, prompt), " ", moment(made)), element("p", {}, told.join(" · ")), element("p", { class: "a-acts" }, open, takeDown));
}

async function remove(operator, token, prompt) {
  const { sure, text: reason } = await confirm(t("op.act.of", { act: t("op.shares.take_down"), name: prompt }), t("op.shares.ask"), t("op.shares.take_down"), { label: t("op.reason") });
  if (!sure) return null;
  const answer = await operator.call("POST", `${SHARES}/${encodeURIComponent(token)}/takedown`, { reason });
  if (answer.ok) await load(operator);
  return answer;
}
