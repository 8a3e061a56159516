"""Trying endpoints before their approval: three real questions by the way of a battle, and whose the host is.

The rows in state `probing` are the queue, so an order to probe is a step of an endpoint's life and nothing besides,
and what a stopped process has left is found by the next one.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, Final

from arena.endpoints import approving, faults, questions
from arena.endpoints.asking import Tried, ask
from arena.endpoints.hints import TELLING, better
from arena.endpoints.proving import proven
from arena.endpoints.states import HEALTH, Step, move
from arena.errors import ArenaError, KeyLost
from arena.store import endpoints, probes
from arena.store.tables import EndpointRow, ProbeRow
from arena.targets import target_of
from arena.terms import EndpointState, Message, Role

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.calls import Caller
    from arena.endpoints.rules import OwnerRules
    from arena.providers.base import Target
    from arena.providers.http import Client
    from arena.targets import Keys

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=15)
"""How long a process that has stopped keeps others from its probes."""
_SURE: Final = 1.0
"""Seconds beyond the time limit to connect after which an unreachable host is told, whatever kept it from answering."""
_HOPELESS: Final = frozenset({faults.UNREACHABLE, faults.KEY_WRONG, faults.KEY_MISSING, "unknown_dialect", "no_credit"})
"""Faults that the next question would meet too."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be probed."""

    target: Target
    challenge: str | None
    proven: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """What came of a probe."""

    tried: tuple[Tried, ...] = ()
    proof: bool | None = None
    problems: tuple[dict[str, str], ...] = ()
    https: bool = True

    @property
    def passed(self) -> bool:
        """Whether a battle would have worked, and the host is proven."""
        return bool(self.tried) and all(each.ok for each in self.tried) and self.proof is True

    def report(self) -> dict[str, Any]:
        """As it is stored and shown."""
        words = {each.fault for each in self.tried}
        reached = bool(self.tried) and faults.UNREACHABLE not in words
        secured = reached and not any(word and word.startswith("tls") for word in words)
        answered = None in words
        return {
            "reachable": reached,
            "tls": secured if reached and self.https else None,
            "auth": False if words & {faults.KEY_WRONG, faults.KEY_MISSING} else answered or None,
            "proof": self.proof,
            "prompts": [each.shown() for each in self.tried],
            "problems": list(self.problems),
        }


@dataclass(slots=True)
class Prober:
    """Probes what waits for it, a few endpoints at once and one of each owner.

    Attributes:
        caller: The providers, keys and time limits of battles.
        client: Fetches challenges.
        rules: How a passed probe leads on.
        at_once: Most probes at the same time.
        rng: Chooses the questions.
    """

    caller: Caller
    client: Client
    rules: OwnerRules
    at_once: int = 4
    rng: Random = field(default_factory=SystemRandom)
    _running: dict[int, asyncio.Task[None]] = field(default_factory=dict[int, "asyncio.Task[None]"])

    async def run(self, pause: float = 1.0) -> None:
        """Look for endpoints to probe every `pause` seconds until cancelled."""
        try:
            while True:
                try:
                    await self._look()
                except ArenaError as error:
                    log.warning("no probes can be begun now: %s", error)
                except Exception:
                    log.exception("no probes can be begun now")
                await asyncio.sleep(pause)
        finally:
            for task in self._running.values():
                task.cancel()
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def _look(self) -> None:
        if not await self.caller.database.read(probes.any_waiting):
            return
        now = self.caller.now()
        free = self.at_once - len(self._running)
        for number in await self.caller.database.write(probes.claim, list(self._running), free, now, now + LEASE):
            task = asyncio.create_task(self._probe(number), name=f"probe {number}")
            self._running[number] = task
            task.add_done_callback(lambda _task, number=number: self._running.pop(number, None))

    async def _probe(self, number: int) -> None:
        """Probe one endpoint and write down what came of it; what cannot be written is begun again later."""
        try:
            findings = await self._found(number)
            await self.caller.database.write(_finish, number, findings, self.rules, self.caller.now())
        except ArenaError as error:
            log.warning("the probe of endpoint %d is lost: %s", number, error)

    async def _found(self, number: int) -> Findings:
        try:
            order = await self.caller.database.read(_order, number, self.caller.keys)
            return await examine(self.caller, self.client, order, self.rng)
        except KeyLost as error:
            log.warning("endpoint %d: %s", number, error)
            return Findings(problems=(faults.problem("key_lost"),))
        except ArenaError:
            raise
        except Exception:
            log.exception("the probe of endpoint %d failed", number)
            return Findings(problems=(faults.problem("internal"),))


async def examine(caller: Caller, client: Client, order: Order, rng: Random) -> Findings:
    """Ask three questions, one after the other; look for the reason if they fail, and for a proof if they do not."""
    clock = asyncio.get_running_loop().time
    started = clock()
    tried = await _questioned(caller, order.target, rng)
    if any(each.fault == faults.UNREACHABLE for each in tried):
        await asyncio.sleep(started + caller.times.connect + _SURE - clock())
    problems = [faults.problem(word) for word in dict.fromkeys(each.fault for each in tried) if word]
    proof = None
    if problems:
        problems += await _hint(caller, order.target, tried, rng)
    else:
        question = questions.first("en", rng)
        proof = order.proven or await proven(caller, client, order.target, order.challenge, question)
        problems += [] if proof else [faults.problem(faults.UNPROVEN)]
        problems += [faults.problem(faults.WHOLE)] if any(each.whole for each in tried) else []
    return Findings(tried, proof, tuple(problems), order.target.url.startswith("https:"))


async def _questioned(caller: Caller, target: Target, rng: Random) -> tuple[Tried, ...]:
    """Chinese, English, and one more after an answer."""
    tried: list[Tried] = []
    talks: dict[str, tuple[Message, ...]] = {}
    for kind in ("zh", "en"):
        question = Message(Role.USER, questions.first(kind, rng))
        tried.append(await ask(caller, kind, target, (question,)))
        if tried[-1].fault in _HOPELESS:
            return tuple(tried)
        if tried[-1].ok:
            talks[kind] = (question, Message(Role.ASSISTANT, tried[-1].text))
    if talks:
        kind = rng.choice(sorted(talks))
        follow = Message(Role.USER, questions.following(kind, rng))
        tried.append(await ask(caller, "multi_turn", target, (*talks[kind], follow)))
    return tuple(tried)


async def _hint(caller: Caller, target: Target, tried: tuple[Tried, ...], rng: Random) -> list[dict[str, str]]:
    """Where the server would have answered, if it never did here and somewhere else does."""
    if not all(each.fault in TELLING for each in tried):
        return []
    other = await better(caller, target, questions.first("en", rng))
    return [] if other is None else [faults.problem(faults.LOOKS_LIKE, dialect=other.dialect, url=other.url)]


def _order(session: Session, number: int, keys: Keys) -> Order:
    row = session.get_one(EndpointRow, number)
    return Order(target_of(session, row, keys), row.challenge, row.proven_at is not None)


def _finish(session: Session, number: int, findings: Findings, rules: OwnerRules, now: datetime) -> None:
    """Keep the report and lead the endpoint on, unless somebody has led it elsewhere meanwhile."""
    row = endpoints.locked(session, number)
    if row is None:
        return
    session.add(ProbeRow(endpoint_id=number, passed=findings.passed, report=findings.report(), created_at=now))
    if findings.proof:
        row.proven_at = row.proven_at or now
    probes.release(session, number)
    if row.state is not EndpointState.PROBING:
        return
    if findings.passed:
        approving.passed(session, row, rules, HEALTH, now)
    else:
        why = findings.problems[0]["code"] if findings.problems else "unknown"
        move(session, row, EndpointState.DRAFT, Step(HEALTH, f"failed its probe: {why}", now))
