"""Taking out of battles who fails too often; an owner could else dodge losses by failing where it is hard."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.endpoints.states import HEALTH, Step, move
from arena.providers.errors import ContextTooLong, RequestRefused, UnknownDialect
from arena.store import endpoints, standing
from arena.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.store.engine import Database

CALLS: Final = 200
"""The newest calls that are looked at; with fewer, nobody is judged."""
FAILED: Final = 0.05
REFUSED: Final = 0.20
"""Refusals depend on what voters write, so a voter with a grudge could bring about some."""

_OURS: Final = ("internal", UnknownDialect.kind)
_REFUSALS: Final = frozenset({RequestRefused.kind, ContextTooLong.kind})


@dataclass(frozen=True, slots=True)
class _Judgement:
    share: float
    limit: float
    commonest: str

    @property
    def reason(self) -> str:
        return (
            f"{self.share:.1%} of the last {CALLS} calls failed, more than {self.limit:.0%};"
            f" most often with {self.commonest}"
        )


async def suspend_failing(database: Database, now: datetime) -> list[str]:
    """Suspend every active endpoint whose share of errors is too high; returns their names."""
    failing = await database.read(_failing)
    return await database.write(_suspend, failing, now) if failing else []


def _failing(session: Session) -> list[int]:
    return [row.id for row in endpoints.active(session) if _judged(session, row.id)]


def _suspend(session: Session, numbers: Sequence[int], now: datetime) -> list[str]:
    """By what this transaction sees: somebody may have been quicker."""
    names: list[str] = []
    for number in numbers:
        row = endpoints.locked(session, number)
        judged = _judged(session, number)
        if row is not None and row.state is EndpointState.ACTIVE and judged:
            move(session, row, EndpointState.SUSPENDED, Step(HEALTH, judged.reason, now))
            names.append(row.name)
    return names


def _judged(session: Session, number: int) -> _Judgement | None:
    """What speaks against an endpoint, if anything does."""
    errors = standing.errors(session, number, but=_OURS, limit=CALLS)
    if len(errors) < CALLS:
        return None
    kinds = Counter(error for error in errors if error is not None)
    refused = Counter({kind: count for kind, count in kinds.items() if kind in _REFUSALS})
    for counted, limit in ((kinds - refused, FAILED), (refused, REFUSED)):
        if (share := counted.total() / len(errors)) > limit:
            return _Judgement(share, limit, counted.most_common(1)[0][0])
    return None
