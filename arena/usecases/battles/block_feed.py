"""The answers of a feed as blocks of HTML, made once for all its readers, and only when one of them reads HTML.

Blocks are a function of the text shown so far, so nothing that the clock holds back reaches a reader by them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from arena.domain.answers.blocks import BlockScan
from arena.domain.answers.markdown import block_html, is_heavy, source_html
from arena.domain.answers.render_budget import RenderBudget
from arena.domain.schemas.battles import BlocksEvent

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.domain.terms import Side

    State = tuple[dict[Side, str], set[Side]]
    """The text of each side so far, and the sides whose text is whole."""

MIN_GROWTH: Final = 200
"""Characters by which the open block grows at least before it is made anew; else by a third of it.

So bytes and work stay within five times the text."""

MAX_STEP: Final = 4_000
"""New characters that are read on the event loop at once."""


@dataclass(slots=True)
class _RenderedSide:
    """The blocks of one answer: its closed ones, and the open one as it was last made."""

    scan: BlockScan = field(default_factory=BlockScan)
    budget: RenderBudget = field(default_factory=RenderBudget)
    """Formulae and colours that are left behind the closed blocks."""
    closed: list[str] = field(default_factory=list[str])
    open_html: str = ""
    open_span: tuple[int, int] = (0, 0)
    """Start and end of the open block in the text of which it was made."""
    length: int = 0
    """Characters of the text whose blocks are here."""
    scanned: int = 0
    """Characters of the text in which ends of blocks were sought."""
    version: int = 0
    """Grows with each change, and with each wait for a thread, during which more text may have come."""

    async def catch_up(self, text: str, *, is_whole: bool) -> None:
        """Render what has come since; in a thread if that may take more than some milliseconds."""
        step, self.scanned = len(text) - self.scanned, len(text)
        if step > MAX_STEP:
            await _in_thread(partial(self.scan.grow, text, is_whole=is_whole))
            self.version += 1
        else:
            self.scan.grow(text, is_whole=is_whole)
        if not self._is_due(text, is_whole=is_whole):
            return
        start = self.scan.start
        first = self.scan.closed[len(self.closed)].start if len(self.closed) < len(self.scan.closed) else start
        if is_heavy(text[first:start]) or is_heavy(text[start:], is_open=True):
            await _in_thread(partial(self._render, text))
        else:
            self._render(text)

    def _render(self, text: str) -> None:
        for block in self.scan.closed[len(self.closed) :]:
            self.closed.append(block_html(text[block.start : block.end], self.budget))
        start = self.scan.start
        source = text[start:]
        make = source_html if start >= self.scan.bound else partial(block_html, budget=self.budget, is_open=True)
        self.open_html = make(source) if source.strip() else ""
        self.open_span, self.length, self.version = (start, len(text)), len(text), self.version + 1

    def _is_due(self, text: str, *, is_whole: bool) -> bool:
        """Whether a block has been closed, or the open one has begun, grown enough or ended."""
        start, end = self.open_span
        if len(self.closed) < len(self.scan.closed):
            return True
        if len(text) == self.length:
            return False
        grown = len(text) - end
        return is_whole or not self.open_html or grown >= max(MIN_GROWTH, (end - start) // 3)


async def _in_thread(work: Callable[[], None]) -> None:
    """Run work in a thread to its end, also if the reader leaves meanwhile: the next one goes on from its result."""
    task = asyncio.create_task(asyncio.to_thread(work))
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


class BlockFeed:
    """The blocks of all sides of a feed."""

    def __init__(self) -> None:
        self._sides: dict[Side, _RenderedSide] = {}
        self._lock = asyncio.Lock()

    async def catch_up(self, state: Callable[[], State]) -> None:
        """Render what each side shows by `state`; if that is more when it is done, that too."""
        async with self._lock:
            while not await self._render(*state()):
                pass

    async def _render(self, shown: dict[Side, str], whole: set[Side]) -> bool:
        """Render a state of the feed; whether nothing had to be done for it."""
        versions = self._versions()
        for side, text in shown.items():
            await self._sides.setdefault(side, _RenderedSide()).catch_up(text, is_whole=side in whole)
        return self._versions() == versions

    def _versions(self) -> list[int]:
        return [rendered.version for rendered in self._sides.values()]

    def event(self, side: Side, seen: int) -> tuple[int, BlocksEvent] | None:
        """The blocks that a reader with `seen` characters of a side lacks, and the characters with them.

        They begin with the block that was open at that cursor.
        """
        rendered = self._sides[side]
        if rendered.length <= seen:
            return None
        first = sum(block.closed_at <= seen for block in rendered.scan.closed[: len(rendered.closed)])
        event = BlocksEvent(side=side, html=rendered.closed[first:], open=rendered.open_html, **{"from": first})
        return rendered.length, event
