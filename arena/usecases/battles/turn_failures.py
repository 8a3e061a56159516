"""Failures of turns: their words as they are stored, and the event that tells the voter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.errors import ShuttingDown, StoreUnavailable
from arena.domain.schemas.battles import TurnFailedEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.errors import ArenaError
    from arena.domain.terms import Side

ANSWER_FAILED: Final = TurnFailedEvent(
    code="answer_failed",
    title="The models could not both answer, so this round does not count. Please start a new one.",
)
CHAT_FAILED: Final = TurnFailedEvent(
    code="answer_failed", title="A model could not answer, so this chat has ended. Please start a new one."
)
STOPPED_EARLY: Final = TurnFailedEvent(code="stopped_early", title="Stopped before the answers had begun.")
STOPPED: Final = "stopped"
SHUTTING_DOWN: Final = "shutting_down"
LOST: Final = "lost"
"""Failure of a turn whose process has died."""


def _event(error: type[ArenaError]) -> TurnFailedEvent:
    return TurnFailedEvent(code=error.code, title=error.title)


_EVENTS: Final = {
    STOPPED: STOPPED_EARLY,
    SHUTTING_DOWN: _event(ShuttingDown),
    LOST: _event(ShuttingDown),
    StoreUnavailable.code: _event(StoreUnavailable),
}
"""Events of failures that are not the models', by the stored failure."""


def failed_event(failure: str | None, failed: Sequence[Side] = ()) -> TurnFailedEvent:
    """The event of a failed turn, live and after a reload; all failures of models in a battle have the same.

    Only in a chat, where the names are known, may it have the sides that `failed`.
    """
    of_models = CHAT_FAILED.model_copy(update={"failed": list(failed)}) if failed else ANSWER_FAILED
    return _EVENTS.get(failure or "", of_models)
