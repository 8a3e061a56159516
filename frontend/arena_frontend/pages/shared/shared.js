// The page of a shared battle, which the server has rendered: tools of answers, links with a warning, pages that run, and
// reports to the operator.

import * as answers from "./answers.js";
import { call } from "./api.js";
import * as stage from "./page_stage.js";
import { SIDES, all, at, first, on } from "./shell.js";
import { problemText, t } from "./texts.js";

const source = (side) => all(`#chat_${side} .a-answer`).at(-1)?.dataset.source ?? "";

function begin(token) {
  const path = `/shared/${encodeURIComponent(token)}`;
  answers.begin(at("pair"), { mayFollow: true });
  answers.beginTools(() => [{ answers: Object.fromEntries(SIDES.map((side) => [side, source(side)])) }]);
  report(`${path}/report`);
  if (!at("stage")) return;
  stage.begin();
  stage.open(`${path}/pages`, token, Object.fromEntries(SIDES.map((side) => [side, at(`name_${side}`).textContent])));
}

// Lets a reader report to the operator that the battle should not be public.
function report(path) {
  const body = first(".a-report p");
  on("report", async (button) => {
    const answer = await call("POST", path, { body: { reason: button.dataset.reason } });
    body.replaceChildren(answer.ok ? t("shared.reported") : problemText(answer.problem));
  });
  first(".a-report").hidden = false;
}

const place = first(".a-shared[data-token]");
if (place) begin(place.dataset.token);
