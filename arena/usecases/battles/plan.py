"""The plan of one turn: when it starts, and all that asking its endpoints takes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime, timedelta

    from arena.adapters.providers.base import Target
    from arena.adapters.store.conversations import AnyKind
    from arena.domain.terms import Message, Neighbourhood, Side


class Prompt(NamedTuple):
    """A prompt as it is stored: its text, and the ids of its images."""

    text: str
    images: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TurnStart:
    """The start of a turn: its time, how long it may run before it counts as lost, and the process that runs it."""

    now: datetime
    patience: timedelta
    process: str | None = None

    @property
    def deadline(self) -> datetime:
        """The time from which the sweeper fails the turn."""
        return self.now + self.patience

    @property
    def day(self) -> date:
        """The day (UTC) whose budget pays."""
        return self.now.astimezone(UTC).date()


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """All that a run needs, so that it holds no database session while the models talk.

    `reserved` are the tokens reserved on `day`, for each side whose endpoint has a cap; `place` is the neighbourhood in
    which a new battle was counted.
    """

    kind: AnyKind
    conversation_id: str
    turn_id: int
    number: int
    generation: int
    endpoints: dict[Side, int]
    targets: dict[Side, Target]
    messages: dict[Side, tuple[Message, ...]]
    day: date
    reserved: dict[Side, int]
    place: Neighbourhood | None = None
