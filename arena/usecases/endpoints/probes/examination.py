"""Probe of an endpoint: questions in the form of a battle, the cause if they fail, and proof of control of its host."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls.targets import target_of
from arena.domain.blinding.identity.disclosure import NO_NAMES, OwnNames
from arena.domain.errors import ArenaError, KeyLost
from arena.domain.labels.refusals import declines
from arena.domain.terms import JsonObject
from arena.usecases.endpoints.definition import disclosing_names
from arena.usecases.endpoints.probes import diagnostics, eye_test, mark_remarks
from arena.usecases.endpoints.probes.probe_calls import (
    Tried,
    ask,
    follow_up_question,
    host_proven,
    hurried,
    opening_question,
)
from arena.usecases.endpoints.probes.stream_checks import (
    answers_whole,
    is_at_limit,
    is_cumulative,
    is_cut,
    loses_text,
    only_answer,
    states_no_reason,
)
from arena_providers.registry import WIRE
from arena_providers.terms import Message, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena.calls.targets import Keys
    from arena_providers.base import Target
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

_FOLLOW_UP: Final = "multi_turn"
_VISION: Final = "vision"
_OPENINGS: Final = ("zh", "en")
"""Languages of the first questions."""
SECONDS: Final = 60.0
"""Time limit of a whole probe, since slow servers delay all others in the queue."""
_QUESTIONS: Final = 0.75
"""Share of the time for questions; the rest is for hints or a proof."""
_MARGIN: Final = 1.0
"""Seconds after the connect limit at which an unreachable host is reported, so that the time hides the cause."""
_HOPELESS: Final = frozenset(
    {diagnostics.UNREACHABLE, diagnostics.KEY_WRONG, diagnostics.KEY_MISSING, "unknown_dialect", "no_credit"}
)
_OWN_CAUSES: Final = frozenset({diagnostics.REFUSED, "server_error"})
"""Faults of servers that know the path, so that what they say comes before a hint at another dialect."""
_TIME_FAULTS: Final = frozenset({"slow_start", "stalled", "too_slow", "too_long"})
_FINAL: Final = _HOPELESS | _TIME_FAULTS
"""Faults after which no further question is asked: it would fail too, or the time is used up."""


@dataclass(frozen=True, slots=True)
class Order:
    """A target to probe, with its challenge; `vision` says that it claims to read images.

    `languages`: ISO 639-1 codes in which it answers; empty means any. `names` are those that disclose it.
    """

    target: Target
    challenge: str | None
    proven: bool
    vision: bool = False
    languages: Sequence[str] = ()
    names: OwnNames = NO_NAMES

    @property
    def kinds(self) -> tuple[str, ...]:
        """The questions to ask: in English if the model says to answer in neither language of the questions."""
        openings = [kind for kind in _OPENINGS if kind in (self.languages or _OPENINGS)]
        return (*(openings or ["en"]), _FOLLOW_UP, *([_VISION] if self.vision else []))


@dataclass(frozen=True, slots=True)
class Findings:
    """Result of a probe."""

    tried: tuple[Tried, ...] = ()
    proof: bool | None = None
    problems: tuple[dict[str, str], ...] = ()
    https: bool = True
    keyed: bool = True

    @property
    def unopened(self) -> bool:
        """Whether an answer closed reasoning that it had not opened."""
        return any(trial.unopened for trial in self.tried)

    @property
    def passed(self) -> bool:
        """Whether all questions were answered and the host is proven."""
        return bool(self.tried) and all(trial.ok for trial in self.tried) and self.proof is True

    @property
    def wrong(self) -> str:
        """The first problem as part of a sentence; empty if there is none."""
        if self.passed or not self.problems:
            return ""
        if problem := self._other_dialect:
            return f"the server answers at {problem['url']} as {problem['dialect']}, and not as it is registered"
        title = self.problems[0]["title"].removesuffix(".")
        return title[:1].lower() + title[1:]

    @property
    def quotation(self) -> str:
        """The server's own words about the first problem, as part of a sentence; for the owner of the key only."""
        is_named = self.passed or self._other_dialect or not self.problems
        words = "" if is_named else self.problems[0].get("words")
        return f" (the server says: “{words}”)" if words else ""

    @property
    def _other_dialect(self) -> dict[str, str] | None:
        """The hint at another dialect or address, unless a server that refuses or fails states a cause of its own."""
        if not self.problems or self.problems[0]["code"] in _OWN_CAUSES:
            return None
        return next((problem for problem in self.problems if problem["code"] == diagnostics.LOOKS_LIKE), None)

    def report(self) -> JsonObject:
        """The report in its stored and public form."""
        words = {trial.fault for trial in self.tried}
        is_reachable = bool(self.tried) and diagnostics.UNREACHABLE not in words
        has_tls = is_reachable and not any(word and word.startswith("tls") for word in words)
        is_taken = self.keyed and None in words
        return {
            "reachable": is_reachable,
            "tls": has_tls if is_reachable and self.https else None,
            "auth": False if words & {diagnostics.KEY_WRONG, diagnostics.KEY_MISSING} else is_taken or None,
            "proof": self.proof,
            "prompts": [trial.report_entry() for trial in self.tried],
            "problems": list(self.problems),
        }


async def examine(caller: Caller, client: HttpClient, order: Order, rng: Random, seconds: float = SECONDS) -> Findings:
    """Ask the questions in turn; look for the cause if one fails, else for a proof of control of the host."""
    clock = asyncio.get_running_loop().time
    start = clock()
    tried = await _ask_questions(caller, order, rng, start + _QUESTIONS * seconds)
    if any(trial.fault == diagnostics.UNREACHABLE for trial in tried):
        await asyncio.sleep(start + caller.times.connect + _MARGIN - clock())
    problems = _faults(order.target, tried)
    proof, remarks = None, list[str]()
    with suppress(TimeoutError):
        async with asyncio.timeout_at(start + seconds):
            if problems:
                problems += await _hint(caller, order.target, tried, rng)
            else:
                proof = False
                proof = order.proven or await host_proven(
                    caller, client, order.target, order.challenge, opening_question("en", rng)
                )
                if proof and await loses_text(caller, order.target, tried):
                    remarks.append(diagnostics.LOSES_TEXT)
    if proof is not None:
        problems += [] if proof else [diagnostics.problem(diagnostics.UNPROVEN)]
        problems += [diagnostics.problem(diagnostics.UNHEARD)] if len(tried) < len(order.kinds) else []
        problems += [diagnostics.problem(diagnostics.ONE_PIECE)] if any(trial.whole for trial in tried) else []
        remarks += [diagnostics.CUMULATIVE] if any(map(is_cumulative, tried)) else []
        remarks += [diagnostics.NO_REASON] if states_no_reason(tried) else []
        remarks += [diagnostics.ALL_CUT] if all(map(is_at_limit, tried)) else []
        remarks += [diagnostics.TOO_MUCH_TEXT] if any(map(is_cut, tried)) else []
        remarks += [diagnostics.NAMES_ITSELF] if order.names.disclosed_by(trial.text for trial in tried) else []
        problems += map(diagnostics.problem, remarks)
        all_decline = bool(tried) and all(declines(trial.text) for trial in tried)
        problems += [diagnostics.problem(diagnostics.REFUSING)] if all_decline else []
    problems += mark_remarks.remarks(tried)
    if not problems and (text := only_answer(tried)):
        problems.append(diagnostics.problem(diagnostics.SAME_ANSWER, answer=text))
    target = order.target
    return Findings(tried, proof, tuple(problems), target.url.startswith("https:"), target.key is not None)


def _faults(target: Target, tried: tuple[Tried, ...]) -> list[dict[str, str]]:
    """A problem for each fault, with the server's own words at the first answer that had it."""
    words = {trial.fault: trial.words for trial in reversed(tried) if trial.fault}

    def entry(word: str) -> dict[str, str]:
        is_away = word == diagnostics.UNREACHABLE
        return diagnostics.unreachable(target.url) if is_away else diagnostics.quoted(word, words[word])

    return [entry(word) for word in dict.fromkeys(trial.fault for trial in tried) if word]


async def _ask_questions(caller: Caller, order: Order, rng: Random, until: float) -> tuple[Tried, ...]:
    """Answers to a question in each language, a follow-up and perhaps one about an image, until that time."""
    clock = asyncio.get_running_loop().time
    tried: list[Tried] = []
    talks: dict[str, tuple[Message, ...]] = {}
    for kind in order.kinds:
        if clock() >= until or (kind == _FOLLOW_UP and not talks):
            break
        messages, number = _messages(kind, talks, rng)
        trial = await ask(hurried(caller, until - clock()), kind, order.target, messages)
        if kind == _VISION:
            trial.fault = _vision_fault(trial, number)
        if tried and not trial.ok and clock() >= until:
            break  # the probe's own time limit ended this answer
        tried.append(trial)
        if trial.fault in _FINAL:
            break
        if trial.ok:
            talks[kind] = (*messages, Message(Role.ASSISTANT, trial.text))
    return tuple(tried)


def _messages(kind: str, talks: Mapping[str, tuple[Message, ...]], rng: Random) -> tuple[tuple[Message, ...], str]:
    """The messages of a question, and the number in its image, if it has one."""
    if kind == _VISION:
        question, number = eye_test.ask(rng)
        return (question,), number
    if kind != _FOLLOW_UP:
        return (Message(Role.USER, opening_question(kind, rng)),), ""
    earlier = rng.choice(sorted(talks))
    return (*talks[earlier], Message(Role.USER, follow_up_question(earlier, rng))), ""


def _vision_fault(tried: Tried, number: str) -> str | None:
    """The fault of an answer about an image; a refused request counts as blind."""
    if tried.fault == diagnostics.REFUSED or (tried.ok and not eye_test.names(tried.text, number)):
        return diagnostics.BLIND
    return tried.fault


async def _hint(caller: Caller, target: Target, tried: tuple[Tried, ...], rng: Random) -> list[dict[str, str]]:
    """A problem with a dialect or base address that works, if all questions failed as with wrong ones.

    Many servers answer in several dialects: where an answer came in the registered one, its own fault is the cause.
    """
    if not all(trial.fault in TELLING for trial in tried) or any(trial.has_form for trial in tried):
        return []
    if any(trial.fault == diagnostics.NO_STREAM for trial in tried) and await answers_whole(caller, target, tried[0]):
        return []
    other = await better(caller, target, opening_question("en", rng))
    return [] if other is None else [diagnostics.problem(diagnostics.LOOKS_LIKE, dialect=other.dialect, url=other.url)]


async def examine_endpoint(
    caller: Caller, client: HttpClient, number: int, rng: Random, seconds: float = SECONDS, *, trusted: bool = False
) -> Findings:
    """Probe a registered endpoint; with `trusted` it needs no proof.

    Raises:
        ArenaError: It could not be read.
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
    proven, names = row.proven_at is not None, disclosing_names(row, row.aliases)
    return Order(target_of(session, row, keys), row.challenge, proven, row.vision, row.languages, names)


TELLING: Final = frozenset(
    {"not_found", "wrong_form", "web_page", diagnostics.NO_STREAM, "cut_short", "empty", *_OWN_CAUSES}
)
"""Faults that a wrong dialect or base address may cause."""
_VERSION: Final = "/v1"
_CALL: Final = re.compile(r"/(?:chat/completions|completions|responses|messages|models|api/(?:chat|generate|tags))\Z")
"""The end of an address of one call, which people copy in place of the base address."""


async def better(caller: Caller, target: Target, question: str) -> Target | None:
    """The first target with another dialect or base address that answers, each asked once with short time limits."""
    limits = caller.times
    quick = replace(caller, times=replace(limits, first_token=min(limits.first_token, 10), total=30))
    for other in _others(target):
        if (await ask(quick, "en", other, (Message(Role.USER, question),))).ok:
            return other
    return None


def _others(target: Target) -> Iterator[Target]:
    address = target.url.rstrip("/")
    base = _CALL.sub("", address)
    urls = [base, base.removesuffix(_VERSION) if base.endswith(_VERSION) else base + _VERSION]
    for dialect in dict.fromkeys([target.dialect, *WIRE]):
        for url in urls:
            if (dialect, url) != (target.dialect, address):
                yield replace(target, dialect=dialect, url=url)
