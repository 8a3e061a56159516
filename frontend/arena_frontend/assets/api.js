
// Calls the API of this origin. Never throws: resolves to {ok, status, data} or {ok: false, status, problem}.

/** @typedef {{ ok: boolean, status: number, data?: any, problem?: any }} Answer */
/** @typedef {{ body?: unknown, key?: string, bearer?: string, patience?: number }} Options */

const BASE = "/api/v1";

// `path` is below /api/v1, `key` makes a repeated call harmless; after `patience` milliseconds the arena counts as away: a
// connection of another network, which the device has left, answers nothing for minutes.
/** @type {(method: string, path: string, options?: Options) => Promise<Answer>} */
export async function call(method, path, { body, key, bearer, patience } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", ...authorization(bearer) };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const end = new AbortController();
  const timer = patience && setTimeout(() => end.abort(), patience);
  return answerTo(BASE + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: end.signal }).finally(() => clearTimeout(timer));
}

/** @type {(bearer: string) => Record<string, string>} */
const authorization = (bearer) => (bearer ? { Authorization: `Bearer ${bearer}` } : {});

// Fetches a part of a page that the server renders for whoever has signed in, perhaps from a body: `data` is its markup.
/** @type {(address: string, bearer: string, body?: object) => Promise<Answer>} */
export function part(address, bearer, body) {
  const headers = authorization(bearer);
  const request = body ? { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) } : { headers };
  return answerTo(address, request, (response) => response.text());
}

// Fetches a file to save, since a link cannot carry the header: `data` is its Blob.
/** @type {(path: string, bearer: string) => Promise<Answer>} */
export const file = (path, bearer) => answerTo(BASE + path, { headers: authorization(bearer), cache: "no-store" }, (response) => response.blob());

// Uploads an image: `data` has its id.
/** @type {(body: Blob) => Promise<Answer>} */
export const upload = (body) => answerTo(`${BASE}/images`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });

/** @type {(address: string, request: RequestInit, read?: (response: Response) => Promise<any>) => Promise<Answer>} */
async function answerTo(address, request, read = (response) => response.json()) {
  try {
    const response = await fetch(address, { credentials: "same-origin", cache: "no-cache", ...request });
    if (response.ok) return { ok: true, status: response.status, data: response.status === 204 ? null : await read(response) };
    const data = await response.json();
    if (data.code === "sign_in_required") location.assign(`/sign-in?to=${encodeURIComponent(location.pathname)}`);
    return { ok: false, status: response.status, problem: { code: "internal", ...data } };
  } catch {
    return { ok: false, status: 0, problem: { code: "network" } };
  }
}

// Uploads a file that takes the server long; resolves like `call`. `watch` is told the progress of upload and work.
/** @typedef {{ bearer?: string, signal: AbortSignal, watch: (part: "sent" | "done", done: number, of: number) => void }} Upload */
/** @type {(path: string, body: Blob, options: Upload) => Promise<Answer>} */
export function work(path, body, { bearer, signal, watch }) {
  const request = new XMLHttpRequest(); // fetch has no progress of an upload
  const networkError = { ok: false, status: 0, problem: { code: "network" } };
  let read = 0; // characters of the response, which has a JSON object per line
  let end = null;
  const readLines = () => {
    for (const line of request.responseText.slice(read).split("\n").slice(0, -1)) {
      read += line.length + 1;
      const message = JSON.parse(line);
      if ("done" in message) watch("done", message.done, message.of);
      else end = message;
    }
  };
  const answer = () => {
    if (request.status >= 400) return { ok: false, status: request.status, problem: { code: "internal", ...JSON.parse(request.responseText) } };
    readLines();
    if (end?.problem) return { ok: false, status: end.problem.status, problem: end.problem };
    return end ? { ok: true, status: request.status, data: end.result } : networkError;
  };
  return new Promise((resolve) => {
    request.open("POST", BASE + path);
    for (const [name, value] of Object.entries({ "Content-Type": "application/octet-stream", ...authorization(bearer) })) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => watch("sent", loaded, total));
    request.addEventListener("progress", () => request.status < 400 && readLines());
    request.addEventListener("loadend", () => {
      try {
        resolve(answer());
      } catch {
        resolve(networkError);
      }
    });
    signal.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

// Whether the arena could not be reached, or is about to restart.
/** @type {(answer: Answer) => boolean} */
export const lost = ({ status, problem }) => [0, 502, 504].includes(status) || problem?.code === "shutting_down";

// Calls again after pauses, in milliseconds, while the server cannot be reached; only for calls that are safe to repeat.
/** @type {(method: string, path: string, options?: Options, pauses?: number[]) => Promise<Answer>} */
export async function insist(method, path, options, pauses = [400, 1200, 3000]) {
  for (const pause of [...pauses, null]) {
    const answer = await call(method, path, options);
    if (!lost(answer) || pause === null) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const POLL_MS = 2000;
// Of a small answer that is asked for again if it does not come.
export const BOUNDED = { patience: 10_000 };
let waiting = null;

// Resolves when the arena, which could not be reached, answers again.
export const reconnected = () => (waiting ??= poll().finally(() => (waiting = null)));

async function poll() {
  do await pause();
  while (lost(await call("GET", "/status", BOUNDED)));
}

// Ends sooner when the browser is online again or the page becomes visible: timers of hidden pages rest.
async function pause() {
  const end = new AbortController();
  await new Promise((resolve) => {
    setTimeout(resolve, POLL_MS);
    addEventListener("online", resolve, { signal: end.signal });
    document.addEventListener("visibilitychange", resolve, { signal: end.signal });
  });
  end.abort();
}

const stream = (path) => new EventSource(BASE + path);

// Loads a script that is not needed at first. A page that cannot have it, because the arena is away or has another version
// by now, is loaded again once the arena answers: it resumes its conversation then. One that has only just been loaded again
// is not, since that has not helped.
const RECENT = 30_000; // milliseconds

/** @type {<Script>(load: () => Promise<Script>) => Promise<Script>} */
export async function loaded(load) {
  try {
    return await load();
  } catch (error) {
    await reconnected();
    const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    if (visit.type === "reload" && performance.now() < RECENT) throw error;
    location.reload();
    return new Promise(() => {});
  }
}

// Follows the stream of a conversation's running turn. The browser reconnects by itself with the last event id; when it
// gives up (the turn has ended, or the server is unreachable), `lost` asks the API for the state.

// `path` is that of the conversation, `query` asks for the form of its answers; `first` is called before the first event's own handler. An event's id begins with the
// turn and generation that it belongs to: those of another one, after a reconnection, are `lost` too, since the page shows
// neither its prompt nor an empty place for its text.
/** @type {(path: string, handlers: Record<string, (data?: any) => void>, query?: string) => EventSource} */
export function follow(path, { first, delta, blocks, ready, failed, sideDone, closing, waiting, open, lost }, query = "") {
  const source = stream(`${path}/stream${query}`);
  let generation = null;
  const listen = (name, handler, isLast = false) =>
    source.addEventListener(name, (event) => {
      const current = /^\d+\.\d+/.exec(event.lastEventId)?.[0] ?? generation ?? "";
      if (generation === null) first();
      else if (current !== generation) {
        source.close();
        return lost?.();
      }
      generation = current;
      if (isLast) source.close();
      handler?.(JSON.parse(event.data));
    });
  listen("delta", delta);
  listen("blocks", blocks);
  listen("side_done", sideDone);
  listen("turn_ready", ready, true);
  listen("turn_failed", failed, true);
  listen("closing", closing, true);
  source.onopen = open;
  source.onerror = () => (source.readyState === EventSource.CLOSED ? lost : waiting)?.();
  return source;
}
