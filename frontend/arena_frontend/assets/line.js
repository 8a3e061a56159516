// The line to the arena: whoever has lost it waits here until the arena answers again.

import { call, lost } from "./api.js";

const PAUSE = 2000;
let waiting = null;

// Resolves when the arena answers again.
export const back = () => (waiting ??= answering().finally(() => (waiting = null)));

async function answering() {
  do await pause();
  while (lost(await call("GET", "/status")));
}

// Over sooner when the browser is online again or the page is looked at again: timers of hidden pages rest.
async function pause() {
  const over = new AbortController();
  await new Promise((done) => {
    setTimeout(done, PAUSE);
    addEventListener("online", done, { signal: over.signal });
    document.addEventListener("visibilitychange", done, { signal: over.signal });
  });
  over.abort();
}
