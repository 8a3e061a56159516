// Text box and buttons of a battle.

import { controls as common, tool } from "./conversation_controls.js";
import { t } from "./texts.js";
import { isOfPages } from "./web_pages.js";

// After the common buttons: skip, same prompt, new round.
export function controls(state, options) {
  const { phase, turns } = state;
  const over = phase === "voted" || phase === "void";
  const [box, ...buttons] = common(state, over, options);
  if (phase === "empty" && isOfPages()) box.placeholder = t("web.placeholder");
  return [
    box,
    ...buttons,
    tool(phase === "ready" || phase === "running"),
    tool(phase === "voted", { value: t(turns.length > 1 ? "same_prompts" : "same_prompt") }),
    tool(over),
  ];
}
