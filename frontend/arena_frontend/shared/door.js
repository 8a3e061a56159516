// Sign-in of a page whose views the server renders (parts.js): whoever has signed in, by a key (session.js) or a
// provider, sees the page's view, everybody else the template `door`.

import { isChanged, setText, values, visibleFields } from "./fields.js";
import { ask, fromTemplate, listen } from "./part_acts.js";
import { RETRY_DELAY, cancel, isTransient, loader } from "./parts.js";
import { MINUTES, createSession, isKey, signOut } from "./session.js";
import { all, around, at, on } from "./shell.js";
import { problemText, t } from "./texts.js";

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./part_acts.js").Acts} Acts */

/**
 * @param {string} name of the page, and the id of its view
 * @param {{ store: string, off?: string, by?: Acts, then?: Acts, onEnd?: () => void, onShow?: () => void }} options
 *   `store` is the key's name in the tab's storage, `off` the problem code where the arena has no such page, `by` and
 *   `then` are acts of part_acts.js; `onEnd` is called at the end of a session, `onShow` when a view is shown
 */
export function open(name, { store, off, by = {}, then = {}, onEnd = () => {}, onShow = () => {} }) {
  const place = at(name);
  const providers = at(`${name}-ways`); // null where all sign in by a key
  const session = createSession(store, () => leave(t("own.ended", { minutes: MINUTES })));
  const load = loader(async (query, body) => withCode(await session.part(`/api/v1/${name}/part${query}`, body)), onTimedAnswer);
  let timedProblem = ""; // the text of the last timed request's problem
  /** @type {ReturnType<typeof setTimeout>} */
  let retry;
  let isProvided = false; // signed in by a provider: the server's cookie, which no script reads

  /** @type {(answer: Answer) => Answer} */
  const withCode = (answer) => (off && answer.status === 404 && answer.problem?.code === "not_found" ? { ...answer, problem: { code: off } } : answer);

  // Why an answer leads to the door; null if it does not.
  /** @type {(answer: Answer) => string | null} */
  const doorReason = ({ status, problem }) => (status === 401 || (off && problem?.code === off) ? problemText(problem) : null);

  /** @type {(answer: Answer | null) => void} */
  function onTimedAnswer(answer) {
    if (!answer) return;
    const reason = doorReason(answer);
    if (reason !== null) return end(reason);
    const [line, before] = [at(`${name}-wrong`), timedProblem];
    timedProblem = answer.ok ? "" : problemText(answer.problem);
    if (line && timedProblem !== before && (timedProblem || line.textContent === before)) setText(line, timedProblem);
  }

  /** @type {(isSignedIn: boolean, ...nodes: Node[]) => void} */
  function enter(isSignedIn, ...nodes) {
    clearTimeout(retry);
    place.removeAttribute("aria-busy");
    document.documentElement.dataset.signed = String(isSignedIn);
    if (providers) providers.hidden = isSignedIn;
    if (nodes.length) put(...nodes);
  }

  /** @type {(...nodes: Node[]) => void} */
  function put(...nodes) {
    cancel(place);
    place.replaceChildren(...nodes);
  }

  const notice = (text) => fromTemplate("notice", { text });
  const showDoor = (text = "") => enter(false, ...(text ? [notice(text)] : []), fromTemplate("door"));

  // Shows a view, or the current one again. If the server cannot be reached it says so once, and retries.
  async function show(view = place.dataset.view, isFocused = true, isRetry = false) {
    clearTimeout(retry);
    place.dataset.view = view;
    if (!session.key() && !providers) return showDoor();
    const answer = await load(place, true);
    if (!answer) return;
    const reason = doorReason(answer);
    if (reason !== null) return session.key() || isProvided ? end(reason) : showDoor();
    isProvided = answer.ok && !session.key();
    if (answer.ok || !isRetry) enter(true, ...(answer.ok ? [] : [notice(problemText(answer.problem)), fromTemplate("retry")]));
    // A key has no sittings on other devices.
    for (const button of all("[data-act=sign-out-everywhere]", place)) button.hidden = !isProvided;
    if (answer.ok) onShow();
    else if (isTransient(answer)) retry = setTimeout(() => show(view, false, true), RETRY_DELAY);
    if (isFocused) place.querySelector("h2")?.focus();
  }

  function leave(text = "", everywhere = false) {
    if (isProvided) signOut(everywhere);
    else end(text);
  }

  // Ends the session of this page alone; a provider's sign-in to other pages remains.
  function end(text) {
    isProvided = false;
    session.end();
    place.dataset.view = "";
    onEnd();
    showDoor(text);
  }

  async function signIn(form) {
    const { stay, ...rest } = values(visibleFields(form));
    const [key] = Object.values(rest);
    if (!isKey(key)) return { ok: false, problem: { code: "bad_api_key" } };
    session.begin(key, stay);
    const [method, path] = form.dataset.send.split(" ");
    const answer = withCode(await session.call(method, path));
    if (answer.ok) await show();
    else session.end();
    return answer;
  }

  // Another language is another page. The key is never written where its owner did not ask for it, and of forms only a
  // draft is kept, so who would lose something is asked first.
  const isLost = (control) => control.checkVisibility() && isChanged(control) && (control.type === "password" || !control.form?.dataset.draft);
  const losses = () => [
    ...(session.key() && !session.isPersistent() ? [t("own.switch.key")] : []),
    ...(all("input:not([type=file]), select, textarea", at("main")).some(isLost) ? [t("own.switch.form")] : []),
  ];
  document.addEventListener("click", async (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (around(event, ".a-langs a"));
    const lost = link ? losses() : [];
    if (!lost.length) return;
    event.preventDefault();
    if (await ask("switch", { text: lost.join(" ") })) location.assign(link.href);
  });

  listen(session, load, { signIn, ...by }, then);
  on("again", () => show());
  on("sign-out", () => leave());
  on("sign-out-everywhere", () => leave("", true));
  return { session, show, put, load, leave };
}
