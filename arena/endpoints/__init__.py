"""Acts on endpoints: the built-in ones, those an operator adds, those of owners, and the states they go through."""

from __future__ import annotations

from arena.endpoints.addressing import address, open_presets
from arena.endpoints.approving import approve, number_of
from arena.endpoints.builtin import Demo, settle_builtin
from arena.endpoints.fingerprints import check_due
from arena.endpoints.listing import list_settled
from arena.endpoints.owning import By, drop_key, probe, register, set_key, steer
from arena.endpoints.probing import Prober
from arena.endpoints.registering import NewEndpoint, add
from arena.endpoints.rules import OwnerRules
from arena.endpoints.states import HEALTH, OPERATOR, Step, move, set_state
from arena.endpoints.stats import CALLS
from arena.endpoints.suspending import suspend_failing
from arena.endpoints.versions import change
from arena.endpoints.views import detail, view

__all__ = [
    "CALLS",
    "HEALTH",
    "OPERATOR",
    "By",
    "Demo",
    "NewEndpoint",
    "OwnerRules",
    "Prober",
    "Step",
    "add",
    "address",
    "approve",
    "change",
    "check_due",
    "detail",
    "drop_key",
    "list_settled",
    "move",
    "number_of",
    "open_presets",
    "probe",
    "register",
    "set_key",
    "set_state",
    "settle_builtin",
    "steer",
    "suspend_failing",
    "view",
]
