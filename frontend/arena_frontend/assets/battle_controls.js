// Text box and buttons of a battle.

import { controls as common, tool } from "./conversation_controls.js";
import { t } from "./texts.js";
import { wanted } from "./web_pages.js";

// After the common buttons: skip, same prompt, new round.
export function controls(state, given) {
  const { phase, turns } = state;
  const over = phase === "voted" || phase === "void";
  const [box, ...others] = common(state, over, given);
  if (phase === "empty" && wanted()) box.placeholder = t("web.placeholder");
  return [
    box,
    ...others,
    tool(phase === "ready" || phase === "running"),
    tool(phase === "voted", { value: t(turns.length > 1 ? "same_prompts" : "same_prompt") }),
    tool(over),
  ];
}
