// The pages of chats, side by side and with one model.

import { kind } from "./chat_kind.js";
import { start } from "./conversation.js";
import { pageSurface } from "./conversation_view.js";

start(kind, pageSurface());
