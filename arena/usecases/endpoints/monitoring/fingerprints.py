"""Fingerprints: detection of an endpoint whose answers come from another model than at approval.

The same prompts are sent at approval and then once a day, in the form of a battle. Two odd samples in a row suspend the
endpoint; the second is taken an hour after the first.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.adapters.store import budgets, endpoints, leases, track_records
from arena.adapters.store.tables.endpoint_records import FingerprintRow
from arena.adapters.store.track_records import FingerprintState
from arena.calls.caller import ask_once
from arena.domain import fingerprint
from arena.domain.errors import ArenaError, KeyLost
from arena.domain.fingerprint import PREFIX, SUSPICIOUS, odd
from arena.domain.terms import EndpointState
from arena.usecases.endpoints.states import HEALTH, Action, Step, because, move
from arena_providers.errors import ProviderError, RequestRefused

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller

log = logging.getLogger(__name__)

PROMPTS: Final = (
    "Write one sentence about the sea.",
    "Name three things that one finds in a kitchen.",
    "Tell me a very short story about a fox.",
    "Why is the sky blue? Answer in one sentence.",
    "Give me a good title for a book about gardens.",
    "What would you take along to an island?",
    "Describe the colour red to somebody who cannot see.",
    "Invent a word and say what it means.",
    "How many legs do two spiders and one dog have together?",
    "Translate into French: The train is late again.",
    "用一句话描写春天的早晨。",
    "请说出三种水果，并各用一个词形容。",
    "给一家小面馆起个名字，并说明理由。",
    "为什么月亮有时圆有时缺？请用一句话回答。",
    "写一句鼓励正在备考的朋友的话。",
    "请用“桥”字造一个句子。",
    "一个人有十二个苹果，送出五个，又买了三个，还有几个？",
    "推荐一种周末的休闲活动，并说一个理由。",
    "把这句话翻译成英文：明天可能会下雨。",
    "讲一个关于猫的小笑话。",
)
"""Short prompts in both languages, some open and some with one answer, whose answers do not depend on the day."""
FIRST: Final = 8
"""Answers per prompt in the reference, with which all later samples of `NIGHTLY` answers are compared."""
NIGHTLY: Final = 4
CHECK_INTERVAL: Final = timedelta(days=1)
ODD_CHECK_INTERVAL: Final = timedelta(hours=1)
MAX_CHECKS: Final = 16
"""Number of endpoints that are asked at once, at most one of each owner."""
MAX_SECONDS: Final = 3_600.0
"""Time limit of one check."""
LEASE: Final = 7_200.0
"""Seconds after which another process may take over, or a failed check is repeated."""


@dataclass(slots=True)
class FingerprintChecks:
    """The fingerprints that one process takes.

    Attributes:
        taken: Number of those that the last round took.
        pauses: Why there is none of an endpoint for now, by name; of endpoints that are due and have a key.
    """

    caller: Caller
    rng: np.random.Generator
    taken: int = 0
    pauses: dict[str, str] = field(default_factory=dict[str, str])

    async def check_due(self, holder: str) -> list[str]:
        """Take the fingerprints that are due; returns the names of suspended endpoints.

        Endpoints of different owners are asked at once, those of one owner one after the other, and odd ones first. A
        lease per endpoint, held by `holder`, keeps two rounds in any processes from taking the same one.
        """
        queues = defaultdict[int, list[FingerprintState]](list)
        due = await self.caller.database.read(due_endpoints, self.caller.now())
        for state in due:
            queues[state.owner].append(state)
        places, names_due = asyncio.Semaphore(MAX_CHECKS), {state.name for state in due}
        self.taken, self.pauses = 0, {name: reason for name, reason in self.pauses.items() if name in names_due}

        async def check_each(states: Sequence[FingerprintState]) -> list[str]:
            names: list[str] = []
            for state in states:
                async with places:
                    names += await self._check_leased(state.endpoint, state.name, holder)
            return names

        suspended = await asyncio.gather(*map(check_each, queues.values()))
        return [name for names in suspended for name in names]

    async def _check_leased(self, number: int, name: str, holder: str) -> list[str]:
        """Check one endpoint if no other round does; returns its name if it was suspended."""
        lease, caller = f"fingerprint {number}", self.caller
        if await caller.database.write(leases.take, lease, holder, caller.now(), LEASE) is None:
            return []
        try:
            async with asyncio.timeout(MAX_SECONDS):
                is_complete, suspended = await _check(caller, number, self.rng)
        # The lease stays, so that a failing endpoint is asked again only after `LEASE`.
        except KeyLost as error:
            self.pauses.pop(name, None)
            log.warning("%s is left out of fingerprints: %s", name, error)
            return []
        except Exception as error:
            is_known = isinstance(error, ArenaError | ProviderError | TimeoutError)
            reason = self.pauses[name] = str(error) or "it took too long"
            log.warning("%s has no fingerprint now: %s", name, reason, exc_info=not is_known)
            return []
        if is_complete:
            self.taken += 1
            self.pauses.pop(name, None)
            await caller.database.write(leases.release, lease, holder, caller.now())
        else:
            self.pauses[name] = "it is not active any more, or its budget for today is spent"
        return [suspended] if suspended else []


async def _check(caller: Caller, number: int, rng: np.random.Generator) -> tuple[bool, str | None]:
    """Whether the check is complete, and the endpoint's name if it was suspended."""
    start = caller.now()
    if not await caller.database.read(_is_due, number, start):
        return True, None  # another process was faster
    reference = await caller.database.read(track_records.reference, number)
    answers = await _answers(caller, number, NIGHTLY if reference else FIRST)
    if answers is None:
        return False, None
    low = None
    if reference is not None:
        low = await asyncio.to_thread(fingerprint.p_value, reference.answers["answers"], answers, rng)
    row = FingerprintRow(endpoint_id=number, answers={"answers": answers}, p_value=low, created_at=caller.now())
    return True, await caller.database.write(_store, row, start)


async def _answers(caller: Caller, number: int, rounds: int) -> list[list[str]] | None:
    """The beginnings of `rounds` answers to every prompt; None if the endpoint is inactive or has no budget left.

    Raises:
        ProviderError: A call failed; a partial fingerprint could not be compared.
    """
    answers: list[list[str]] = [[] for _ in PROMPTS]
    for _ in range(rounds):
        for prompt, result in zip(PROMPTS, answers, strict=True):
            answer = await _answer(caller, number, prompt)
            if answer is None:
                return None
            result.append(answer)
    return answers


async def _answer(caller: Caller, number: int, prompt: str) -> str | None:
    """The beginning of an answer; empty for a refusal, which is part of a model's behaviour."""
    try:
        return await ask_once(caller, number, prompt, budgets.CHATS, enough=PREFIX)
    except RequestRefused:
        return ""


def due_endpoints(session: Session, now: datetime) -> list[FingerprintState]:
    """Endpoints whose last fingerprint is missing, a day old, or odd and an hour old; odd ones first."""
    states = track_records.fingerprint_states(session)
    due = [state for state in states if _is_late(state, now)]
    return sorted(due, key=lambda state: not state.is_odd)


def _is_due(session: Session, number: int, now: datetime) -> bool:
    return any(_is_late(state, now) for state in track_records.fingerprint_states(session, number))


def _is_late(state: FingerprintState, now: datetime) -> bool:
    return state.checked_at is None or now >= state.checked_at + (
        ODD_CHECK_INTERVAL if state.is_odd else CHECK_INTERVAL
    )


def _store(session: Session, fingerprint: FingerprintRow, start: datetime) -> str | None:
    """Store a fingerprint unless there is one since `start`; returns the endpoint's name if it was suspended."""
    row = endpoints.locked(session, fingerprint.endpoint_id)
    earlier = next(iter(track_records.fingerprints(session, fingerprint.endpoint_id, 1)), None)
    if row is None or row.state is not EndpointState.ACTIVE or (earlier and earlier.created_at > start):
        return None
    session.add(fingerprint)
    if earlier is None or not (odd(earlier.p_value) and odd(fingerprint.p_value)):
        return None
    reason = because("another_model", limit=SUSPICIOUS)
    move(session, row, Action.SUSPEND, Step(HEALTH, reason, fingerprint.created_at))
    return row.name
