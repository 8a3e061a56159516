// After the vote: a link to the battle, made on request, and a card of it as a picture to save.

import { call } from "./api.js";
import { element } from "./dom.js";
import { picture, save } from "./share_card.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

// A link is for whom its voter sends it to; that everybody finds the battle is asked for apart from it.
function listing(path, listed, told) {
  const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id: "share-list", "aria-describedby": "share-list-help" }));
  box.checked = listed;
  box.addEventListener("change", async () => {
    const answer = await call(box.checked ? "PUT" : "DELETE", `${path}/listing`);
    if (answer.ok) box.checked = answer.data.listed;
    else box.checked = !box.checked;
    told(answer.ok ? t(box.checked ? "share.listed" : "share.unlisted") : problemText(answer.problem));
  });
  return element("p", { class: "a-share-list" }, element("label", {}, box, " ", t("share.list")), " ", element("small", { id: "share-list-help" }, t("share.list.help")));
}

// The link is created on request, and its voter may withdraw it.
export function shareRow(id, question, reveal) {
  const row = element("div", { class: "a-share" });
  const path = `/battles/${encodeURIComponent(id)}/share`;
  const offer = () =>
    row.replaceChildren(element("button", { type: "button", class: "a-link", "data-act": "share" }, t("share.make")));
  /** @type {() => HTMLInputElement} */
  const box = () => row.querySelector(".a-share-link");
  const told = (text) => row.querySelector(".a-share-say")?.replaceChildren(text);
  on("share", async () => {
    const answer = await call("POST", path);
    if (!answer.ok) return row.append(element("span", { role: "status" }, ` ${t("share.failed")}`));
    const link = `${location.origin}/shared?b=${answer.data.token}`;
    row.replaceChildren(
      element("input", { class: "a-share-link", readonly: true, value: link, "aria-label": t("share.link") }),
      element("button", { type: "button", class: "a-link", "data-act": "share-copy" }, t("share.copy")),
      element("button", { type: "button", class: "a-link", "data-act": "share-withdraw" }, t("share.withdraw")),
      element("button", { type: "button", class: "a-link", "data-act": "share-picture" }, t("share.picture")),
      listing(path, answer.data.listed, told),
      element("span", { class: "a-share-say", role: "status" }),
      picture(question, reveal),
    );
    box().focus({ preventScroll: true });
    box().select();
  });
  on("share-copy", async () => {
    box().select();
    // Without HTTPS there is no clipboard API, but the selected text can still be copied.
    const written = navigator.clipboard?.writeText(box().value).then(() => true, () => false);
    if ((await written) || document.execCommand("copy")) told(t("share.copied"));
  });
  on("share-picture", () => save(row.querySelector("canvas"), "battle.png"));
  on("share-withdraw", async () => {
    const answer = await call("DELETE", path);
    if (!answer.ok) return told(t("share.failed"));
    offer();
    row.append(element("span", { role: "status" }, ` ${t("share.withdrawn")}`));
  });
  offer();
  return row;
}
