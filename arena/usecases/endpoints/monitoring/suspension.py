"""Suspension of endpoints that fail too often; otherwise an owner could avoid losses by failing on hard prompts.

An endpoint that has never answered is suspended much sooner, because all its battles are void.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoints, track_records
from arena.domain.terms import EndpointState
from arena.usecases.endpoints.probes.examination import examine_endpoint
from arena.usecases.endpoints.states import HEALTH, Action, StateReason, Step, because, move
from arena_providers.errors import ContextTooLong, RequestRefused, UnknownDialect, UnknownFinish

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime
    from random import Random

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.usecases.endpoints.probes.examination import Findings
    from arena_providers.transport.http_client import HttpClient

CALLS: Final = 200
"""Number of newest calls that are judged; an endpoint with fewer is not."""
FIRST: Final = 10
"""Number of calls of a new endpoint, at least one of which must be answered."""
MAX_PROBES: Final = 20
"""Number of probes that run at once; a server that stalls uses up the time limit of each."""
OVERLAP: Final = 500
"""Number of replies that the next search looks at again, since some become visible late on PostgreSQL."""
FAILED: Final = 0.05
"""Largest share of failures other than refusals."""
UNKNOWN_FINISHES: Final = 3
"""Number of answers that ended for an unknown reason, of the newest `RECENT`, that suspends."""
RECENT: Final = 50
REFUSED: Final = 0.20
"""Largest share of refusals; it is higher, since hostile voters can write prompts that are refused."""

_ARENA_ERRORS: Final = ("internal", UnknownDialect.kind)
_REFUSALS: Final = frozenset({RequestRefused.kind, ContextTooLong.kind})


@dataclass(slots=True)
class FailureSearch:
    """State of one process between searches for endpoints whose calls fail.

    Attributes:
        spared: Endpoints that answer by now, though all of their calls were refused.
        newest: Id of the newest reply that was looked at.
    """

    spared: set[int] = field(default_factory=set[int])
    newest: int = 0

    def after(self, newest: int) -> int | None:
        """The id above which replies are to be looked at, of those up to `newest`; None if none is new.

        What is missed at the start of a process is found by its next failure, since active endpoints are called.
        """
        return None if newest <= self.newest else (self.newest or newest) - OVERLAP


@dataclass(frozen=True, slots=True)
class _Judgement:
    """A share of errors above its limit, and the most frequent error."""

    share: float
    limit: float
    commonest: str

    @property
    def reason(self) -> StateReason:
        return because("failing", share=self.share, calls=CALLS, most=self.limit, error=self.commonest)


async def suspend_failing(database: Database, numbers: Collection[int], now: datetime) -> list[str]:
    """Suspend every active endpoint of these whose share of errors is too high; returns their names.

    `numbers` are the endpoints with new battles in the published figures: the calls of all others were judged before.
    `now` is the time of these figures: a suspension is public, and must not tell more than they do.
    """
    failing = await database.read(_failing, numbers, now)
    return await database.write(_suspend, failing, now) if failing else []


async def suspend_mute(
    caller: Caller, client: HttpClient, search: FailureSearch, rng: Random, seconds: float
) -> list[tuple[str, str]]:
    """Suspend every active endpoint that has failed in all of its calls, ten or more; returns names and reasons.

    Only endpoints that have failed since the last search are looked at. Each is probed first, to find the cause. One
    that passes and has failed by refusals only, which voters may have caused, is spared instead. None of this waits for
    published figures: all battles of such an endpoint are void, so its suspension reveals nothing about a vote.
    """
    newest = await caller.database.read(track_records.newest_reply)
    if (after := search.after(newest)) is None:
        return []
    places = asyncio.Semaphore(MAX_PROBES)

    async def judge(number: int, kinds: Collection[str]) -> tuple[str, str] | None:
        async with places:
            findings = await examine_endpoint(caller, client, number, rng, seconds, trusted=True)
        if findings.passed and _REFUSALS.issuperset(kinds):
            search.spared.add(number)
            return None
        return await caller.database.write(_suspend_mute, number, findings, caller.now())

    mute = await caller.database.read(_mute, after, search.spared)
    suspended = await asyncio.gather(*(judge(number, kinds) for number, kinds in mute.items()))
    search.newest = newest
    return list(filter(None, suspended))


async def suspend_unknown_finishes(database: Database, search: FailureSearch, now: datetime) -> list[tuple[str, str]]:
    """Suspend every active endpoint some of whose answers ended for an unknown reason; returns names and reasons.

    Only endpoints that have failed since the last search are looked at. Each of these answers may be cut, and nobody
    could tell, so it is a failure. None of this waits for published figures: the battles of these answers are void, so
    the suspension reveals nothing about a vote.
    """
    newest = await database.read(track_records.newest_reply)
    if (after := search.after(newest)) is None:
        return []
    numbers = await database.read(_unknown_finishes, after)
    suspended = await database.write(_suspend_unknown_finishes, numbers, now) if numbers else []
    search.newest = newest
    return suspended


def _unknown_finishes(session: Session, after: int) -> list[int]:
    return [number for number in _failing_after(session, after) if _unknown_word(session, number)]


def _failing_after(session: Session, after: int) -> list[int]:
    """The active endpoints, practice models apart, with failed replies above id `after`."""
    rows = endpoints.by_id(session, set(track_records.failing_after(session, after, _ARENA_ERRORS))).values()
    return [row.id for row in rows if row.state is EndpointState.ACTIVE and not row.demo]


def _unknown_word(session: Session, number: int) -> str | None:
    """The newest unknown reason of an endpoint with `UNKNOWN_FINISHES` of them; None for all others."""
    errors = track_records.errors(session, number, but=_ARENA_ERRORS, limit=RECENT)
    words = [error.partition(":")[2] for error in errors if error and error.startswith(f"{UnknownFinish.kind}:")]
    return words[0] if len(words) >= UNKNOWN_FINISHES else None


def _suspend_unknown_finishes(session: Session, numbers: Sequence[int], now: datetime) -> list[tuple[str, str]]:
    """Suspend these endpoints, except those whose state or results have changed since the read."""
    suspended: list[tuple[str, str]] = []
    for number in numbers:
        row, word = endpoints.locked(session, number), _unknown_word(session, number)
        if row is not None and row.state is EndpointState.ACTIVE and word:
            reason = because("unknown_finish", calls=UNKNOWN_FINISHES, word=word)
            move(session, row, Action.SUSPEND, Step(HEALTH, reason, now))
            suspended.append((row.name, reason.text))
    return suspended


def _mute(session: Session, after: int, spared: Collection[int]) -> dict[int, set[str]]:
    """Kinds of errors by endpoint, for endpoints with failed replies above id `after` that have never answered."""
    candidates = set(_failing_after(session, after)).difference(spared)
    results = {number: _never_answered(session, number) for number in candidates}
    return {number: kinds for number, kinds in results.items() if kinds}


def _never_answered(session: Session, number: int) -> set[str]:
    """Kinds of errors of an endpoint without an answer in `FIRST` to `CALLS` calls; empty for all others."""
    for limit in (FIRST, CALLS):  # the short query suffices for most endpoints
        errors = track_records.errors(session, number, but=_ARENA_ERRORS, limit=limit)
        if len(errors) < FIRST or None in errors:
            return set()
    return {_kind(error) for error in errors if error is not None}


def _kind(error: str) -> str:
    """The kind of a stored error, without the word of an unknown finish reason."""
    return error.partition(":")[0]


def _suspend_mute(session: Session, number: int, findings: Findings, now: datetime) -> tuple[str, str] | None:
    """Suspend, unless the endpoint's state or results have changed since the read."""
    row = endpoints.locked(session, number)
    if row is None or row.state is not EndpointState.ACTIVE or not (kinds := _never_answered(session, number)):
        return None
    if findings.wrong:
        reason = because("mute", calls=FIRST, problem=findings.problems[0]["code"], why=findings.wrong)
    else:
        reason = because("mute_before", calls=FIRST, error=sorted(kinds))
    move(session, row, Action.SUSPEND, Step(HEALTH, reason, now))
    return row.name, reason.text


def _failing(session: Session, numbers: Collection[int], now: datetime) -> list[int]:
    rows = endpoints.by_id(session, numbers).values()
    return sorted(_judgements(session, [row.id for row in rows if row.state is EndpointState.ACTIVE], now))


def _suspend(session: Session, numbers: Sequence[int], now: datetime) -> list[str]:
    """Suspend these endpoints, except those whose state or results have changed since the read."""
    names: list[str] = []
    for number in numbers:
        row = endpoints.locked(session, number)
        judgement = _judgements(session, [number], now).get(number)
        if row is not None and row.state is EndpointState.ACTIVE and judgement:
            move(session, row, Action.SUSPEND, Step(HEALTH, judgement.reason, now))
            names.append(row.name)
    return names


def _judgements(session: Session, numbers: Collection[int], now: datetime) -> dict[int, _Judgement]:
    """The reasons to suspend endpoints, of those for which there is one."""
    counts = track_records.error_counts(session, numbers, but=_ARENA_ERRORS, limit=CALLS, until=now)
    judgements = {number: _judgement(results) for number, results in counts.items()}
    return {number: judgement for number, judgement in judgements.items() if judgement}


def _judgement(results: Counter[str | None]) -> _Judgement | None:
    """The reason to suspend an endpoint with these results, if there is one."""
    kinds = Counter[str]()
    for error, count in results.items():
        kinds.update({_kind(error): count} if error is not None else {})
    refusals = Counter({kind: count for kind, count in kinds.items() if kind in _REFUSALS})
    for counts, limit in ((kinds - refusals, FAILED), (refusals, REFUSED)):
        if (share := counts.total() / results.total()) > limit:
            return _Judgement(share, limit, counts.most_common(1)[0][0])
    return None
