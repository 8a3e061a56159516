"""Suspension of endpoints that fail too often; otherwise an owner could avoid losses by failing on hard prompts.

An endpoint that has never answered is suspended much sooner, because every battle it is drawn for is void.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoints, track_records
from arena.domain.terms import EndpointState
from arena.usecases.endpoints.probes.examination import examine_endpoint
from arena.usecases.endpoints.states import HEALTH, Action, StateReason, Step, because, move
from arena_providers.errors import ContextTooLong, RequestRefused, UnknownDialect

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from random import Random

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.usecases.endpoints.probes.examination import Findings
    from arena_providers.transport.http_client import HttpClient

CALLS: Final = 200
"""Newest calls that are examined; an endpoint with fewer is not judged."""
FIRST: Final = 10
"""The first calls, of which one at least must be answered."""
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
    def reason(self) -> StateReason:
        return because("failing", share=self.share, calls=CALLS, most=self.limit, error=self.commonest)


async def suspend_failing(database: Database, now: datetime) -> list[str]:
    """Suspend every active endpoint whose share of errors is too high; returns their names.

    A suspension is public, so it is due when figures are published and not before.
    """
    failing = await database.read(_failing, now)
    return await database.write(_suspend, failing, now) if failing else []


async def suspend_mute(
    caller: Caller, client: HttpClient, spared: set[int], rng: Random, seconds: float
) -> list[tuple[str, str]]:
    """Suspend every active endpoint that has failed in all its calls, the first ten at least; returns names and why.

    Each is examined first, which tells what is wrong. One that passes and has failed by refusals only is spared, and
    noted among the `spared`: voters may have brought that about. This waits for no step: the battles of one that has
    never answered are all void, so there is no vote that its suspension could tell anything about.
    """
    suspended: list[tuple[str, str]] = []
    for number, kinds in (await caller.database.read(_mute)).items():
        if number in spared:
            continue
        findings = await examine_endpoint(caller, client, number, rng, seconds, trusted=True)
        if findings.passed and kinds <= _REFUSALS:
            spared.add(number)
        elif suspension := await caller.database.write(_suspend_mute, number, findings, caller.now()):
            suspended.append(suspension)
    return suspended


def _mute(session: Session) -> dict[int, set[str]]:
    """Kinds of errors, by endpoint, of those that have never answered."""
    results = {row.id: _never_answered(session, row.id) for row in endpoints.active(session) if not row.demo}
    return {number: kinds for number, kinds in results.items() if kinds}


def _never_answered(session: Session, number: int) -> set[str]:
    for limit in (FIRST, CALLS):  # most have answered one of the newest
        errors = track_records.errors(session, number, but=_OURS, limit=limit)
        if len(errors) < FIRST or None in errors:
            return set()
    return {error for error in errors if error is not None}


def _suspend_mute(session: Session, number: int, findings: Findings, now: datetime) -> tuple[str, str] | None:
    """Checked again in this transaction: operator, owner or another process may have acted meanwhile."""
    row = endpoints.locked(session, number)
    if row is None or row.state is not EndpointState.ACTIVE or not (kinds := _never_answered(session, number)):
        return None
    if findings.wrong:
        reason = because("mute", calls=FIRST, problem=findings.problems[0]["code"], why=findings.wrong)
    else:
        reason = because("mute_before", calls=FIRST, error=sorted(kinds))
    move(session, row, Action.SUSPEND, Step(HEALTH, reason, now))
    return row.name, reason.text


def _failing(session: Session, now: datetime) -> list[int]:
    return [row.id for row in endpoints.active(session) if _judged(session, row.id, now)]


def _suspend(session: Session, numbers: Sequence[int], now: datetime) -> list[str]:
    """Checked again in this transaction, because another process may have acted meanwhile."""
    names: list[str] = []
    for number in numbers:
        row = endpoints.locked(session, number)
        judged = _judged(session, number, now)
        if row is not None and row.state is EndpointState.ACTIVE and judged:
            move(session, row, Action.SUSPEND, Step(HEALTH, judged.reason, now))
            names.append(row.name)
    return names


def _judged(session: Session, number: int, now: datetime) -> _Judgement | None:
    """The reason to suspend an endpoint, if there is one."""
    errors = track_records.errors(session, number, but=_OURS, limit=CALLS, until=now)
    if len(errors) < CALLS:
        return None
    kinds = Counter(error for error in errors if error is not None)
    refused = Counter({kind: count for kind, count in kinds.items() if kind in _REFUSALS})
    for counted, limit in ((kinds - refused, FAILED), (refused, REFUSED)):
        if (share := counted.total() / len(errors)) > limit:
            return _Judgement(share, limit, counted.most_common(1)[0][0])
    return None
