"""The probe of an endpoint that shall give likelihoods: some only pretend, and nonsense looks like numbers too."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from arena.adapters.providers.errors import BadReply

if TYPE_CHECKING:
    from arena.adapters.providers.base import LikelihoodProvider, Target

PROMPT: Final = "Question: Where does the sun rise?\nAnswer:"
SENTENCE: Final = " The sun rises in the east and sets in the west."
SHUFFLED: Final = " the in west sets and sun the east The rises in."
CLOSE: Final = 1e-3
"""Nats by which the same question may differ when it is asked again."""
MARGIN: Final = 0.5
"""Nats a character by which the sentence must beat its shuffled words; a model of 135 million parameters has 1.7."""


async def probe(provider: LikelihoodProvider, target: Target) -> None:
    """Return if the endpoint gives likelihoods that mean something.

    Raises:
        BadReply: It does not; the text says why.
        ProviderError: It cannot be asked.
    """
    first, again = [await provider.log_likelihoods(target, PROMPT, SENTENCE) for _ in range(2)]
    shuffled = await provider.log_likelihoods(target, PROMPT, SHUFFLED)
    for found, text in ((first, SENTENCE), (again, SENTENCE), (shuffled, SHUFFLED)):
        _check_form(found, text)
    if len(first) != len(again) or any(abs(a - b) > CLOSE for a, b in zip(first, again, strict=True)):
        raise _refused("asked twice, it gives two likelihoods")
    if sum(first) / len(SENTENCE) < sum(shuffled) / len(SHUFFLED) + MARGIN:
        raise _refused("a sentence is no likelier to it than its words in disorder")


def _check_form(found: list[float], text: str) -> None:
    if not len(text.split()) // 2 < len(found) <= len(text.encode()):
        raise _refused("its tokens are not those of the text")
    if not all(math.isfinite(value) and value <= 0 for value in found):
        raise _refused("not all its numbers are logarithms of probabilities")
    if len(set(found)) == 1:
        raise _refused("all tokens are equally likely to it")


def _refused(reason: str) -> BadReply:
    return BadReply(f"no likelihoods: {reason}", fault="no_likelihood")
