// Outputs of Gradio's two listeners: the messages of the columns, and the state of text box and buttons.

import { literal, parts } from "./sanitiser.js";
import { OUTCOMES, SIDES } from "./sides.js";
import { t } from "./texts.js";

export const LIMIT = 12000;
const REGENERATIONS = 3;
const TURNS = 20;

const message = (role, ...texts) => ({ role, content: texts.map((text) => ({ type: "text", text })), metadata: null, options: null });

// The answers of the last turn may be `growing`. Each block of an answer is a text of its own, which Gradio renders once.
export function columns(turns, links, growing = false) {
  return SIDES.map((side) =>
    turns.flatMap((turn) => {
      const answer = turn.answers[side];
      const prompt = message("user", literal(turn.prompt));
      return answer ? [prompt, message("assistant", ...parts(answer, { links, growing: growing && turn === turns.at(-1) }))] : [prompt];
    }),
  );
}

export const repeatable = ({ phase, turns }) => phase === "ready" && (turns.at(-1).generation ?? 0) < REGENERATIONS;

const isFull = ({ phase, turns }) => phase === "ready" && turns.length >= TURNS;

function placeholder(state, over) {
  if (isFull(state)) return t("prompt.last");
  return t(over ? "prompt.again" : state.phase === "empty" ? "prompt.placeholder" : "prompt.follow");
}

export const update = (values) => ({ __type__: "update", ...values });
export const tool = (isVisible, values = {}) => update({ visible: isVisible ? true : "hidden", interactive: true, ...values });

// In the order of the listener's outputs: text box, votes, send, stop, regenerate; then a page's own tools.
export function controls(state, over, { value, blocked }) {
  const box = { placeholder: placeholder(state, over) };
  if (value !== undefined) box.value = value;
  const sendable = (over || ["empty", "ready"].includes(state.phase)) && !isFull(state) && !blocked;
  return [
    update(box),
    ...OUTCOMES.map(() => update({ interactive: state.phase === "ready" })),
    update({ interactive: sendable, visible: state.phase === "running" ? "hidden" : true, value: t(over ? "send.next" : "send") }),
    tool(state.phase === "running", { interactive: !state.stopped }),
    tool(repeatable(state)),
  ];
}
