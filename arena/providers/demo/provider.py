"""The demo endpoints as an ordinary provider: an answer is worked out at once and told at a human pace."""

from __future__ import annotations

import asyncio
import hashlib
import random
import re
import secrets
from typing import TYPE_CHECKING, Final

from arena.providers.base import Chunk
from arena.providers.demo.endpoints import nameless
from arena.providers.demo.speakers import SPEAKERS
from arena.providers.demo.talk import listen
from arena.providers.errors import RequestRefused
from arena.terms import Finish, Role

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from arena.providers.base import Target
    from arena.providers.demo.talk import Speaker, Talk
    from arena.terms import Message

_PIECE: Final = (3, 9)
"""Fewest and most characters that leave at once in English; Chinese says more with half of them."""
_TOKEN: Final = 4
"""Characters of Latin text that count as one token; a Han character is one by itself."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_FENCE = re.compile(r"(```.*?```)", re.DOTALL)


class DemoProvider:
    """Streams the built-in speakers; `Target.wire_model` says which one."""

    def __init__(self, *, seed: int | None = 0, wait: float = 1.0) -> None:
        """The seed fixes every answer (None: each request draws one); waits are multiplied by `wait`."""
        self._seed = seed
        self._wait = wait

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Yield the answer in small pieces; an unknown speaker or a talk without a prompt is a `RequestRefused`."""
        speaker = SPEAKERS.get(target.wire_model)
        if speaker is None:
            raise RequestRefused(f"no demo endpoint answers to {target.wire_model!r}")
        if not messages or messages[-1].role is not Role.USER:
            raise RequestRefused("the last message has to be the user's")
        rng = _rng(self._seed, target.wire_model, messages)
        # A cold start reads files, and a hostile prompt costs some milliseconds: not on the event loop.
        talk, text = await asyncio.to_thread(compose, speaker, messages, rng)
        kept = _cut(text, target.max_tokens)
        await asyncio.sleep(speaker.pace.first * self._wait * rng.uniform(0.8, 1.3))
        for piece in _pieces(kept, talk, rng):
            yield Chunk(text=piece)
            await asyncio.sleep(len(piece) / _rate(speaker, talk) * self._wait)
        yield Chunk(finish=Finish.STOP if kept == text else Finish.LENGTH)


def compose(speaker: Speaker, messages: Sequence[Message], rng: random.Random) -> tuple[Talk, str]:
    """The talk as the speaker understood it, and the whole answer: no endpoint's name, no element outside code."""
    talk = listen(messages)
    text = nameless(speaker.answer(talk, rng))
    return talk, _without_tags(text).strip()


def _without_tags(text: str) -> str:
    return "".join(part if part.startswith("```") else _TAG.sub("‹", part) for part in _FENCE.split(text))


def _rng(seed: int | None, wire_model: str, messages: Sequence[Message]) -> random.Random:
    """A stable rng: Python's own hash differs from process to process."""
    parts = [str(secrets.randbits(64) if seed is None else seed), wire_model]
    parts += [part for message in messages for part in (message.role, message.content)]
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return random.Random(int.from_bytes(digest.digest(), "big"))


def _rate(speaker: Speaker, talk: Talk) -> float:
    return speaker.pace.rate / 2 if talk.zh else speaker.pace.rate


def _pieces(text: str, talk: Talk, rng: random.Random) -> Iterator[str]:
    low, high = _PIECE
    scale = 2 if talk.zh else 1
    place = 0
    while place < len(text):
        size = max(1, rng.randint(low, high) // scale)
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
