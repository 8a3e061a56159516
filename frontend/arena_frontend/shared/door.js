// The door of a page whose parts the server renders: whoever has signed in, by a key or a provider, gets the page's view,
// everybody else the door. A key is held as session.js says.

import { at } from "./dom.js";
import { say, shown as fields, values } from "./fields.js";
import { filled, listen } from "./part_acts.js";
import { AGAIN, loader, passing, stop } from "./parts.js";
import { MINUTES, session as begin, signOut } from "./session.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * @param {string} name of the page, and the id of its place
 * @param {{ store: string, off?: string, by?: import("./part_acts.js").Acts, then?: import("./part_acts.js").Acts, forget?: () => void, shown?: () => void, shut?: (answer: any) => string | null }} how
 *   `store` is the key's name in the tab's storage, `off` the code of the problem where the arena has no such page,
 *   `forget` is called at the end of a session, `shown` when a view is there, and `shut` says why an answer leads to the
 *   door, if it does
 */
export function open(name, { store, off, by = {}, then = {}, forget = () => {}, shown = () => {}, shut = ({ status, problem }) => (status === 401 || (off && status === 404) ? problemText(problem) : null) }) {
  const place = at(name);
  const ways = at(`${name}-ways`); // to sign in without a key, where the arena has any
  const session = begin(store, () => leave(t("own.ended", { minutes: MINUTES })));
  const load = loader(async (query, body) => named(await session.part(`/api/v1/${name}/part${query}`, body)), hear);
  let trouble = ""; // that the page had when it last asked by itself
  /** @type {ReturnType<typeof setTimeout>} */
  let later; // when a view that could not be opened is asked for again
  let signed = false; // by a provider: no key, but a cookie that no script reads

  /** @type {(answer: import("./api.js").Answer) => import("./api.js").Answer} */
  const named = (answer) => (off && answer.status === 404 ? { ...answer, problem: { code: off } } : answer);

  // The session may have ended elsewhere when the page fetches a view again.
  /** @type {(answer: import("./api.js").Answer | null) => void} */
  function hear(answer) {
    if (!answer) return;
    const why = answer.ok ? null : shut(answer);
    if (why) return end(why);
    const [line, before] = [at(`${name}-wrong`), trouble];
    trouble = answer.ok ? "" : problemText(answer.problem);
    if (line && trouble !== before && (trouble || line.textContent === before)) say(line, trouble);
  }

  /** @type {(inside: boolean, ...nodes: Node[]) => void} */
  function enter(inside, ...nodes) {
    clearTimeout(later);
    place.removeAttribute("aria-busy");
    document.documentElement.dataset.signed = String(inside);
    if (ways) ways.hidden = inside;
    if (nodes.length) put(...nodes);
  }

  /** @type {(...nodes: Node[]) => void} */
  function put(...nodes) {
    stop(place);
    place.replaceChildren(...nodes);
  }

  function shutDoor(text = "") {
    enter(false, ...(text ? [filled("notice", { text })] : []), filled("door"));
  }

  // Shows a view, or the one that is there anew; what is said of one that could not be opened stays `meanwhile`.
  async function show(view = place.dataset.view, moved = true, meanwhile = false) {
    clearTimeout(later);
    place.dataset.view = view;
    if (!session.key() && !ways) return shutDoor();
    const answer = await load(place, true);
    if (!answer) return;
    const why = answer.ok ? null : shut(answer);
    if (why) return session.key() || signed ? end(why) : shutDoor();
    signed = answer.ok && !session.key();
    if (answer.ok || !meanwhile) enter(true, ...(answer.ok ? [] : [filled("notice", { text: problemText(answer.problem) }), filled("retry")]));
    if (answer.ok) shown();
    else if (passing(answer)) later = setTimeout(() => show(view, false, true), AGAIN);
    if (moved) place.querySelector("h2")?.focus();
  }

  function leave(text = "") {
    if (signed) signOut();
    else end(text);
  }

  // A session that has ended by itself leaves everything else that a provider's word has begun.
  function end(text) {
    signed = false;
    session.drop();
    place.dataset.view = "";
    forget();
    shutDoor(text);
  }

  async function signIn(form) {
    const { stay, ...rest } = values(fields(form));
    const [key] = Object.values(rest);
    if (!PRINTABLE.test(key)) return { ok: false, problem: { code: "bad_api_key" } };
    session.keep(key, stay);
    const [method, path] = form.dataset.send.split(" ");
    const answer = named(await session.call(method, path));
    if (answer.ok) await show();
    else session.drop();
    return answer;
  }

  listen(session, load, { signIn, ...by }, then);
  on("again", () => show());
  on("sign-out", () => leave());
  return { session, show, put, load, leave };
}
