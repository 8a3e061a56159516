"""Background work: a failed step is logged and tried again, and a block ends its tasks."""

from __future__ import annotations

import asyncio
import logging

import pytest

from arena.adapters.background import in_background, repeat
from arena.domain.errors import Unavailable


class Stop(BaseException):
    """Ends a loop that otherwise runs until it is cancelled."""


def steps(*results):
    """A step that returns or raises these in turn, and then stops the loop."""
    left = iter([*results, Stop()])

    async def step():
        result = next(left)
        if isinstance(result, BaseException):
            raise result
        return result

    return step


async def pauses(monkeypatch, *results, pause=3.0) -> list[float]:
    """The pauses after steps with these results."""
    slept: list[float] = []

    async def sleep(seconds):
        slept.append(seconds)

    monkeypatch.setattr("arena.adapters.background.asyncio.sleep", sleep)
    with pytest.raises(Stop):
        await repeat(steps(*results), pause=pause, failure="the round failed")
    return slept


async def test_a_step_says_when_the_next_one_comes_if_not_after_the_pause(monkeypatch):
    assert await pauses(monkeypatch, None, 0, 10.0) == [3.0, 0, 10.0]


async def test_a_failed_step_is_logged_and_the_next_one_tries_again(monkeypatch, caplog):
    with caplog.at_level(logging.WARNING):
        assert await pauses(monkeypatch, Unavailable("no database"), ValueError("odd"), 0) == [3.0, 3.0, 0]
    expected, unexpected = caplog.records
    assert (expected.getMessage(), expected.exc_info) == ("the round failed: no database", None)
    assert unexpected.exc_info is not None


async def test_a_block_ends_its_tasks_before_it_is_left():
    ended: list[str] = []

    async def work(name: str, error: Exception | None = None) -> None:
        try:
            await asyncio.sleep(3_600)
        finally:
            ended.append(name)
            if error:
                raise error

    async with in_background(work("first"), work("second", ValueError("at the end"))):
        await asyncio.sleep(0)
    assert ended == ["first", "second"]
