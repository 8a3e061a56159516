// What a battle is: two hidden models, a vote, and only then their names.

import { call, insist } from "./api.js";
import { prove } from "./bot_check.js";
import { ignoreDoubleClick } from "./keys.js";
import { conversationMemory } from "./memory.js";
import { t } from "./texts.js";
import { deliver } from "./unsent.js";
import { controls as common } from "./conversation_controls.js";
import { greet } from "./entry.js";
import * as images from "./images.js";
import * as notices from "./notices.js";
import * as reveal from "./battle_reveal.js";
import * as view from "./conversation_view.js";
import * as pages from "./web_pages.js";
import { current, enter, path, reset, send, showProblem, shownAnswers, updateControls } from "./conversation.js";

// The common controls and skip, same prompt, new round.
function controls(state, options) {
  const { phase, turns } = state;
  const over = phase === "voted" || phase === "void";
  const { box, buttons, ...rest } = common(state, over, options);
  if (phase === "empty" && pages.isOfPages()) box.placeholder = t("web.placeholder");
  const tools = {
    skip: { isVisible: phase === "ready" || phase === "running" },
    same_prompt: { isVisible: phase === "voted", text: t(turns.length > 1 ? "same_prompts" : "same_prompt") },
    new_round: { isVisible: over },
  };
  return { ...rest, box, buttons: { ...buttons, ...tools } };
}

async function vote(outcome, shown = shownAnswers()) {
  if (current().phase !== "ready") return;
  ignoreDoubleClick();
  const { id } = current();
  notices.clear();
  enter("voting");
  view.showOutcome(outcome);
  // The key keeps a vote that has arrived from being cast again, so no earlier attempt has to be looked for.
  const post = () => call("POST", path("/vote"), { body: { outcome, ...shown, ...pages.ballot(current()) }, key: `${id}.${outcome}` });
  const answer = await deliver(kind.memory, { id, outcome, shown, notice: "notice.unsent.vote" }, post, async () => null);
  if (current().id !== id) return;
  const names = answer.ok ? answer.data : answer.problem.reveal;
  if (names) {
    showReveal(names);
    view.focusReveal();
  }
  if (!answer.ok) {
    if (!names) enter("ready");
    showProblem(answer);
  }
}

function showReveal(data) {
  const names = { a: data.a.name, b: data.b.name };
  Object.assign(current(), { reveal: data, outcome: data.outcome, names });
  ignoreDoubleClick();
  enter("voted");
  view.say(t("say.revealed", names));
}

async function onAdopt(battle) {
  current().kind = battle.kind;
  if (battle.state !== "voted") return false;
  const answer = await insist("GET", path("/reveal"));
  if (answer.ok) showReveal(answer.data);
  else showProblem(answer);
  return true;
}

function skip() {
  if (["ready", "running"].includes(current().phase)) insist("POST", path("/skip"));
  notices.clear();
  reset();
  // Models may have come or gone since the page was opened.
  greet(kind.name);
}

// Repeats the conversation with a new pair: each follow-up is sent once both have answered the previous prompt.
function repeat() {
  if (current().phase !== "voted") return;
  const [first, ...later] = current().turns.map((turn) => turn.prompt);
  images.reuse(current().turns[0].images ?? []);
  pages.choose(current().kind ?? "text");
  send(first, later);
}

function onShow(state) {
  if (state.phase === "running") prove();
  reveal.show(state);
  pages.show(state);
}

export const kind = {
  name: "battle",
  place: "/battles",
  memory: conversationMemory("battle"),
  opening: pages.opening,
  hasLinks: ({ phase }) => phase === "voted",
  controls,
  onStart: () => pages.begin(updateControls),
  onShow,
  onAdopt,
  names: () => null,
  acts: { vote, skip, new_round: skip, same_prompt: repeat },
};
