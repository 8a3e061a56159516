"""Rows of the operator's table of endpoints: their order, their acts and their warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.terms import EndpointState
from arena_frontend.pages.sentences import fault, pending_changes, reason

if TYPE_CHECKING:
    from arena.domain.schemas.endpoints import EndpointView, OperatedSummaryView
    from arena_frontend.texts import Texts

__all__ = ["abilities", "is_imported", "open_acts", "pending_changes", "place", "why"]

_ORDER: Final = ("pending", "suspended", "active", "paused", "probing", "draft", "retired")
_NEW: Final = frozenset({EndpointState.DRAFT, EndpointState.PENDING})
_LIVE: Final = frozenset({EndpointState.PENDING, EndpointState.ACTIVE, EndpointState.PAUSED})
_ANY: Final = _LIVE | {EndpointState.DRAFT, EndpointState.SUSPENDED}
_OUT: Final = frozenset({EndpointState.PAUSED, EndpointState.SUSPENDED, EndpointState.RETIRED})
_ACTS: Final = {
    "approve": frozenset({EndpointState.PENDING}),
    "resume": frozenset({EndpointState.PAUSED, EndpointState.SUSPENDED}),
    "languages": _ANY,
    "vision": _ANY,
    "pause": frozenset({EndpointState.ACTIVE}),
    "suspend": _LIVE,
    "retire": _ANY,
}
"""Of each act the states in which it is available."""


def is_imported(view: OperatedSummaryView) -> bool:
    """Return whether a model is known by imported votes alone: nobody can act on it here."""
    return view.state is EndpointState.IMPORTED


def place(view: OperatedSummaryView) -> tuple[int, str]:
    """Return the key of the table's order: what waits for approval first, then by state and name."""
    return 0 if view.pending else _ORDER.index(view.state), view.name.casefold()


def open_acts(view: OperatedSummaryView, *, keyless: bool = False) -> list[str]:
    """List the acts that are available, by their names in texts; one paused by a setting or for want of a key stays."""
    stays = keyless or view.on_standby
    pending = ["approve_changes", "refuse_changes"] if view.pending else []
    return pending + [act for act, states in _ACTS.items() if view.state in states and not (stays and act == "resume")]


def abilities(words: Texts, view: EndpointView) -> str:
    """Return the languages that an endpoint can answer, and whether it sees images."""
    return " · ".join([words.languages(view.languages), *([words["op.vision.sees"]] if view.vision else [])])


def why(words: Texts, view: OperatedSummaryView) -> str:
    """Return the reason of its state: the setting, what the last probe met, or that of a change.

    Of what takes no part any more it is the change that set the state, of others the newest one.
    """
    if view.on_standby:
        return words["op.standby"]
    probe = max(reversed(view.probes), key=lambda probe: probe.at, default=None)
    problems = probe.report.get("problems") if probe and view.state in _NEW else None
    if problems:
        return fault(words, problems[0])
    newest = max(reversed(view.changes), key=lambda change: (change.at, change.number), default=None)
    change = view.last_move or newest if view.state in _OUT else newest
    return reason(words, change.code, change.params, change.reason) if change else ""
