// Calls the API of this origin. Never throws: resolves to {ok, status, data} or {ok: false, status, problem}.

/** @typedef {{ ok: boolean, status: number, data?: any, problem?: any }} Answer */
/** @typedef {{ body?: unknown, key?: string, bearer?: string }} Options */

const BASE = "/api/v1";

/**
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export async function call(method, path, { body, key, bearer } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  return answered(BASE + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
}

/**
 * A part of a page that the server renders for whoever has signed in, perhaps of a body: `data` is its markup.
 * @param {string} address
 * @param {string} bearer
 * @param {object} [body]
 */
export function part(address, bearer, body) {
  const headers = bearer ? { Authorization: `Bearer ${bearer}` } : {};
  const request = body ? { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) } : { headers };
  return answered(address, request, (answer) => answer.text());
}

/**
 * Sends an image, whose answer has its id.
 * @param {Blob} body
 */
export const upload = (body) => answered(`${BASE}/images`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });

/** @type {(address: string, request: RequestInit, read?: (answer: Response) => Promise<any>) => Promise<Answer>} */
async function answered(address, request, read = (answer) => answer.json()) {
  try {
    const answer = await fetch(address, { ...request, credentials: "same-origin", cache: "no-cache" });
    if (answer.ok) return { ok: true, status: answer.status, data: answer.status === 204 ? null : await read(answer) };
    const data = await answer.json();
    if (data.code === "sign_in_required") location.assign(`/sign-in?to=${encodeURIComponent(location.pathname)}`);
    return { ok: false, status: answer.status, problem: { code: "internal", ...data } };
  } catch {
    return { ok: false, status: 0, problem: { code: "network" } };
  }
}

/**
 * Sends a file that the server works on for long; resolves like `call`. `watch` hears how much of it is sent and done.
 * @param {string} path
 * @param {Blob} body
 * @param {{ bearer?: string, signal: AbortSignal, watch: (part: "sent" | "done", done: number, of: number) => void }} options
 * @returns {Promise<Answer>}
 */
export function work(path, body, { bearer, signal, watch }) {
  const request = new XMLHttpRequest(); // fetch does not say how much it has sent
  let read = 0;
  let end = null;
  const hear = () => {
    const lines = request.responseText.slice(read).split("\n").slice(0, -1);
    for (const line of lines) {
      read += line.length + 1;
      const said = JSON.parse(line);
      if ("done" in said) watch("done", said.done, said.of);
      else end = said;
    }
  };
  const answer = () => {
    if (request.status >= 400) return { ok: false, status: request.status, problem: { code: "internal", ...JSON.parse(request.responseText) } };
    hear();
    if (end?.problem) return { ok: false, status: end.problem.status, problem: end.problem };
    return end ? { ok: true, status: request.status, data: end.result } : { ok: false, status: 0, problem: { code: "network" } };
  };
  return new Promise((resolve) => {
    request.open("POST", BASE + path);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    if (bearer) request.setRequestHeader("Authorization", `Bearer ${bearer}`);
    request.upload.addEventListener("progress", ({ loaded, total }) => watch("sent", loaded, total));
    request.addEventListener("progress", () => request.status < 400 && hear());
    request.addEventListener("loadend", () => {
      try {
        resolve(answer());
      } catch {
        resolve({ ok: false, status: 0, problem: { code: "network" } });
      }
    });
    signal.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

// Whether the arena could not be reached, or is about to restart.
/** @type {(answer: Answer) => boolean} */
export const lost = ({ status, problem }) => [0, 502, 504].includes(status) || problem?.code === "shutting_down";

/**
 * The same again after a pause while the server cannot be reached; only for calls that are safe to repeat.
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @param {number[]} [pauses] in milliseconds
 */
export async function insist(method, path, options, pauses = [400, 1200, 3000]) {
  for (const pause of [...pauses, null]) {
    const answer = await call(method, path, options);
    if (!lost(answer) || pause === null) return answer;
    await new Promise((done) => setTimeout(done, pause));
  }
}

export const stream = (path) => new EventSource(BASE + path);
