// Links in answers, which are untrusted. None keeps an address that the browser follows by itself, be it by click, key,
// menu or drag. Where links may be followed, activating one opens a dialog with its address, which has the only real
// link; elsewhere it is text followed by its address.

import { around, element, modal } from "./dom.js";
import { t } from "./texts.js";

const LINK = ":is(#chat_a, #chat_b) a[href]";
const PRESSED = ":is(#chat_a, #chat_b) a[data-address]";
let followable = () => false;

// `open()` says whether links may be followed now.
export const begin = (open) => (followable = open);

function disarm(link) {
  const written = link.getAttribute("href");
  const { host, href } = link;
  link.removeAttribute("href");
  if (!followable()) return link.textContent === written || link.append(` (${written})`);
  if (!host || !/^https?:\/\//i.test(written)) return;
  const attributes = { "data-address": href, title: href, role: "link", tabindex: "0", "aria-haspopup": "dialog" };
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
}

new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    for (const node of [target, ...addedNodes]) {
      if (!(node instanceof Element)) continue;
      if (node.matches(LINK)) disarm(node);
      else if (node !== target) node.querySelectorAll(LINK).forEach(disarm);
    }
}).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ["href"] });

function pressed(event) {
  const link = around(event, PRESSED);
  if (!link || (event.type === "keydown" && event.key !== "Enter")) return;
  event.preventDefault();
  if (followable()) leave(new URL(link.dataset.address));
}

for (const kind of ["click", "keydown"]) document.addEventListener(kind, pressed, true);

// The host is emphasised because it alone identifies the site.
function leave({ host, href }) {
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
