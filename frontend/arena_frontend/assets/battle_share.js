// After the vote: a link to the battle, made on request, and a card of it as a picture to save.

import { call } from "./api.js";
import { copy, element } from "./dom.js";
import { picture, save } from "./share_card.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

// Asks whether everybody may find the battle, and not only those whom its voter sends the link.
function listing(path, listed, say) {
  const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id: "share-list", "aria-describedby": "share-list-help" }));
  box.checked = listed;
  box.addEventListener("change", async () => {
    const answer = await call(box.checked ? "PUT" : "DELETE", `${path}/listing`);
    if (answer.ok) box.checked = answer.data.listed;
    else box.checked = !box.checked;
    say(answer.ok ? t(box.checked ? "share.listed" : "share.unlisted") : problemText(answer.problem));
  });
  return element("p", { class: "a-share-list" }, element("label", {}, box, " ", t("share.list")), " ", element("small", { id: "share-list-help" }, t("share.list.help")));
}

const button = (act, key) => element("button", { type: "button", class: "a-link", "data-act": act }, t(key));

// The voter may withdraw the link.
export function shareRow(id, question, reveal) {
  const row = element("div", { class: "a-share" });
  const path = `/battles/${encodeURIComponent(id)}/share`;
  const offer = () => row.replaceChildren(button("share", "share.make"));
  /** @type {() => HTMLInputElement} */
  const box = () => row.querySelector(".a-share-link");
  const say = (text) => row.querySelector(".a-share-say")?.replaceChildren(text);
  on("share", async () => {
    const answer = await call("POST", path);
    if (!answer.ok) return row.append(element("span", { role: "status" }, ` ${t("share.failed")}`));
    const link = `${location.origin}/shared?b=${answer.data.token}`;
    row.replaceChildren(
      element("input", { class: "a-share-link", readonly: true, value: link, "aria-label": t("share.link") }),
      ...["copy", "withdraw", "picture"].map((act) => button(`share-${act}`, `share.${act}`)),
      listing(path, answer.data.listed, say),
      element("span", { class: "a-share-say", role: "status" }),
      picture(question, reveal),
    );
    box().focus({ preventScroll: true });
    box().select();
  });
  on("share-copy", async () => {
    if (await copy(box().value)) say(t("share.copied"));
    box().select();
  });
  on("share-picture", () => save(row.querySelector("canvas"), "battle.png"));
  on("share-withdraw", async () => {
    const answer = await call("DELETE", path);
    if (!answer.ok) return say(t("share.failed"));
    offer();
    row.append(element("span", { role: "status" }, ` ${t("share.withdrawn")}`));
  });
  offer();
  return row;
}
