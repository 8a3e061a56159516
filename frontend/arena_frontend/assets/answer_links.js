// Links in answers, which are untrusted. None keeps an href, which the browser would follow on click, key, menu or drag.
// Where links may be followed, activating one opens a dialog with its address, which has the only real link; elsewhere it
// is text followed by its address.

import { leave } from "./answers.js";
import { around, matching } from "./shell.js";

const NEW_LINK = ":is(#chat_a, #chat_b) a[href]";
const DISARMED_LINK = ":is(#chat_a, #chat_b) a[data-address]";
let mayFollow = () => false;

// `mayFollowNow()` is whether links may be followed at the moment.
export const begin = (mayFollowNow) => (mayFollow = mayFollowNow);

function disarm(link) {
  const address = link.getAttribute("href");
  const { host, href } = link;
  link.removeAttribute("href");
  if (!mayFollow()) return link.textContent === address || link.append(` (${address})`);
  if (!host || !/^https?:\/\//i.test(address)) return;
  const attributes = { "data-address": href, title: href, role: "link", tabindex: "0", "aria-haspopup": "dialog" };
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
}

new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    if (target instanceof Element && target.matches(NEW_LINK)) disarm(target);
    for (const node of addedNodes) matching(node, NEW_LINK).forEach(disarm);
  }
}).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ["href"] });

function onActivate(event) {
  const link = around(event, DISARMED_LINK);
  if (!link || (event.type === "keydown" && event.key !== "Enter")) return;
  event.preventDefault();
  if (mayFollow()) leave(new URL(link.dataset.address));
}

for (const kind of ["click", "keydown"]) document.addEventListener(kind, onActivate, true);
