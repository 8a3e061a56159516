// The state of text box and buttons, in plain values that a surface shows (see conversation.js).

import { t } from "./texts.js";

export const LIMIT = 12000;
const REGENERATIONS = 3;
const TURNS = 20;

/** @typedef {{ isVisible: boolean, isEnabled?: boolean, text?: string }} Button */
/** @typedef {{ box: { placeholder: string, value?: string }, isVoteOpen: boolean, buttons: Record<string, Button> }} Controls */

export const repeatable = ({ phase, turns }) => phase === "ready" && (turns.at(-1).generation ?? 0) < REGENERATIONS;

const isFull = ({ phase, turns }) => phase === "ready" && turns.length >= TURNS;

function placeholder(state, over) {
  if (isFull(state)) return t("prompt.last");
  return t(over ? "prompt.again" : state.phase === "empty" ? "prompt.placeholder" : "prompt.follow");
}

// What all pages have; a page adds its own buttons.
/** @type {(state: any, over: boolean, options: { value?: string, blocked: boolean }) => Controls} */
export function controls(state, over, { value, blocked }) {
  const sendable = (over || ["empty", "ready"].includes(state.phase)) && !isFull(state) && !blocked;
  return {
    box: { placeholder: placeholder(state, over), value },
    isVoteOpen: state.phase === "ready",
    buttons: {
      send: { isVisible: state.phase !== "running", isEnabled: sendable, text: t(over ? "send.next" : "send") },
      stop: { isVisible: state.phase === "running", isEnabled: !state.stopped },
      regenerate: { isVisible: repeatable(state) },
    },
  };
}
