// What Gradio's two listeners ask of the engine: the messages of both columns, and the state of box and buttons.

import { literal, neutralise } from "./neutralise.js";
import { t } from "./texts.js";

export const SIDES = ["a", "b"];
export const LIMIT = 12000;
export const OUTCOMES = ["a", "tie", "both_bad", "b"];
const REGENERATIONS = 3;
const TURNS = 20;

const message = (role, text) => ({ role, content: [{ type: "text", text }], metadata: null, options: null });

export function columns(turns) {
  return SIDES.map((side) =>
    turns.flatMap((turn) => {
      const answer = turn.answers[side];
      const asked = message("user", literal(turn.prompt));
      return answer ? [asked, message("assistant", neutralise(answer))] : [asked];
    }),
  );
}

export const repeatable = ({ phase, turns }) => phase === "ready" && (turns.at(-1).generation ?? 0) < REGENERATIONS;

const full = ({ phase, turns }) => phase === "ready" && turns.length >= TURNS;

function placeholder(state, over) {
  if (full(state)) return t("prompt.last");
  return t(over ? "prompt.again" : state.phase === "empty" ? "prompt.placeholder" : "prompt.follow");
}

// In the order of the listener's outputs: box, votes, send, stop, regenerate, skip, same prompt, new round.
export function controls(state, { value, blocked }) {
  const { phase, turns } = state;
  const update = (values) => ({ __type__: "update", ...values });
  const tool = (shown, values = {}) => update({ visible: shown ? true : "hidden", interactive: true, ...values });
  const over = phase === "voted" || phase === "void";
  const box = { placeholder: placeholder(state, over) };
  if (value !== undefined) box.value = value;
  const sendable = ["empty", "ready", "voted", "void"].includes(phase) && !full(state) && !blocked;
  return [
    update(box),
    ...OUTCOMES.map(() => update({ interactive: phase === "ready" })),
    update({ interactive: sendable, visible: phase === "running" ? "hidden" : true, value: t(over ? "send.next" : "send") }),
    tool(phase === "running", { interactive: !state.stopped }),
    tool(repeatable(state)),
    tool(phase === "ready" || phase === "running"),
    tool(phase === "voted", { value: t(turns.length > 1 ? "same_prompts" : "same_prompt") }),
    tool(over),
  ];
}
