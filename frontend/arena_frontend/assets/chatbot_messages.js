// A conversation as the messages of Gradio's Chatbots.

import { literal, parts } from "./sanitiser.js";
import { SIDES } from "./shell.js";

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
