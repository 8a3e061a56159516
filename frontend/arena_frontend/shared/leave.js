// The window before a link of an answer leads away: it has the only real link.

import { element, modal } from "./dom.js";
import { t } from "./texts.js";

// The host is emphasised because it alone identifies the site.
export function leave({ host, href }) {
  const stay = element("button", { type: "button", class: "a-act" }, t("leave.stay"));
  const go = element("a", { class: "a-act", "data-kind": "primary", href, target: "_blank", rel: "noopener noreferrer nofollow ugc", referrerpolicy: "no-referrer" }, t("leave.go"));
  const dialog = element(
    "dialog",
    { class: "a-dialog a-leave", "aria-labelledby": "leave-title", "aria-describedby": "leave-text" },
    element("h3", { id: "leave-title" }, t("leave.title")),
    element("div", { id: "leave-text" }, element("p", {}, t("leave.text")), element("p", { class: "a-leave-host", dir: "ltr" }, element("bdi", {}, host))),
    element("p", { class: "a-leave-address", dir: "ltr", tabindex: "0" }, href),
    element("p", { class: "a-leave-note" }, t("leave.note")),
    element("p", { class: "a-acts" }, stay, go),
  );
  for (const choice of [stay, go]) choice.addEventListener("click", () => dialog.close());
  modal(dialog, stay);
}
