"""The gate in the worker: it judges new votes, closes past weeks, and appends decisions that have changed.

The caller's process reads and writes; the run is a pure function of columns in an executor.
"""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.adapters.store import decisions, endpoints, log_leaves, votes
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.integrity import DecisionRow, GateRunRow
from arena.usecases.integrity.origin_log import OriginLog
from arena.usecases.integrity.retention import start_of
from arena.usecases.integrity.stored_origins import run_stored, stored_effects
from arena_trust.integrity.cast_votes import WEEK
from arena_trust.integrity.gate import METHOD
from arena_trust.integrity.published_form import weeks_of
from arena_trust.integrity.verdicts import REASONS
from arena_trust.integrity.weights_in_force import ENDED, FULL_QUARTERS, GATE, WeightsInForce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.usecases.integrity.audit_file import Labels
    from arena.usecases.integrity.gate_run import GateRun
    from arena.usecases.integrity.stored_origins import StoredOrigins

MARGIN: Final = timedelta(minutes=10)
"""Time from the end of a week until it is closed, in which the last votes of the week are stored."""
DIGITS: Final = 4
"""Digits of a length up to which a log is judged: 99.9 % of it at least, 98.8 % of the votes on one of 24 models."""
NO_EFFECTS: Final = -1
"""In place of the number of a decision, if the effects on all votes are to be stored anew."""
PIECE: Final = 1_000
"""Maximum number of votes of one decision."""


@dataclass(slots=True)
class GateState:
    """State of a worker between runs: votes with origins, weights in force, and the last vote that has been judged.

    `length` is the number of votes with origins of the last run on all votes, `effects_until` the last decision
    whose effects are stored.
    """

    origins: OriginLog = field(default_factory=OriginLog)
    weights: WeightsInForce = field(default_factory=WeightsInForce)
    judged: int = 0
    length: int = 0
    effects_until: int = 0


def judged_length(votes: int) -> int:
    """How many of so many votes with origins are judged: the number to `DIGITS` digits.

    A run costs more the longer the log is, and one more vote changes hardly a decision. It depends on the log alone, so
    that a worker that starts anew makes the same decisions.
    """
    step = 10 ** max(0, len(str(votes)) - DIGITS)
    return votes // step * step


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Input of a run, see `run_gate`; `last` is the newest vote, `week` the Monday of a week to close.

    `weights` are in force by the decisions up to `decided`.
    """

    log: StoredOrigins
    judged: NDArray[np.bool_]
    last: int
    unlisted: list[str]
    weights: WeightsInForce
    decided: int
    week: date | None = None
    number: int | None = None
    length: int = 0
    labels: Labels = field(default_factory=dict[str, list[str]])

    def task(self, *, closed: bool) -> Callable[[], GateRun]:
        """The run as a function without arguments, for an executor."""
        options: dict[str, object] = {"labels": self.labels, "week": self.number, "weights": self.weights}
        return partial(run_stored, self.log, self.judged, closed=closed, **options)


async def judge(
    database: Database,
    state: GateState,
    *,
    executor: Executor,
    now: datetime,
    guard: Guard = unguarded,
    closed: bool = False,
) -> bool:
    """Close the weeks that are due, and judge the votes that there are now; returns whether it did either.

    Votes that arrive meanwhile wait for the next call, so it ends however many there are. See `decide`.
    """
    last, any_run = await database.read(votes.last_number), False
    while await decide(database, state, executor=executor, now=now, guard=guard, closed=closed):
        any_run = True
        if state.judged >= last:
            break
    return any_run


async def decide(
    database: Database,
    state: GateState,
    *,
    executor: Executor,
    now: datetime,
    guard: Guard = unguarded,
    closed: bool = False,
) -> bool:
    """Close the oldest week that is due, or judge all votes if there are new ones; returns whether it did either.

    `guard` runs in the transaction that appends; if it raises, nothing is stored. `closed` says that the operator
    declares the arena closed (see `run_gate`).
    """
    plan = await database.read(_plan, state, now)
    if isinstance(plan, int):
        state.judged = plan
        await _tell(database, state, executor, now, guard)
        return False
    run = await asyncio.get_running_loop().run_in_executor(executor, plan.task(closed=closed))
    state.effects_until = await database.write(_append, state, plan, run, now, guard)
    if plan.week is None:
        state.judged, state.length = plan.last, plan.length
    return True


async def _tell(database: Database, state: GateState, executor: Executor, now: datetime, guard: Guard) -> None:
    """Store the effects anew if an operator has decided, or a week was closed, since they were stored; no run."""
    decided = state.weights.last
    if not state.length or state.effects_until == decided:
        return
    plan = await database.read(_plan_of_all, state, state.length)
    task = partial(stored_effects, plan.log, plan.judged, state.weights.copy())
    result = await asyncio.get_running_loop().run_in_executor(executor, task)

    def store(session: Session) -> None:
        guard(session)
        if newest := decisions.newest_run(session):
            facts = {name: getattr(newest, name) for name in ("method", "awake", "networks", "established")}
            effects = {"boards": newest.boards | result, "last_vote": plan.last, "unlisted": plan.unlisted}
            row = GateRunRow(week=None, audit=None, last_decision=decided, created_at=now, **facts, **effects)
            decisions.renew_run(session, row)

    await database.write(store)
    state.effects_until = decided


def _plan(session: Session, state: GateState, now: datetime) -> _Plan | int:
    """The next run, or the number of the newest vote if there is nothing to judge up to it."""
    last = votes.last_number(session)
    state.origins.advance(session, last)
    decisions.apply(session, state.weights, decisions.last(session))
    week = _week_to_close(session, state, now)
    rows = state.origins.file.rows
    length = judged_length(len(rows))
    if week is None and (last <= state.judged or length == state.length):
        return last
    if week is None:
        plan = _plan_of_all(session, state, length)
        return plan if plan.judged.any() else last
    end = int(start_of(week).timestamp()) + WEEK
    plan = _plan_of(session, state, rows["second"] < end)
    labels = {name: list(state.origins.codes[name]) for name in ("since", "language", "check", "client")}
    return replace(plan, week=week, number=int(weeks_of(np.array([end]))[0]) - 1, labels=labels)


def _plan_of_all(session: Session, state: GateState, length: int) -> _Plan:
    return replace(_plan_of(session, state, slice(length)), length=length)


def _plan_of(session: Session, state: GateState, chosen: slice | NDArray[np.bool_]) -> _Plan:
    unlisted = endpoints.unlisted(session)
    names = {number: row.name for number, row in endpoints.by_id(session, state.origins.endpoints).items()}
    rows = state.origins.file.rows[chosen]
    judged = _is_judged(rows, list(unlisted), log_leaves.erased(session))
    unlisted_names = sorted(name for number, name in unlisted.items() if number in names)
    last = int(rows["number"].max(initial=0))
    return _Plan(state.origins.votes(names, chosen), judged, last, unlisted_names, state.weights, state.weights.last)


def _is_judged(rows: NDArray[np.void], unlisted: list[int], erased: list[int]) -> NDArray[np.bool_]:
    """Whether each vote is judged, bool [n]: on listed models and not erased, so that the export has it."""
    listed = [np.isin(rows[side], unlisted, invert=True) for side in ("a", "b")]
    return np.logical_and(*listed) & np.isin(rows["number"], erased, invert=True)


def _week_to_close(session: Session, state: GateState, now: datetime) -> date | None:
    """The Monday of the oldest week with votes that ended `MARGIN` ago or earlier and is not closed."""
    latest = int((now - MARGIN).timestamp())
    this_week = int(weeks_of(np.array([latest]))[0])
    past = sorted(week for week in state.origins.weeks if week < this_week)
    if not past:
        return None
    closed = set(decisions.closed_weeks(session))
    # Week 0 begins on Monday, 5 January 1970.
    mondays = [datetime.fromtimestamp(week * WEEK + 4 * 86_400, UTC).date() for week in past]
    return next((monday for monday in mondays if monday not in closed), None)


def _append(session: Session, state: GateState, plan: _Plan, run: GateRun, now: datetime, guard: Guard) -> int:
    """Append what the run decides, and store its effects; returns the last decision of which they tell."""
    guard(session)
    # An operator may have made decisions during the run.
    decisions.apply(session, state.weights, decisions.last(session))
    rows = list(_rows(run, state.weights, now))
    decisions.add(session, rows)
    last = rows[-1].number if rows else state.weights.last
    row = _run_row(plan, run, last, now)
    (decisions.add_run if rows or plan.week else decisions.renew_run)(session, row)
    if plan.week:
        return NO_EFFECTS
    return last if state.weights.last == plan.decided else plan.decided


def _run_row(plan: _Plan, run: GateRun, last_decision: int, now: datetime) -> GateRunRow:
    notes = {"preliminary": run.preliminary, "undecided": run.undecided, "bounds": run.bounds}
    return GateRunRow(
        week=plan.week,
        last_vote=plan.last,
        last_decision=last_decision,
        method=METHOD,
        unlisted=plan.unlisted,
        awake=run.awake,
        networks=run.networks,
        established=run.established,
        boards={**run.effects, "voters": run.voters, **notes},
        audit=None if run.audit is None else gzip.compress(run.audit, mtime=0),
        created_at=now,
    )


def _rows(run: GateRun, weights: WeightsInForce, now: datetime) -> Iterator[DecisionRow]:
    """Decisions on the votes whose weight or reason is not the one in force, by weight, reason and finding."""
    changed = weights.differing(run.numbers, run.quarters, run.reason, REASONS)
    keys = np.stack([run.quarters[changed], run.reason[changed], run.finding[changed]], axis=1)
    kinds, kind = np.unique(keys, axis=0, return_inverse=True)
    for number, (quarters, reason, finding) in enumerate(kinds.tolist()):
        numbers = run.numbers[changed[kind.reshape(-1) == number]].tolist()
        for start in range(0, len(numbers), PIECE):
            yield DecisionRow(
                quarters=quarters,
                reason=ENDED if quarters == FULL_QUARTERS else REASONS[reason],
                method=METHOD,
                votes=numbers[start : start + PIECE],
                finding=_finding_facts(run, finding),
                by=GATE,
                created_at=now,
            )


def _finding_facts(run: GateRun, finding: int) -> dict[str, str | float] | None:
    if finding < 0:
        return None
    division, model, z = run.findings[finding]
    return {"division": division, "model": model, "z": round(z, 2)}
