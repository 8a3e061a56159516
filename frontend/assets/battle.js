// The battle page: two hidden models, a vote, and only then their names.

import { insist } from "./api.js";
import { steady } from "./keys.js";
import { keeper } from "./memory.js";
import { t } from "./texts.js";
import { controls } from "./battle_controls.js";
import * as notices from "./notices.js";
import * as reveal from "./battle_reveal.js";
import * as view from "./talk_view.js";
import { enter, now, path, reset, send, start, trouble } from "./talk.js";

async function vote(outcome) {
  if (now().phase !== "ready") return;
  steady();
  const { id } = now();
  notices.clear();
  enter("voting");
  view.chosen(outcome);
  const answer = await insist("POST", path("/vote"), { body: { outcome }, key: `${id}.${outcome}` });
  if (now().id !== id) return;
  const known = answer.ok ? answer.data : answer.problem.reveal;
  if (known) {
    revealed(known);
    view.focusReveal();
  }
  if (!answer.ok) {
    if (!known) enter("ready");
    trouble(answer, answer.status === 0 ? "notice.vote_unsure" : undefined);
  }
}

function revealed(known) {
  const names = { a: known.a.name, b: known.b.name };
  Object.assign(now(), { reveal: known, outcome: known.outcome, names });
  enter("voted");
  view.say(t("say.revealed", names));
}

async function adopted(battle) {
  if (battle.state !== "voted") return false;
  const answer = await insist("GET", path("/reveal"));
  if (answer.ok) revealed(answer.data);
  else trouble(answer);
  return true;
}

function skip() {
  if (["ready", "running"].includes(now().phase)) insist("POST", path("/skip"));
  notices.clear();
  reset();
}

// The whole conversation again with a new pair: each follow-up is sent when both have answered the one before.
function same() {
  const [first, ...later] = now().turns.map((turn) => turn.prompt);
  if (now().phase === "voted") send(first, later);
}

const kind = {
  name: "battle",
  place: "/battles",
  memory: keeper("battle"),
  opening: () => ({}),
  controls,
  shown: reveal.show,
  adopted,
  names: () => null,
  acts: { vote, skip, new_round: skip, same_prompt: same },
};

export const attach = (trigger, ...events) => start(kind, trigger, events);
