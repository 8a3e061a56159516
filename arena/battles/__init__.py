"""Acts on battles. A battle is open until it is voted, abandoned by its voter, or void because a side failed."""

from __future__ import annotations

from arena.battles.acts import ask_again, ask_next, look, open_battle, skip, stop, watch
from arena.battles.reviving import revive
from arena.battles.stage import Pace, Stage
from arena.battles.sweep import sweep

__all__ = ["Pace", "Stage", "ask_again", "ask_next", "look", "open_battle", "revive", "skip", "stop", "sweep", "watch"]
