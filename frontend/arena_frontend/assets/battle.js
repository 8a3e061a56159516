// The battle page: two hidden models, a vote, and only then their names.

import { call, insist } from "./api.js";
import { prove } from "./bot_check.js";
import { steady } from "./keys.js";
import { keeper } from "./memory.js";
import { t } from "./texts.js";
import { deliver } from "./unsent.js";
import { controls } from "./battle_controls.js";
import { greet } from "./entry.js";
import * as images from "./images.js";
import * as notices from "./notices.js";
import * as reveal from "./battle_reveal.js";
import * as view from "./conversation_view.js";
import * as pages from "./web_pages.js";
import { enter, now, path, phase, reset, send, start, trouble } from "./conversation.js";

async function vote(outcome) {
  if (now().phase !== "ready") return;
  steady();
  const { id } = now();
  notices.clear();
  enter("voting");
  view.chosen(outcome);
  const send = () => call("POST", path("/vote"), { body: { outcome, ...pages.ballot(now()) }, key: `${id}.${outcome}` });
  const answer = await deliver(kind.memory, { id, outcome, notice: "notice.unsent.vote" }, send, nothing);
  if (now().id !== id) return;
  const known = answer.ok ? answer.data : answer.problem.reveal;
  if (known) {
    revealed(known);
    view.focusReveal();
  }
  if (!answer.ok) {
    if (!known) enter("ready");
    trouble(answer);
  }
}

// The key keeps a vote that has arrived from being cast again.
const nothing = async () => null;

function revealed(known) {
  const names = { a: known.a.name, b: known.b.name };
  Object.assign(now(), { reveal: known, outcome: known.outcome, names });
  steady();
  enter("voted");
  view.say(t("say.revealed", names));
}

async function adopted(battle) {
  now().kind = battle.kind;
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
  // Models may have come or gone since the page was opened.
  greet(kind.name);
}

// Repeats the conversation with a new pair: each follow-up is sent once both have answered the previous prompt.
function same() {
  if (now().phase !== "voted") return;
  const [first, ...later] = now().turns.map((turn) => turn.prompt);
  images.take(now().turns[0].images ?? []);
  pages.choose(now().kind ?? "text");
  send(first, later);
}

function shown(state) {
  if (state.phase === "running") prove();
  reveal.show(state);
  pages.show(state);
}

const kind = {
  name: "battle",
  place: "/battles",
  memory: keeper("battle"),
  opening: pages.opening,
  followable: ({ phase }) => phase === "voted",
  controls,
  begin: () => pages.begin(phase),
  shown,
  adopted,
  names: () => null,
  acts: { vote, skip, new_round: skip, same_prompt: same },
};

export const attach = (trigger, ...events) => start(kind, trigger, events);
