"""Acts on battles. A battle is open until it is voted, abandoned by its voter, or void because a side failed.

Chats with models chosen by name run on the same engine; their acts are in `chats`.
"""

from __future__ import annotations

from arena.domain.blinding.pacing import Pace
from arena.usecases.battles import chats
from arena.usecases.battles.battles import ask_again, ask_next, look, open_battle, skip, stop, watch
from arena.usecases.battles.breakers import recover, report_breakers
from arena.usecases.battles.runtime import Runtime
from arena.usecases.battles.sweeper import sweep

__all__ = [
    "Pace",
    "Runtime",
    "ask_again",
    "ask_next",
    "chats",
    "look",
    "open_battle",
    "recover",
    "report_breakers",
    "skip",
    "stop",
    "sweep",
    "watch",
]
