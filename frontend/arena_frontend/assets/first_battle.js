// The first prompt of a visit does not wait for Gradio's engine: it is sent at once, and its answers are shown as plain
// text as they come, until the engine takes over. A prompt with images or for web pages is left to the engine.

import { call, follow, insist } from "./api.js";
import * as composer from "./composer.js";
import { agreedTerms, all, at, conversationMemory, first, hasEarlyClick } from "./shell.js";

/** @typedef {HTMLFormElement & import("./first_view.js").Early} Form */

const PLACE = "/battles";
const memory = conversationMemory("battle");
let asking = null;
let battle = null;
/** @type {EventSource | null} */
let source = null;
let reloading = null;
const PAUSE = 300; // milliseconds until the state is read after a lost stream

export const form = () => /** @type {Form | null} */ (at("early"));

// The battle of the first prompt, once it is known whether there is one.
export async function firstBattle() {
  while (asking) await asking;
  return battle;
}

export function stopFollowing() {
  clearTimeout(reloading);
  source?.close();
  source = null;
}

const ask = () => (asking = post(form()).finally(() => (asking = null)));

/** @type {(form: Form) => Promise<unknown>} */
async function post({ elements, dataset }) {
  const [, box] = /** @type {any} */ (elements);
  const version = Number(dataset.terms ?? 0);
  if (version && version !== agreedTerms()) return composer.askTerms(version, ask);
  const body = { prompt: box.value.trim(), images: [], terms: agreedTerms() || undefined };
  const request = { id: "", again: false, turns: 0, body, notice: "notice.unsent" };
  const answer = await composer.deliver(memory, request, () => call("POST", PLACE, { body }), () => composer.existingConversation(PLACE, request));
  if (answer.problem?.code === "terms_not_accepted") return composer.askTerms(answer.problem.terms, ask);
  if (!answer.ok) return;
  battle = answer.data;
  memory.storeId(battle.id);
  delete dataset.sent;
  box.value = "";
  box.readOnly = false;
  box.dispatchEvent(new Event("input"));
  show(battle.turns.at(-1));
}

function show(turn) {
  first("main.a-early").dataset.begun = "";
  first("#early-pair blockquote").textContent = turn.prompt;
  const paint = () => all("#early-pair p").forEach((place) => (place.textContent = turn.answers[place.dataset.answer] ?? ""));
  paint();
  source = follow(path(), {
    first: () => (turn.answers = {}),
    delta({ side, text }) {
      turn.answers[side] = (turn.answers[side] ?? "") + text;
      paint();
    },
    ready: () => (turn.state = "ready"),
    failed: () => (turn.state = "failed"),
    lost: () => (reloading = setTimeout(reload, PAUSE)),
  });
}

const path = () => `${PLACE}/${encodeURIComponent(battle.id)}`;

// Another tab may have asked on or asked for other answers. What cannot be read is left to the engine.
async function reload() {
  const before = source;
  const answer = await insist("GET", path());
  if (source !== before || !answer.ok) return;
  battle = answer.data;
  if (battle.state === "open") show(battle.turns.at(-1));
}

export function begin() {
  const askIfSent = () => "sent" in form().dataset && !form().images.length && !hasEarlyClick() && ask();
  form()?.addEventListener("submit", askIfSent);
  if (form()) askIfSent();
}
