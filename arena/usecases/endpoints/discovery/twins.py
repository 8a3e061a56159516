"""Twins: two names of a proxy's list that may be one model, and the comparison of their answers.

Only names with the same last part, context and price count as twins, since the comparison costs calls.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from arena.calls.stream import ReceivedAnswer, receive
from arena.domain import fingerprint
from arena.domain.fingerprint import PREFIX, SUSPICIOUS
from arena.usecases.endpoints.monitoring.fingerprints import NIGHTLY, PROMPTS
from arena.usecases.endpoints.probes import diagnostics
from arena_providers.errors import ProviderError, RequestRefused
from arena_providers.terms import Message, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np

    from arena.calls.caller import Caller
    from arena.domain.model_lists import OfferedModel
    from arena_providers.base import Target

__all__ = ["CALLS", "SUSPICIOUS", "Twins", "TwinsResult", "compare_answers", "twins"]

CALLS: Final = 2 * len(PROMPTS) * NIGHTLY
"""Number of calls for the comparison of one pair."""
_AT_ONCE: Final = 8


@dataclass(frozen=True, slots=True)
class Twins:
    """Two names that may be one model."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class TwinsResult:
    """Comparison of the answers of twins: the p-value of one model giving both, or None and the problem.

    `problem` is a sentence, `code` its code.
    """

    first: str
    second: str
    p_value: float | None
    problem: str | None = None
    code: str | None = None


def twins(models: Iterable[OfferedModel]) -> Iterator[Twins]:
    """Each name with the first of the list that has the same last part, context and price, all of them known."""
    first: dict[tuple[object, ...], OfferedModel] = {}
    for model in models:
        if model.context_tokens is None or model.price_in is None or model.price_out is None:
            continue
        facts = (_last_part(model.wire_model), model.context_tokens, model.price_in, model.price_out)
        if (other := first.setdefault(facts, model)) is not model:
            yield Twins(other.wire_model, model.wire_model)


def _last_part(wire_model: str) -> str:
    return wire_model.rsplit("/", 1)[-1].removesuffix(":latest").casefold()


async def compare_answers(
    caller: Caller, pair: tuple[Target, Target], rng: np.random.Generator, step: Callable[[], None]
) -> TwinsResult:
    """Ask both names the prompts of fingerprints and compare their answers, with a call of `step` after each."""
    result = TwinsResult(pair[0].wire_model, pair[1].wire_model, None)
    try:
        first, second = [await _sample(caller, target, step) for target in pair]
    except* ProviderError as errors:
        word = diagnostics.code(errors.exceptions[0], has_key=pair[0].key is not None)
        result = replace(result, problem=diagnostics.TITLES[word], code=word)
    else:
        result = replace(result, p_value=await asyncio.to_thread(fingerprint.p_value, first, second, rng))
    return result


async def _sample(caller: Caller, target: Target, step: Callable[[], None]) -> list[list[str]]:
    """The beginnings of `NIGHTLY` answers to each prompt, empty for a refusal, from concurrent calls.

    Raises:
        ProviderError: A call has failed, or all were refused.
    """
    places, refusals = asyncio.Semaphore(_AT_ONCE), list[RequestRefused]()

    async def ask(prompt: str) -> str:
        async with places:
            answer = ReceivedAnswer()
            try:
                stream = caller.providers[target.dialect].stream(target, (Message(Role.USER, prompt),))
                await receive(stream, caller.times, answer, limit=PREFIX)
            except RequestRefused as error:
                refusals.append(error)
                return ""  # refusals are part of a model's behaviour
            finally:
                step()
            return answer.text

    async with asyncio.TaskGroup() as group:
        tasks = [[group.create_task(ask(prompt)) for _ in range(NIGHTLY)] for prompt in PROMPTS]
    if len(refusals) == len(PROMPTS) * NIGHTLY:
        raise refusals[0]  # without any answer there is nothing to compare
    return [[task.result() for task in row] for row in tasks]
