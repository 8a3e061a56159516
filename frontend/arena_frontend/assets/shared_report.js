// Reports a shared battle that should not be public to the operator.

import { call } from "./api.js";
import { element, first } from "./dom.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

const REASONS = ["illegal", "private", "hateful", "other"];

export function report(token) {
  const choices = REASONS.map((reason) => element("button", { type: "button", class: "a-button", "data-act": "report", "data-reason": reason }, t(`shared.report.${reason}`)));
  const body = element("p", { role: "status" }, choices);
  on("report", async (button) => {
    const answer = await call("POST", `/shared/${encodeURIComponent(token)}/report`, { body: { reason: button.dataset.reason } });
    body.replaceChildren(answer.ok ? t("shared.reported") : problemText(answer.problem));
  });
  first(".a-shared-end").after(element("details", { class: "a-report" }, element("summary", {}, t("shared.report")), body));
}
