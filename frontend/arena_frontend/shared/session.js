// The session of this tab: the key is kept in memory only, and deleted by a reload, leaving the page, signing out, or
// MINUTES without input. On request it is also stored in sessionStorage over reloads, with the same limit; not by
// default, because a browser may write that to disk. The key is sent in a header and is never part of a URL.

import { call, file, part, work } from "./api.js";
import { download, tab } from "./shell.js";

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {ReturnType<typeof createSession>} Session */

export const MINUTES = 15;
const LIMIT = MINUTES * 60_000;
const INPUT_EVENTS = ["pointerdown", "keydown", "wheel"];
const PRINTABLE = /^[\x20-\x7e]+$/;

// Whether a header can carry it.
/** @type {(text: string) => boolean} */
export const isKey = (text) => PRINTABLE.test(text);

/**
 * @param {string} name of the stored key
 * @param {() => void} onExpire called when the key is deleted because its time is over
 */
export function createSession(name, onExpire) {
  const deadlineName = `${name}_until`;
  let key = "";
  let deadline = 0;
  let persistent = false;
  let timer = null;
  let number = 0; // of the session, of which a tab may have several one after the other

  function begin(newKey, persist) {
    number += 1;
    key = newKey;
    persistent = persist;
    prolong();
  }

  function prolong() {
    deadline = Date.now() + LIMIT;
    clearTimeout(timer);
    timer = setTimeout(expire, LIMIT);
    if (!persistent) return;
    tab.setItem(name, key);
    tab.setItem(deadlineName, String(deadline));
  }

  function end() {
    number += 1;
    key = "";
    persistent = false;
    clearTimeout(timer);
    for (const item of [name, deadlineName]) tab.removeItem(item);
  }

  function expire() {
    end();
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    onExpire();
  }

  // Never resolves if the session ends before the answer comes.
  /** @type {(request: Promise<Answer>) => Promise<Answer>} */
  async function ofThisSession(request) {
    const current = number;
    const answer = await request;
    return current === number ? answer : new Promise(() => {});
  }

  // Progress of the upload prolongs the session.
  function sendFile(path, body, { signal, watch }) {
    const current = number;
    const watchAndProlong = (...progress) => {
      if (current === number) prolong();
      watch(...progress);
    };
    return ofThisSession(work(path, body, { bearer: key, signal, watch: watchAndProlong }));
  }

  async function save(path, fileName) {
    const answer = await file(path, key);
    if (answer.ok) download(answer.data, fileName);
    return answer;
  }

  // Timers rest while the computer sleeps.
  function checkDeadline() {
    if (key && Date.now() >= deadline) expire();
  }

  function onInput() {
    checkDeadline();
    if (key) prolong();
  }

  const stored = tab.getItem(name) ?? "";
  if (isKey(stored) && Date.now() < Number(tab.getItem(deadlineName))) begin(stored, true);
  else end();
  for (const event of INPUT_EVENTS) document.addEventListener(event, onInput, { capture: true, passive: true });
  document.addEventListener("visibilitychange", checkDeadline);
  window.addEventListener("pagehide", () => persistent || end());
  // A page from the back/forward cache would show old content.
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  return {
    key: () => key,
    isPersistent: () => persistent,
    begin,
    end,
    /** @type {(method: string, path: string, body?: unknown) => Promise<Answer>} */
    call: (method, path, body) => ofThisSession(call(method, path, { body, bearer: key })),
    /** @type {(address: string, body?: object) => Promise<Answer>} */
    part: (address, body) => ofThisSession(part(address, key, body)),
    sendFile,
    save,
  };
}

// Ends a sign-in by a provider, on all devices if asked; the answer is a page, so it takes a form.
export function signOut(everywhere = false) {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: `/api/v1/sign-out?everywhere=${everywhere}` });
  document.body.append(form);
  form.submit();
}
