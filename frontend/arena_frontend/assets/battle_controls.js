// Text box and buttons of a battle.

import { controls as common, tool } from "./conversation_controls.js";
import { t } from "./texts.js";

// After the common buttons: skip, same prompt, new round.
export function controls(state, given) {
  const { phase, turns } = state;
  const over = phase === "voted" || phase === "void";
  return [
    ...common(state, over, given),
    tool(phase === "ready" || phase === "running"),
    tool(phase === "voted", { value: t(turns.length > 1 ? "same_prompts" : "same_prompt") }),
    tool(over),
  ];
}
