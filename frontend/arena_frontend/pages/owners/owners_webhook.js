// Where the owner is told of each change of a model's state: an address, the secret of the signatures, and how it goes.

import { element } from "./dom.js";
import { fill, form } from "./forms.js";
import { calling, copyable, line, moment } from "./owner_components.js";
import { t } from "./texts.js";

const PATH = "/owners/me/webhook";

export function webhook(owner) {
  const state = element("div", { id: "webhook-state" });
  const said = line("webhook-said");
  let typed = false; // what is read at the beginning may arrive after what has been typed meanwhile
  const asked = form("webhook", [["webhook", { kind: "url", required: true, maxlength: 500, placeholder: "https://example.com/hook" }]], {
    label: t("own.webhook.save"),
    submit: async ({ webhook: url }) => shown(await owner.call("PUT", PATH, { url })),
  });
  asked.addEventListener("input", () => {
    typed = true;
  });
  const drop = calling(t("own.webhook.drop"), async () => {
    const answer = await owner.call("DELETE", PATH);
    return answer.ok ? shown({ ok: true, data: { url: "" } }) : answer;
  }, said, { name: "webhook-drop" });
  const shown = (answer) => {
    if (!answer.ok) return answer;
    const { url, secret, failures, retry_at: retry } = answer.data;
    fill(asked, { webhook: url });
    drop.hidden = !url;
    state.replaceChildren(...(url ? [copyable("webhook-secret", t("own.webhook.secret"), secret)] : []), ...(failures ? [element("p", { class: "a-warn" }, t("own.webhook.failing", { count: failures }), " ", moment(retry))] : []));
    return answer;
  };
  const box = element("details", { class: "a-more", id: "webhook-box" }, element("summary", {}, t("own.webhook")), element("p", { class: "a-hint" }, t("own.webhook.help")), asked, state, said, element("p", { class: "a-acts" }, drop));
  box.addEventListener("toggle", async () => {
    const answer = await owner.call("GET", PATH);
    if (!typed) shown(answer);
  }, { once: true });
  return box;
}
