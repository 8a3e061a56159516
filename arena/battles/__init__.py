"""Acts on battles. A battle is open until it is voted, abandoned by its voter, or void because a side failed.

Chats with models that were chosen by name run on the same engine; what is done with them is in `chats`.
"""

from __future__ import annotations

from arena.battles import chats
from arena.battles.acts import ask_again, ask_next, look, open_battle, skip, stop, watch
from arena.battles.reviving import revive
from arena.battles.stage import Pace, Stage
from arena.battles.sweep import sweep
from arena.battles.telling import tell_breakers

__all__ = [
    "Pace",
    "Stage",
    "ask_again",
    "ask_next",
    "chats",
    "look",
    "open_battle",
    "revive",
    "skip",
    "stop",
    "sweep",
    "tell_breakers",
    "watch",
]
