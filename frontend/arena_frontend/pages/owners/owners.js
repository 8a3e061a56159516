// The owners' page: after sign-in the list of endpoints, one endpoint, or the form for a new one, selected by the
// fragment of the URL, which has nothing secret.

import { call } from "./api.js";
import { at, element } from "./dom.js";
import { account, door, keyShown } from "./owners_door.js";
import { endpoint } from "./owners_endpoint.js";
import { choices, forget, registerForm } from "./owners_form.js";
import { proxy } from "./owners_proxy.js";
import { webhook } from "./owners_webhook.js";
import { act, number, panel, renew, state } from "./owner_components.js";
import { MINUTES, session, signOut } from "./session.js";
import { problemText, t } from "./texts.js";

const owner = session("arena_owner_key", () => leave(t("own.ended", { minutes: MINUTES })));
// Ways to sign in without a key, where the arena has any; the page brings them.
const ways = at("owners-ways");
// Whether somebody has signed in by a provider: they have no key, but a cookie that no script reads.
let signed = false;
let turn = 0;


const inside = () => signed || Boolean(owner.key());

// The view of the fragment; null for the skip link and other anchors of the page.
function place() {
  const mark = location.hash.slice(1);
  if (["", "new", "proxy"].includes(mark)) return mark;
  return /^endpoint-\d+$/.test(mark) ? mark : null;
}

function go(mark) {
  if (location.hash.slice(1) === mark) show();
  else location.hash = mark;
}

function put(...nodes) {
  at("owners").removeAttribute("aria-busy");
  document.documentElement.dataset.signed = String(inside());
  if (ways) ways.hidden = inside();
  at("owners").replaceChildren(...nodes);
}

async function show(moved = true, told = "") {
  const mine = ++turn;
  const gone = () => mine !== turn;
  if (!inside()) return put(...door({ enter, fresh, told, join }));
  const wanted = place() ?? "";
  if (wanted === "") await home(gone);
  else if (wanted === "new") await register(gone);
  else if (wanted === "proxy") put(back(), element("h2", { tabindex: "-1" }, t("own.proxy")), element("p", { class: "a-hint" }, t("own.proxy.help")), ...proxy(owner, gone));
  else await endpoint(owner, wanted.split("-")[1], { put, gone, open: (id) => go(`endpoint-${id}`), offered: choices, trouble });
  if (moved && !gone()) at("owners").querySelector("h2")?.focus();
}

async function enter(key, stay) {
  owner.keep(key, stay);
  const answer = await owner.call("GET", "/owners/me");
  if (answer.ok) show();
  else owner.drop();
  return answer;
}

// Whoever has signed in, and is no owner yet, joins by a colleague's code; null where nobody signs in by a provider.
const join = ways ? (code) => joined({ body: { code } }) : null;

async function joined(options) {
  const answer = await call("PUT", "/sign-in/owner", options);
  if (answer.ok) await begin();
  return answer;
}

// Whoever has signed in by a provider is asked for no key.
async function begin() {
  signed = ways !== null && !owner.key() && (await call("GET", "/owners/me")).ok;
  show(false);
}

// A new key is shown once; this tab uses it from now on.
function fresh(key) {
  turn += 1;
  owner.keep(key, owner.stays());
  put(keyShown(key, () => go("")));
  at("api-key").focus();
}

function leave(told) {
  if (signed) return signOut();
  owner.drop();
  forget();
  history.replaceState(null, "", location.pathname);
  show(true, told);
}

async function home(gone) {
  const answer = await owner.call("GET", "/owners/me");
  if (gone()) return;
  if (!answer.ok) return trouble(answer);
  const me = answer.data;
  put(account(owner, me, { fresh, leave, shares: ways !== null }), element("div", { class: "a-list-head" }, element("h2", { tabindex: "-1" }, t("own.list")), element("a", { class: "a-act", "data-kind": "primary", href: "/owners#new", id: "register-new" }, t("own.new")), element("a", { class: "a-act", href: "/owners#proxy", id: "register-proxy" }, t("own.proxy"))), element("div", { id: "endpoint-list" }), webhook(owner));
  listed(me.endpoints, gone);
}

// Running probes are polled here too.
function listed(endpoints, gone) {
  renew(at("endpoint-list"), list(endpoints));
  if (endpoints.some((view) => view.state === "probing")) setTimeout(() => gone() || follow(gone), 2000);
}

async function follow(gone) {
  const answer = await owner.call("GET", "/endpoints");
  if (!gone() && answer.ok) listed(answer.data, gone);
}

/** @param {{ status: number, problem?: any }} answer */
function trouble({ status, problem }) {
  if (status === 401) return leave(problemText(problem));
  put(element("p", { class: "a-wrong", role: "alert" }, problemText(problem)), element("p", { class: "a-acts" }, act(t("board.retry"), () => show()), element("a", { class: "a-act", href: "/owners#" }, t("own.back"))));
}

function list(endpoints) {
  if (!endpoints.length) return element("p", { class: "a-hint", id: "no-endpoints" }, t("own.list.none"));
  return element("ul", { class: "a-endpoints" }, endpoints.map(entry));
}

function entry(view) {
  const facts = [t("own.list.battles", { count: number(view.battles ?? 0) }), t("own.list.votes", { count: number(view.votes ?? 0) }), view.wire_model];
  return element("li", {}, element("a", { href: `/owners#endpoint-${view.id}` }, view.name), " ", state(view.state), view.listed ? null : element("span", { class: "a-tag" }, t("own.unlisted")), element("small", {}, facts.join(" · ")));
}

const back = () => element("p", { class: "a-back" }, element("a", { href: "/owners#" }, t("own.back")));

async function register(gone) {
  const offered = await choices();
  if (gone()) return;
  const made = registerForm(owner, offered, (view) => go(`endpoint-${view.id}`));
  put(back(), element("h2", { tabindex: "-1" }, t("own.new")), element("p", { class: "a-hint" }, t("own.new.help")), panel("register-box", t("own.new.box"), made));
}

window.addEventListener("hashchange", () => place() !== null && show());
begin();
