// Waits for a lost connection to the arena.

import { call, lost } from "./api.js";

const PAUSE = 2000;
let waiting = null;

// Resolves when the arena answers again.
export const reconnected = () => (waiting ??= poll().finally(() => (waiting = null)));

async function poll() {
  do await pause();
  while (lost(await call("GET", "/status")));
}

// Ends sooner when the browser is online again or the page becomes visible: timers of hidden pages rest.
async function pause() {
  const end = new AbortController();
  await new Promise((resolve) => {
    setTimeout(resolve, PAUSE);
    addEventListener("online", resolve, { signal: end.signal });
    document.addEventListener("visibilitychange", resolve, { signal: end.signal });
  });
  end.abort();
}
