"""Endpoints: registration by owners and the operator, built-in ones, versions, probes, approval and states."""

from __future__ import annotations

from arena.usecases.endpoints.approval import approve, approve_changes, number_of, refuse_changes, set_abilities
from arena.usecases.endpoints.builtin import Demo, settle_builtin
from arena.usecases.endpoints.definition import address, count_in_others, list_settled, open_presets, warnings
from arena.usecases.endpoints.figures import CALLS, measured, publish_figures, published
from arena.usecases.endpoints.monitoring import Prober, check_due, suspend_failing, suspend_mute
from arena.usecases.endpoints.ownership import By, OwnerRules, drop_key, probe, set_key, steer
from arena.usecases.endpoints.registration import NewEndpoint, probe_new, register_as_operator, register_as_owner
from arena.usecases.endpoints.states import HEALTH, OPERATOR, Step, because, move, operator_step, set_state
from arena.usecases.endpoints.uses import allow_use, choose_use, forbid_use
from arena.usecases.endpoints.versions import change
from arena.usecases.endpoints.views import detail, probe_results, view

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
    "address",
    "allow_use",
    "approve",
    "approve_changes",
    "because",
    "change",
    "check_due",
    "choose_use",
    "count_in_others",
    "detail",
    "drop_key",
    "forbid_use",
    "list_settled",
    "measured",
    "move",
    "number_of",
    "open_presets",
    "operator_step",
    "probe",
    "probe_new",
    "probe_results",
    "publish_figures",
    "published",
    "refuse_changes",
    "register_as_operator",
    "register_as_owner",
    "set_abilities",
    "set_key",
    "set_state",
    "settle_builtin",
    "steer",
    "suspend_failing",
    "suspend_mute",
    "view",
    "warnings",
]
