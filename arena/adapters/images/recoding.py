"""Recoding of untrusted image files, each in its own child process, a few at a time."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.images.decoders import Decoders
from arena.domain.errors import RETRY_SECONDS, Busy, ImageRefused
from arena.domain.terms import JsonObject
from arena_providers.terms import Image

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

log = logging.getLogger(__name__)

MAX_FILES: Final = 1_000
"""Most files of one process, since all its forks have the same addresses of memory, which helps who attacks them."""
_ATTEMPTS: Final = 2
"""Most processes that are asked to fork for a file: an idle one may have been ended from outside."""


@dataclass(slots=True)
class Recoder:
    """Capacity for files: `places` in memory, of which `at_once` are decoded while the others wait."""

    places: int = 8
    at_once: int = 2
    _used_places: int = 0
    _free: asyncio.Semaphore = field(init=False)
    _decoders: Decoders | None = None

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.at_once)

    @asynccontextmanager
    async def place(self) -> AsyncGenerator[None]:
        """Hold a place for a file while it is recoded.

        Raises:
            Busy: All places are in use.
        """
        if self._used_places >= self.places:
            raise Busy(retry_after=RETRY_SECONDS)
        self._used_places += 1
        try:
            yield
        finally:
            self._used_places -= 1

    async def recode(self, file: bytes) -> Image:
        """The new image of a file.

        Raises:
            ImageRefused: The file is refused; `rule` is the reason.
        """
        async with self._free:
            answer = await self._answer(file)
        head, _, data = answer.partition(b"\n")
        header = _parse_header(head)
        if "media_type" not in header:
            raise ImageRefused(rule=header.get("refused", "broken"))
        return Image(header["media_type"], data, header.get("perceptual_hash"))

    async def _answer(self, file: bytes) -> bytes:
        """The answer of a decoder; after a file without one the next decoder has other addresses of memory."""
        answer = None
        for _ in range(_ATTEMPTS):
            decoders = self._decoders
            if decoders is None or decoders.files >= MAX_FILES:
                decoders = self._decoders = Decoders()
            if answer := await decoders.answer(file):
                return answer
            log.info("an image decoder gave no answer")
            if self._decoders is decoders:
                self._decoders = None
            if answer is not None:
                break
        return b""


def _parse_header(head: bytes) -> JsonObject:
    """The first line of an answer; empty if the decoder died."""
    with suppress(ValueError):
        return dict(json.loads(head))
    return {}
