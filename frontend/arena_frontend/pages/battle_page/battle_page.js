// The battle page.

import { kind } from "./battle_kind.js";
import { start } from "./conversation.js";
import { pageSurface } from "./page_surface.js";
import { localizeTimes } from "./texts.js";

start(kind, pageSurface());
localizeTimes(document);
