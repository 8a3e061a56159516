// The page of a shared battle: both columns and the reveal, read-only, by the token of the link.

import * as answers from "./answer_links.js";
import * as marks from "./answer_marks.js";
import * as tools from "./answer_tools.js";
import { call, insist } from "./api.js";
import { SIDES } from "./sides.js";
import { columns } from "./conversation_controls.js";
import { panel } from "./battle_reveal.js";
import { at, element, first } from "./dom.js";
import * as stage from "./page_stage.js";
import { on, present } from "./shell.js";
import { problemText, t } from "./texts.js";

const REASONS = ["illegal", "private", "hateful", "other"];

export async function attach(trigger, paint) {
  await present("foot");
  const token = new URL(location.href).searchParams.get("b") ?? "";
  const answer = await insist("GET", `/shared/${encodeURIComponent(token)}`);
  document.documentElement.dataset.phase = "shared";
  at("pair").hidden = !answer.ok;
  if (!answer.ok) {
    at("shared-lead").textContent = answer.status === 404 ? t("shared.gone") : problemText(answer.problem);
    return;
  }
  const { kind, turns, reveal, images } = answer.data;
  if (images) at("shared-lead").append(` ${t("shared.images", { count: images })}`);
  answers.begin(() => true);
  tools.begin(() => turns);
  marks.begin();
  Object.assign(window, { arena: { columns: () => columns(turns, true) } });
  trigger(paint);
  for (const side of SIDES) {
    at(`head_${side}`).querySelector(".a-side-name").textContent = reveal[side].name;
    at(`side_${side}`).dataset.state = reveal.outcome === side ? "winner" : "";
  }
  at("reveal-box").replaceChildren(...panel(reveal, `shared.chose.${reveal.outcome}`));
  at("reveal-box").hidden = false;
  report(token);
  stage.begin();
  const names = Object.fromEntries(SIDES.map((side) => [side, reveal[side].name]));
  if (kind) stage.open(`/shared/${encodeURIComponent(token)}/pages`, token, names);
}

// Lets a reader report to the operator that the battle should not be public.
function report(token) {
  const choices = REASONS.map((reason) => element("button", { type: "button", class: "a-button", "data-act": "report", "data-reason": reason }, t(`shared.report.${reason}`)));
  const body = element("p", { role: "status" }, choices);
  on("report", async (button) => {
    const answer = await call("POST", `/shared/${encodeURIComponent(token)}/report`, { body: { reason: button.dataset.reason } });
    body.replaceChildren(answer.ok ? t("shared.reported") : problemText(answer.problem));
  });
  first(".a-shared-end").after(element("details", { class: "a-report" }, element("summary", {}, t("shared.report")), body));
}
