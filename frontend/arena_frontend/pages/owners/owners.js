// The owners' page: after sign-in the list of endpoints, one endpoint, or the form for a new one, selected by the
// fragment of the URL, which has nothing secret.

import { at, element } from "./dom.js";
import { open } from "./door.js";
import { endpoint } from "./owners_endpoint.js";
import { choices, forget, registerForm } from "./owners_form.js";
import { proxy } from "./owners_proxy.js";
import { act, panel } from "./owner_components.js";
import { filled } from "./part_acts.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

let turn = 0;

const { session: owner, show, put, leave } = open("owners", {
  store: "arena_owner_key",
  forget() {
    turn += 1;
    forget();
    history.replaceState(null, "", location.pathname);
  },
  then: {
    // A new key is shown once; this tab uses it from now on.
    fresh(_source, { key }) {
      owner.keep(key, owner.stays());
      put(filled("fresh", { key }));
      at("api-key").focus();
    },
    revoked: () => leave(t("own.revoked")),
    share: (_source, { code }) => at("colleague").replaceChildren(filled("share", { code })),
    enter: () => show(),
  },
});

// The view of the fragment; null for the skip link and other anchors of the page.
function place() {
  const mark = location.hash.slice(1);
  return /^(|new|proxy|endpoint-\d+)$/.test(mark) ? mark : null;
}

function go(mark) {
  if (location.hash.slice(1) === mark) view();
  else location.hash = mark;
}

async function view(moved = true) {
  const mine = ++turn;
  const gone = () => mine !== turn;
  const wanted = place() ?? "";
  if (wanted === "") return show("", moved);
  if (!owner.key()) await show("", false);
  if (document.documentElement.dataset.signed === "false") return;
  if (wanted === "new") await register(gone);
  else if (wanted === "proxy") put(back(), element("h2", { tabindex: "-1" }, t("own.proxy")), element("p", { class: "a-hint" }, t("own.proxy.help")), ...proxy(owner, gone));
  else await endpoint(owner, wanted.split("-")[1], { put, gone, open: (id) => go(`endpoint-${id}`), offered: choices, trouble });
  if (moved && !gone()) at("owners").querySelector("h2")?.focus();
}

/** @param {{ status: number, problem?: any }} answer */
function trouble({ status, problem }) {
  if (status === 401) return leave(problemText(problem));
  put(element("p", { class: "a-wrong", role: "alert" }, problemText(problem)), element("p", { class: "a-acts" }, act(t("board.retry"), () => view()), element("a", { class: "a-act", href: "/owners#" }, t("own.back"))));
}

const back = () => element("p", { class: "a-back" }, element("a", { href: "/owners#" }, t("own.back")));

async function register(gone) {
  const offered = await choices();
  if (gone()) return;
  const made = registerForm(owner, offered, (view) => go(`endpoint-${view.id}`));
  put(back(), element("h2", { tabindex: "-1" }, t("own.new")), element("p", { class: "a-hint" }, t("own.new.help")), panel("register-box", t("own.new.box"), made));
}

on("kept", () => go(""));
window.addEventListener("hashchange", () => place() !== null && view());
view(false);
