// The battle page.

import { kind } from "./battle_kind.js";
import { start } from "./conversation.js";
import { pageSurface } from "./conversation_view.js";
import { localizeTimes } from "./texts.js";

start(kind, pageSurface());
localizeTimes(document);
