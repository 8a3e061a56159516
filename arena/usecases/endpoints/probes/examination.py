"""Probe of an endpoint: questions asked as a battle asks them, the cause if they fail, and proof of the host."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls.targets import target_of
from arena.domain.errors import ArenaError, KeyLost
from arena.domain.labels.refusals import declines
from arena.domain.terms import JsonObject
from arena.usecases.endpoints.probes import diagnostics, eye_test
from arena.usecases.endpoints.probes.probe_calls import (
    Tried,
    ask,
    follow_up_question,
    host_proven,
    hurried,
    opening_question,
)
from arena_providers.registry import WIRE
from arena_providers.terms import Message, Role

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena.calls.targets import Keys
    from arena_providers.base import Target
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

_FOLLOWING: Final = "multi_turn"
_SEEING: Final = "vision"
_KINDS: Final = ("zh", "en", _FOLLOWING)
SECONDS: Final = 60.0
"""Time limit of a whole probe; slow or silent servers hold up all others in the queue."""
_QUESTIONS: Final = 0.75
"""The part of it in which questions are answered; the rest is for hints, or for a proof."""
_SURE: Final = 1.0
"""Seconds beyond the time limit to connect after which an unreachable host is told, whatever kept it from answering."""
_HOPELESS: Final = frozenset(
    {diagnostics.UNREACHABLE, diagnostics.KEY_WRONG, diagnostics.KEY_MISSING, "unknown_dialect", "no_credit"}
)
_LATE: Final = frozenset({"slow_start", "stalled", "too_slow", "too_long"})
_LAST: Final = _HOPELESS | _LATE
"""Faults that the next question would meet too, or that have taken too much time for another one."""


@dataclass(frozen=True, slots=True)
class Order:
    """A target to probe, with its challenge; `vision` says that it claims to see images."""

    target: Target
    challenge: str | None
    proven: bool
    vision: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The questions to ask."""
        return (*_KINDS, _SEEING) if self.vision else _KINDS


@dataclass(frozen=True, slots=True)
class Findings:
    """Result of a probe."""

    tried: tuple[Tried, ...] = ()
    proof: bool | None = None
    problems: tuple[dict[str, str], ...] = ()
    https: bool = True

    @property
    def passed(self) -> bool:
        """True if a battle would have worked and the host is proven."""
        return bool(self.tried) and all(trial.ok for trial in self.tried) and self.proof is True

    @property
    def wrong(self) -> str:
        """The first problem as part of a sentence; empty if there is none."""
        if self.passed or not self.problems:
            return ""
        for problem in self.problems:
            if problem["code"] == diagnostics.LOOKS_LIKE:
                return f"the server answers at {problem['url']} as {problem['dialect']}, and not as it is registered"
        title = self.problems[0]["title"].removesuffix(".")
        return title[:1].lower() + title[1:]

    def report(self) -> JsonObject:
        """As it is stored and shown."""
        words = {trial.fault for trial in self.tried}
        reached = bool(self.tried) and diagnostics.UNREACHABLE not in words
        secured = reached and not any(word and word.startswith("tls") for word in words)
        answered = None in words
        return {
            "reachable": reached,
            "tls": secured if reached and self.https else None,
            "auth": False if words & {diagnostics.KEY_WRONG, diagnostics.KEY_MISSING} else answered or None,
            "proof": self.proof,
            "prompts": [trial.report_entry() for trial in self.tried],
            "problems": list(self.problems),
        }


async def examine(caller: Caller, client: HttpClient, order: Order, rng: Random, seconds: float = SECONDS) -> Findings:
    """Ask the questions, one after the other; look for the reason if they fail, and for a proof if they do not."""
    clock = asyncio.get_running_loop().time
    started = clock()
    tried = await _questioned(caller, order, rng, started + _QUESTIONS * seconds)
    if any(trial.fault == diagnostics.UNREACHABLE for trial in tried):
        await asyncio.sleep(started + caller.times.connect + _SURE - clock())
    problems = [diagnostics.problem(word) for word in dict.fromkeys(trial.fault for trial in tried) if word]
    proof = None
    with suppress(TimeoutError):
        async with asyncio.timeout_at(started + seconds):
            if problems:
                problems += await _hint(caller, order.target, tried, rng)
            else:
                proof = False
                proof = order.proven or await _proven(caller, client, order, rng)
    if proof is not None:
        problems += [] if proof else [diagnostics.problem(diagnostics.UNPROVEN)]
        problems += [diagnostics.problem(diagnostics.UNHEARD)] if len(tried) < len(order.kinds) else []
        problems += [diagnostics.problem(diagnostics.WHOLE)] if any(trial.whole for trial in tried) else []
        declined = bool(tried) and all(declines(trial.text) for trial in tried)
        problems += [diagnostics.problem(diagnostics.REFUSING)] if declined else []
    return Findings(tried, proof, tuple(problems), order.target.url.startswith("https:"))


async def _questioned(caller: Caller, order: Order, rng: Random, until: float) -> tuple[Tried, ...]:
    """Chinese, English, one more after an answer, and one about an image, as far as there is time."""
    clock = asyncio.get_running_loop().time
    tried: list[Tried] = []
    talks: dict[str, tuple[Message, ...]] = {}
    for kind in order.kinds:
        if clock() >= until or (kind == _FOLLOWING and not talks):
            break
        messages, number = _messages(kind, talks, rng)
        one = await ask(hurried(caller, until - clock()), kind, order.target, messages)
        if kind == _SEEING:
            one.fault = _sight(one, number)
        if tried and not one.ok and clock() >= until:
            break  # it was the probe that ended this one
        tried.append(one)
        if one.fault in _LAST:
            break
        if one.ok:
            talks[kind] = (*messages, Message(Role.ASSISTANT, one.text))
    return tuple(tried)


def _messages(kind: str, talks: Mapping[str, tuple[Message, ...]], rng: Random) -> tuple[tuple[Message, ...], str]:
    """The messages of a question, and the number in its image."""
    if kind == _SEEING:
        question, number = eye_test.ask(rng)
        return (question,), number
    if kind != _FOLLOWING:
        return (Message(Role.USER, opening_question(kind, rng)),), ""
    earlier = rng.choice(sorted(talks))
    return (*talks[earlier], Message(Role.USER, follow_up_question(earlier, rng))), ""


def _sight(tried: Tried, number: str) -> str | None:
    """The fault of an answer about an image; servers of models that see none refuse the request."""
    if tried.fault == diagnostics.REFUSED or (tried.ok and not eye_test.names(tried.text, number)):
        return diagnostics.BLIND
    return tried.fault


async def _proven(caller: Caller, client: HttpClient, order: Order, rng: Random) -> bool:
    return await host_proven(caller, client, order.target, order.challenge, opening_question("en", rng))


async def _hint(caller: Caller, target: Target, tried: tuple[Tried, ...], rng: Random) -> list[dict[str, str]]:
    """A dialect or base address that works, if none of the questions was answered as registered."""
    if not all(trial.fault in TELLING for trial in tried):
        return []
    other = await better(caller, target, opening_question("en", rng))
    return [] if other is None else [diagnostics.problem(diagnostics.LOOKS_LIKE, dialect=other.dialect, url=other.url)]


async def examine_endpoint(
    caller: Caller, client: HttpClient, number: int, rng: Random, seconds: float = SECONDS, *, trusted: bool = False
) -> Findings:
    """Examine a registered endpoint; one that is trusted needs no proof.

    Raises:
        ArenaError: It could not be looked up.
    """
    try:
        order = await caller.database.read(_order, number, caller.keys)
        return await examine(caller, client, replace(order, proven=order.proven or trusted), rng, seconds)
    except KeyLost as error:
        log.warning("endpoint %d: %s", number, error)
        return Findings(problems=(diagnostics.problem("key_lost"),))
    except ArenaError:
        raise
    except Exception:
        log.exception("the probe of endpoint %d failed", number)
        return Findings(problems=(diagnostics.problem("internal"),))


def _order(session: Session, number: int, keys: Keys) -> Order:
    row = session.get_one(EndpointRow, number)
    return Order(target_of(session, row, keys), row.challenge, row.proven_at is not None, row.vision)


TELLING: Final = frozenset(
    {"not_found", "wrong_form", "web_page", "no_stream", "cut_short", "empty", "request_refused", "server_error"}
)
"""Faults that a wrong dialect or base address has."""
_VERSION: Final = "/v1"


async def better(caller: Caller, target: Target, question: str) -> Target | None:
    """The first that answers, if any; asked once each, and given little time."""
    limits = caller.times
    quick = replace(caller, times=replace(limits, first_token=min(limits.first_token, 10), total=30))
    for other in _others(target):
        if (await ask(quick, "en", other, (Message(Role.USER, question),))).ok:
            return other
    return None


def _others(target: Target) -> Iterator[Target]:
    base = target.url.rstrip("/")
    urls = [base, base.removesuffix(_VERSION) if base.endswith(_VERSION) else base + _VERSION]
    for dialect in dict.fromkeys([target.dialect, *WIRE]):
        for url in urls:
            if (dialect, url) != (target.dialect, base):
                yield replace(target, dialect=dialect, url=url)
