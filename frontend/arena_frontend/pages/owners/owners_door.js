// Access to the owners' page: sign up, sign in, and display of a new key.

import { call } from "./api.js";
import { element } from "./dom.js";
import { form } from "./forms.js";
import { act, calling, chapter, confirm, copyable, line, moment } from "./owner_components.js";
import { MINUTES } from "./session.js";
import { t } from "./texts.js";

/** @type {import("./forms.js").Row} */
export const STAY = ["stay", { kind: "checkbox" }];
const PRINTABLE = /^[\x21-\x7e]+$/;

// Two forms side by side; `enter` gets the key of a sign-in, `fresh` a new key.
export function door({ enter, fresh, told, join }) {
  const signIn = form("signin", [["api_key", { kind: "password", required: true, autocomplete: "current-password" }], STAY], {
    label: t("own.signin"),
    submit: async ({ api_key: key, stay }) => {
      if (!PRINTABLE.test(key)) return { ok: false, problem: { code: "bad_api_key" } };
      return enter(key, stay);
    },
  });
  const signUp = form(
    "signup",
    [
      ["name", { words: "owner", required: true, maxlength: 80, autocomplete: "organization" }],
      ["contact", { required: true, maxlength: 200, autocomplete: "email" }],
      ["invitation", { maxlength: 200 }],
    ],
    {
      label: t("own.signup"),
      submit: async ({ name, contact, invitation }) => {
        const answer = await call("POST", "/owners", { body: invitation ? { name, contact, invitation } : { name, contact } });
        if (answer.ok) fresh(answer.data.key);
        return answer;
      },
    },
  );
  const colleague = join && form("join", [["code", { required: true, maxlength: 400 }]], { label: t("own.join"), submit: ({ code }) => join(code) });
  const notice = told ? [element("p", { class: "a-wrong", role: "alert" }, told)] : [];
  return [...notice, element("div", { class: "a-doors" }, chapter("new-owner", t("own.signup.title"), signUp), chapter("known-owner", t("own.signin.title"), element("p", { class: "a-hint" }, t("own.signin.help", { minutes: MINUTES })), signIn, colleague))];
}

export function keyShown(key, done) {
  return chapter(
    "key-shown",
    t("own.key.title"),
    element("p", { class: "a-warn" }, t("own.key.once")),
    copyable("api-key", t("own.key.title"), key),
    element("p", { class: "a-acts" }, act(t("own.key.kept"), done, { kind: "primary", name: "kept" })),
  );
}

// The signed-in owner, and actions on the key.
export function account(owner, me, { fresh, leave, shares }) {
  const said = line("account-wrong");
  const rotate = async () => {
    const { sure } = await confirm(t("own.rotate"), t("own.rotate.ask"), t("own.rotate"));
    if (!sure) return null;
    const answer = await owner.call("POST", "/owners/me/key");
    if (answer.ok) fresh(answer.data.key);
    return answer;
  };
  const revoke = async () => {
    const { sure } = await confirm(t("own.revoke"), t("own.revoke.ask"), t("own.revoke"));
    if (!sure) return null;
    const answer = await owner.call("DELETE", "/owners/me/key");
    if (answer.ok) leave(t("own.revoked"));
    return answer;
  };
  const share = async () => {
    const answer = await owner.call("POST", "/sign-in/owner/codes");
    if (answer.ok) said.before(element("div", { id: "colleague" }, element("p", { class: "a-hint" }, t("own.share.help")), copyable("colleague-code", t("own.share.title"), answer.data.code)));
    return answer;
  };
  const sharing = shares ? [calling(t("own.share"), share, said, { name: "share" })] : [];
  return element(
    "section",
    { class: "a-panel a-account", id: "account", "aria-label": t("own.account") },
    element("p", {}, element("strong", {}, me.name), " ", element("span", {}, me.contact)),
    element("p", { class: "a-hint" }, t("own.key.made"), " ", moment(me.key_made_at)),
    element("p", { class: "a-acts" }, calling(t("own.rotate"), rotate, said, { name: "rotate" }), calling(t("own.revoke"), revoke, said, { name: "revoke" }), sharing, act(t("own.signout"), () => leave(), { name: "signout" })),
    said,
  );
}
