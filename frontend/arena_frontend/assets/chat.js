// The pages of chats: models chosen by name, an opinion on their answers that may be changed, and no rating.

import { call, insist } from "./api.js";
import { at } from "./dom.js";
import { OUTCOMES, SIDES } from "./sides.js";
import { keeper } from "./memory.js";
import { t } from "./texts.js";
import { deliver } from "./unsent.js";
import { controls as common, tool } from "./conversation_controls.js";
import * as models from "./chat_models.js";
import * as notices from "./notices.js";
import * as view from "./conversation_view.js";
import { adopt, last, now, path, phase, reset, start, trouble } from "./conversation.js";

// After the common buttons: new chat.
function controls(state, { value, blocked }) {
  const over = state.phase === "void";
  const free = state.phase === "ready" || models.chosen() !== null;
  return [...common(state, over, { value, blocked: blocked || !free }), tool(["running", "ready", "void"].includes(state.phase))];
}

function adopted(chat) {
  const names = Object.fromEntries(SIDES.map((side) => [side, chat.models[side].name]));
  models.show(names);
  Object.assign(now(), { names, outcome: last().outcome });
  return false;
}

// One after the other, so that the last opinion stays.
let saving = Promise.resolve();
const vote = (outcome) => (saving = saving.then(() => judge(outcome)));

async function judge(outcome) {
  if (now().phase !== "ready" || !OUTCOMES.includes(outcome)) return;
  const { id } = now();
  notices.clear();
  const send = () => call("POST", path("/vote"), { body: { outcome } });
  const answer = await deliver(kind.memory, { id, outcome, notice: "notice.unsent.vote" }, send, async () => null);
  if (now().id !== id || now().phase !== "ready") return;
  if (!answer.ok) return trouble(answer);
  await adopt(answer.data);
  view.say(t("say.judged"));
}

function leave() {
  if (now().phase === "running") insist("POST", path("/stop"));
  notices.clear();
  reset();
}

// The chosen opinion stays pressed and can be changed.
function shown({ outcome }) {
  for (const name of OUTCOMES) at(`vote_${name}`)?.setAttribute("aria-pressed", String(name === outcome));
}

function opening() {
  const chosen = models.chosen();
  if (!chosen) notices.warn(t("choice.none"));
  return chosen && { models: chosen };
}

const page = SIDES.length > 1 ? "side_by_side" : "direct";
const kind = {
  name: page,
  place: "/chats",
  memory: keeper(page),
  opening,
  followable: () => true,
  controls,
  shown,
  adopted,
  names: ({ models }) => Object.fromEntries(SIDES.map((side, place) => [side, models[place]])),
  acts: { vote, new_round: leave },
};

export async function attach(trigger, ...events) {
  await start(kind, trigger, events);
  await models.begin(() => {
    notices.clear("warn");
    phase();
  });
  phase();
}
