// The pages of chats of Gradio's components, whose lists of models a script fills.

import { beginChoice, kind } from "./chat_kind.js";
import { fillLists } from "./chat_models.js";
import { start, updateControls } from "./conversation.js";
import { gradioSurface } from "./gradio_surface.js";

export async function attach(trigger, ...events) {
  await start({ ...kind, onStart: undefined }, gradioSurface(trigger, events));
  if (await fillLists()) beginChoice();
  updateControls();
}
