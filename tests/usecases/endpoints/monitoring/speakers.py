"""Models that answer at random, each from a vocabulary of its own, for tests that compare samples of answers."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from arena_providers.base import Chunk
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from arena_providers.base import Target
    from arena_providers.terms import Message

NAMES: Final = ("poet", "essayist", "clerk", "mirror", "librarian", "chain", "parrot", "accountant")
_SYLLABLES: Final = ("ka", "lo", "mi", "ren", "tu", "shi", "vo", "pel", "an", "dor", "eth", "qua", "zin", "ob")


def compose(name: str, prompt: str, chance: Random) -> str:
    """A speaker's answer to a prompt: thirty words from its vocabulary, some more frequent than others."""
    rng = Random(f"{name}: {prompt}")
    words = ["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 3))) for _ in range(12)]
    return " ".join(chance.choices(words, weights=range(1, 13), k=30)) + "."


class Speakers:
    """A provider whose wire models are the speakers."""

    def __init__(self) -> None:
        self.chance = Random(11)

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Answer the last message in one piece."""
        yield Chunk(text=compose(target.wire_model, messages[-1].content, self.chance))
        yield Chunk(finish=Finish.STOP)
