"""The scripted practice models as an ordinary provider: an answer is worked out at once and told at a human pace."""

from __future__ import annotations

import asyncio
from itertools import cycle
from typing import TYPE_CHECKING, Final

from arena.adapters.providers.base import Chunk
from arena.adapters.providers.demo.manners import MANNERS, answer
from arena.adapters.providers.demo.question import read
from arena.adapters.providers.errors import RequestRefused
from arena.domain.terms import Finish, Role

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from arena.adapters.providers.base import Target
    from arena.domain.terms import Message

_SIZES: Final = (4, 7, 3, 9, 5)
"""Characters that leave at once, in turn; Chinese says as much with half of them."""
_TOKEN: Final = 4
"""Characters of Latin text that count as one token; a Han character is one by itself."""


class DemoProvider:
    """Streams the scripted models; `Target.wire_model` says in which manner."""

    def __init__(self, *, wait: float = 1.0) -> None:
        """Waits are multiplied by `wait`."""
        self._wait = wait

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Yield the answer to the last message in small pieces; always the same one to the same prompt.

        Raises:
            RequestRefused: An unknown manner, or the last message is not the user's.
        """
        manner = MANNERS.get(target.wire_model)
        if manner is None:
            raise RequestRefused(f"no scripted model answers to {target.wire_model!r}")
        if not messages or messages[-1].role is not Role.USER:
            raise RequestRefused("the last message has to be the user's")
        # A hostile prompt costs some milliseconds: not on the event loop.
        question = read(messages[-1].content)
        text = await asyncio.to_thread(answer, manner, question)
        kept, slow = _cut(text, target.max_tokens), 2 if question.zh else 1
        await asyncio.sleep(manner.first * self._wait)
        for piece in _pieces(kept, slow):
            yield Chunk(text=piece)
            await asyncio.sleep(len(piece) * slow / manner.rate * self._wait)
        yield Chunk(finish=Finish.STOP if kept == text else Finish.LENGTH)


def _pieces(text: str, slow: int) -> Iterator[str]:
    sizes, place = cycle(_SIZES), 0
    while place < len(text):
        size = max(1, next(sizes) // slow)
        yield text[place : place + size]
        place += size


def _cut(text: str, max_tokens: int | None) -> str:
    if max_tokens is None:
        return text
    budget = max(1, max_tokens) * _TOKEN
    for place, sign in enumerate(text):
        budget -= _TOKEN if "\u2e80" <= sign <= "\u9fff" else 1
        if budget < 0:
            return text[:place]
    return text
