// Requests that could not be sent because the connection was lost: they wait, also over a reload of the tab, and are sent
// once it is back, or the visitor has signed in; only once, even if an attempt whose answer was lost has arrived.

import { call, lost } from "./api.js";
import * as notices from "./notices.js";
import { t } from "./texts.js";

/** @typedef {import("./api.js").Answer} Answer */

// Sends until the arena answers. `request` has what a reload needs to resume, and the key of the notice meanwhile;
// `existing` resolves to the result of an earlier attempt, or null.
/** @type {(memory: { storeUnsent: (request: object | null) => void }, request: Record<string, any>, send: () => Promise<Answer>, existing: () => Promise<Answer | null>) => Promise<Answer>} */
export async function deliver(memory, request, send, existing) {
  const resend = async () => (await existing()) ?? send();
  let answer = await (request.retried ? resend() : send());
  while (lost(answer)) {
    memory.storeUnsent({ ...request, retried: true });
    await notices.away(t(request.notice));
    answer = await resend();
  }
  // After signing in, the visitor comes back to this tab, and the request is sent.
  memory.storeUnsent(answer.problem?.code === "sign_in_required" ? { ...request, retried: true } : null);
  return answer;
}

// The conversation that a request has already changed or begun, which is then the visitor's newest.
/** @type {(place: string, request: { id: string, again: boolean, turns: number, body: { prompt: string } }) => Promise<Answer | null>} */
export async function existingConversation(place, { id, again, turns, body }) {
  const answer = again ? await call("GET", `${place}/${id}`) : await newest(place, id, body.prompt);
  return !answer || lost(answer) || answer.data?.turns.length > (again ? turns : 0) ? answer : null;
}

async function newest(place, id, prompt) {
  const answer = await call("GET", `/me${place}?limit=1`);
  if (!answer.ok) return lost(answer) ? answer : null;
  const [row] = /** @type {any[]} */ (Object.values(answer.data)[0]);
  const isOfPrompt = row && row.id !== id && row.state === "open" && row.turns === 1 && prompt.startsWith(row.prompt);
  return isOfPrompt ? call("GET", `${place}/${row.id}`) : null;
}
