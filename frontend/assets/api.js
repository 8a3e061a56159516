// One call to the API of this origin. Never throws: an answer is {ok, status, data} or {ok: false, status, problem}.

const BASE = "/api/v1";

export async function call(method, path, { body, key, bearer } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  try {
    const answer = await fetch(BASE + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-cache",
    });
    const data = answer.status === 204 ? null : await answer.json();
    if (answer.ok) return { ok: true, status: answer.status, data };
    return { ok: false, status: answer.status, problem: { code: "internal", ...data } };
  } catch {
    return { ok: false, status: 0, problem: { code: "network" } };
  }
}

// The same again after a pause while the server cannot be reached; only for calls that are safe to repeat.
export async function insist(method, path, options, pauses = [400, 1200, 3000]) {
  for (const pause of [...pauses, null]) {
    const answer = await call(method, path, options);
    const lost = answer.status === 0 || answer.status === 502 || answer.status === 504;
    if (!lost || pause === null) return answer;
    await new Promise((done) => setTimeout(done, pause));
  }
}

export const stream = (path) => new EventSource(BASE + path);
