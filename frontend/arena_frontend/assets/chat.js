// The pages of chats: models chosen by name, an opinion on their answers that may be changed, and no rating.

import { call, insist } from "./api.js";
import * as models from "./chat_models.js";
import * as composer from "./composer.js";
import { adopt, commonControls, current, lastTurn, path, reset, showProblem, shownAnswers, start, updateControls } from "./conversation.js";
import * as view from "./conversation_view.js";
import { gradioSurface } from "./gradio_surface.js";
import { OUTCOMES, SIDES, at, conversationMemory } from "./shell.js";
import { t } from "./texts.js";

// The common controls and new chat.
function controls(state, { value, blocked }) {
  const hasModels = state.phase === "ready" || models.chosen() !== null;
  const { buttons, ...rest } = commonControls(state, state.phase === "void", { value, blocked: blocked || !hasModels });
  return { ...rest, buttons: { ...buttons, new_round: { isVisible: ["running", "ready", "void"].includes(state.phase) } } };
}

function onAdopt(chat) {
  const names = Object.fromEntries(SIDES.map((side) => [side, chat.models[side].name]));
  models.show(names);
  Object.assign(current(), { names, outcome: lastTurn().outcome });
  return false;
}

// One after the other, so that the last opinion stays.
let saving = Promise.resolve();
const vote = (outcome, shown = shownAnswers()) => (saving = saving.then(() => judge(outcome, shown)));

async function judge(outcome, shown) {
  if (current().phase !== "ready" || !OUTCOMES.includes(outcome)) return;
  const { id } = current();
  composer.clearNotice();
  const post = () => call("POST", path("/vote"), { body: { outcome, ...shown } });
  const answer = await composer.deliver(kind.memory, { id, outcome, shown, notice: "notice.unsent.vote" }, post, async () => null);
  if (current().id !== id || current().phase !== "ready") return;
  if (!answer.ok) return showProblem(answer);
  await adopt(answer.data);
  view.say(t("say.judged"));
}

function leave() {
  if (current().phase === "running") insist("POST", path("/stop"));
  composer.clearNotice();
  reset();
}

// The chosen opinion stays pressed and can be changed.
function onShow({ outcome }) {
  for (const name of OUTCOMES) at(`vote_${name}`)?.setAttribute("aria-pressed", String(name === outcome));
}

function opening() {
  const chosen = models.chosen();
  if (!chosen) composer.warn(t("choice.none"));
  return chosen && { models: chosen };
}

const page = SIDES.length > 1 ? "side_by_side" : "direct";
const kind = {
  name: page,
  place: "/chats",
  memory: conversationMemory(page),
  opening,
  hasLinks: () => true,
  controls,
  onShow,
  onAdopt,
  names: ({ models }) => Object.fromEntries(SIDES.map((side, index) => [side, models[index]])),
  acts: { vote, new_round: leave },
};

export async function attach(trigger, ...events) {
  await start(kind, gradioSurface(trigger, events));
  await models.begin(() => {
    composer.clearNotice("warn");
    updateControls();
  });
  updateControls();
}
