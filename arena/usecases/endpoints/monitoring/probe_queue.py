"""Queue of probes before approval, run concurrently.

The endpoints in state `probing` are the queue, so the next process continues the probes of a stopped one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from arena.adapters.background import cancel
from arena.adapters.store import endpoint_states, endpoints
from arena.adapters.store.tables.endpoint_records import ProbeRow
from arena.domain.errors import ArenaError
from arena.domain.terms import EndpointState
from arena.usecases.endpoints import approval
from arena.usecases.endpoints.probes import diagnostics
from arena.usecases.endpoints.probes.examination import SECONDS, Findings, examine_endpoint
from arena.usecases.endpoints.states import HEALTH, Action, Step, because, move

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena.usecases.endpoints.ownership import OwnerRules
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=15)
"""Time after which other processes take over the probes of a stopped one."""
MAX_LOST: Final = 3
"""Probes of an endpoint in a row whose report could not be made or stored, after which this process asks it no more."""


@dataclass(slots=True)
class Prober:
    """Probes queued endpoints concurrently: one of each owner, and more while half of the places are free.

    Attributes:
        caller: The providers, keys and time limits of battles.
        client: Fetches challenges.
        rules: Say how endpoints are approved.
        at_once: Maximum number of concurrent probes; each has one connection and one answer in memory.
        seconds: Time limit of a probe.
        rng: Chooses the questions.
    """

    caller: Caller
    client: HttpClient
    rules: OwnerRules
    at_once: int = 40
    seconds: float = SECONDS
    rng: Random = field(default_factory=SystemRandom)
    _running: dict[int, asyncio.Task[None]] = field(default_factory=dict[int, "asyncio.Task[None]"])
    _lost: Counter[int] = field(default_factory=Counter[int])

    async def start(self) -> int:
        """Start the probes of queued endpoints; returns how many."""
        if not await self.caller.database.read(endpoint_states.any_probing):
            return 0
        now = self.caller.now()
        free = self.at_once - len(self._running)
        claimed = await self.caller.database.write(
            endpoint_states.claim_probes, list(self._running), free, now, now + LEASE, spare=self.at_once // 2
        )
        for number in claimed:
            task = asyncio.create_task(self._probe(number), name=f"probe {number}")
            self._running[number] = task
            task.add_done_callback(lambda _task, number=number: self._running.pop(number, None))
        return len(claimed)

    async def end(self) -> None:
        """Cancel all probes; other processes take them over."""
        await cancel(list(self._running.values()))

    async def _probe(self, number: int) -> None:
        """Probe one endpoint and store the report; if that fails, the endpoint stays in the queue.

        After `MAX_LOST` lost probes it is not asked again: its report says that the arena failed.
        """
        try:
            findings = Findings(problems=(diagnostics.problem("internal"),))
            if self._lost[number] < MAX_LOST:
                findings = await examine_endpoint(self.caller, self.client, number, self.rng, self.seconds)
            await self.caller.database.write(_finish, number, findings, self.rules, self.caller.now())
            del self._lost[number]
        except Exception as error:
            self._lost[number] += 1
            is_known = isinstance(error, ArenaError)
            log.warning("the probe of endpoint %d is lost: %s", number, error, exc_info=not is_known)


def _finish(session: Session, number: int, findings: Findings, rules: OwnerRules, now: datetime) -> None:
    """Store the report and move the endpoint to its next state, unless it is no longer being probed."""
    row = endpoints.locked(session, number)
    if row is None:
        return
    session.add(ProbeRow(endpoint_id=number, passed=findings.passed, report=findings.report(), created_at=now))
    if findings.proof:
        row.proven_at = row.proven_at or now
    row.unopened = findings.unopened or (row.unopened and not findings.passed)
    endpoint_states.release_probe(session, number)
    if row.state is not EndpointState.PROBING:
        return
    if findings.passed:
        approval.passed(session, row, rules, HEALTH, now)
    else:
        why = findings.problems[0]["code"] if findings.problems else "unknown"
        move(session, row, Action.FAIL, Step(HEALTH, because("failed", problem=why), now))
