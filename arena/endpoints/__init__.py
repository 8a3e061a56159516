"""Acts on endpoints: the built-in ones, those an operator adds, and the states they go through."""

from __future__ import annotations

from arena.endpoints.builtin import Demo, settle_builtin
from arena.endpoints.registering import NewEndpoint, add
from arena.endpoints.states import HEALTH, OPERATOR, Step, move, set_state

__all__ = ["HEALTH", "OPERATOR", "Demo", "NewEndpoint", "Step", "add", "move", "set_state", "settle_builtin"]
