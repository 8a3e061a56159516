// The session of this tab. The key is kept in memory only: a reload, leaving the page, signing out and MINUTES without
// input delete it. On request it is also kept in sessionStorage over reloads, with the same limit; by default it is not,
// because a browser may write that to disk. The key is sent in a header and is never part of a URL.

import { call, part, work } from "./api.js";

const BASE = "/api/v1";
export const MINUTES = 15;
const LIMIT = MINUTES * 60_000;
const TOUCHES = ["pointerdown", "keydown", "wheel"];

/** @typedef {ReturnType<typeof session>} Session */

// `ended` is called when the session has expired and the key is deleted.
export function session(place, ended) {
  const due = `${place}_until`;
  let held = "";
  let until = 0;
  let stays = false;
  let timer = null;
  let number = 0;

  function keep(key, stay) {
    number += 1;
    held = key;
    stays = stay;
    prolong();
  }

  function prolong() {
    until = Date.now() + LIMIT;
    clearTimeout(timer);
    timer = setTimeout(expire, LIMIT);
    if (!stays) return;
    sessionStorage.setItem(place, held);
    sessionStorage.setItem(due, String(until));
  }

  function drop() {
    number += 1;
    held = "";
    stays = false;
    clearTimeout(timer);
    for (const name of [place, due]) sessionStorage.removeItem(name);
  }

  function expire() {
    drop();
    for (const open of document.querySelectorAll("dialog")) open.close();
    ended();
  }

  // The answer to a question of a session that has ended meanwhile is never heard.
  /** @type {(asked: Promise<import("./api.js").Answer>) => Promise<import("./api.js").Answer>} */
  async function heard(asked) {
    const own = number;
    const answer = await asked;
    return own === number ? answer : new Promise(() => {});
  }

  // The session lasts as long as the work.
  function sendFile(path, file, { signal, watch }) {
    const own = number;
    const prolonged = (...said) => {
      if (own === number) prolong();
      watch(...said);
    };
    return heard(work(path, file, { bearer: held, signal, watch: prolonged }));
  }

  // A timer may have been missed while the computer slept.
  function check() {
    if (held && Date.now() >= until) expire();
  }

  function touched() {
    check();
    if (held) prolong();
  }

  const kept = sessionStorage.getItem(place);
  if (kept && Date.now() < Number(sessionStorage.getItem(due))) keep(kept, true);
  else drop();
  for (const touch of TOUCHES) document.addEventListener(touch, touched, { capture: true, passive: true });
  document.addEventListener("visibilitychange", check);
  window.addEventListener("pagehide", () => stays || drop());
  // A page from the back/forward cache would show old content.
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  return {
    key: () => held,
    stays: () => stays,
    keep,
    drop,
    /** @type {(method: string, path: string, body?: unknown) => Promise<import("./api.js").Answer>} */
    call: (method, path, body) => heard(call(method, path, { body, bearer: held })),
    /** @type {(address: string, body?: object) => Promise<import("./api.js").Answer>} */
    part: (address, body) => heard(part(address, held, body)),
    work: sendFile,
    save: (path, name) => save(path, name, held),
  };
}

// Ends what a provider's word has begun; the answer is a page, so that a form has to ask for it.
export function signOut() {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: `${BASE}/sign-out` });
  document.body.append(form);
  form.submit();
}

// A link cannot carry the header, so the file is fetched first. Resolves like `call`.
async function save(path, name, bearer) {
  try {
    const answer = await fetch(BASE + path, { headers: bearer ? { Authorization: `Bearer ${bearer}` } : {}, cache: "no-store" });
    if (!answer.ok) return { ok: false, status: answer.status, problem: { code: "internal", ...(await answer.json()) } };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return { ok: true, status: answer.status, data: null };
  } catch {
    return { ok: false, status: 0, problem: { code: "network" } };
  }
}
