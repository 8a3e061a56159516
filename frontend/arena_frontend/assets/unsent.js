// What could not be sent because the line was lost: it waits, also over a reload of the tab, and is sent once the line
// is back, or its writer has signed in, a single time even if an attempt whose answer was lost has arrived.

import { call, lost } from "./api.js";
import * as notices from "./notices.js";
import { t } from "./texts.js";

/** @typedef {import("./api.js").Answer} Answer */

/**
 * Sends until the arena answers.
 * @param {{ keepUnsent: (request: object | null) => void }} memory
 * @param {Record<string, any>} request what a reload needs to go on, and the key of the text meanwhile
 * @param {() => Promise<Answer>} send
 * @param {() => Promise<Answer | null>} arrived what an earlier attempt has led to; null for nothing
 * @returns {Promise<Answer>}
 */
export async function deliver(memory, request, send, arrived) {
  const again = async () => (await arrived()) ?? send();
  let answer = await (request.retried ? again() : send());
  while (lost(answer)) {
    memory.keepUnsent({ ...request, retried: true });
    await notices.away(t(request.notice));
    answer = await again();
  }
  // Whoever has to sign in comes back to this tab, and finds the text sent.
  memory.keepUnsent(answer.problem?.code === "sign_in_required" ? { ...request, retried: true } : null);
  return answer;
}

/**
 * The conversation that a prompt has led to already: the one it was to continue, or else the newest own one.
 * @param {string} place of conversations of this kind
 * @param {{ id: string, again: boolean, turns: number, body: { prompt: string } }} request
 * @returns {Promise<Answer | null>}
 */
export async function conversation(place, { id, again, turns, body }) {
  const answer = again ? await call("GET", `${place}/${id}`) : await newest(place, id, body.prompt);
  return !answer || lost(answer) || answer.data?.turns.length > (again ? turns : 0) ? answer : null;
}

async function newest(place, id, prompt) {
  const answer = await call("GET", `/me${place}?limit=1`);
  if (!answer.ok) return lost(answer) ? answer : null;
  const [found] = /** @type {any[]} */ (Object.values(answer.data)[0]);
  const ours = found && found.id !== id && found.state === "open" && found.turns === 1 && prompt.startsWith(found.prompt);
  return ours ? call("GET", `${place}/${found.id}`) : null;
}
