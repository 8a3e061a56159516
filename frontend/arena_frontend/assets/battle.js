// The battle page of Gradio's components.

import { kind } from "./battle_kind.js";
import { start } from "./conversation.js";
import { gradioSurface } from "./gradio_surface.js";

export const attach = (trigger, ...events) => start(kind, gradioSurface(trigger, events));
