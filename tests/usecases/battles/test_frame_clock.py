"""The clock of a turn: what it polls, and when."""

from __future__ import annotations

import asyncio

import pytest

from arena.usecases.battles.frame_clock import FrameClock


async def test_answers_are_read_at_each_beat_until_they_end_or_fail():
    clock, left, calls = FrameClock(), iter([False, False, True]), []

    def ends() -> bool:
        calls.append("ends")
        return next(left)

    def fails() -> bool:
        calls.append("fails")
        raise ValueError("broken")

    ending, failing = asyncio.create_task(clock.poll(ends)), asyncio.create_task(clock.poll(fails))
    await asyncio.sleep(0)
    assert not calls
    for _ in range(4):
        await clock.beat(0.001)
    assert calls == ["ends", "fails", "ends", "ends"]
    await ending
    with pytest.raises(ValueError, match="broken"):
        await failing


async def test_who_waits_for_an_answer_has_run_before_the_beat_is_over():
    clock, order = FrameClock(), []

    async def receive() -> None:
        await clock.poll(lambda: True)
        order.append("answer")

    receiving = asyncio.create_task(receive())
    await asyncio.sleep(0)
    await clock.beat(0.001)
    order.append("frame")
    await receiving
    assert order == ["answer", "frame"]


async def test_an_answer_that_is_given_up_is_read_no_more():
    clock, calls = FrameClock(), []
    receiving = asyncio.create_task(clock.poll(lambda: bool(calls.append(1))))
    await asyncio.sleep(0)
    await clock.beat(0.001)
    receiving.cancel()
    await asyncio.gather(receiving, return_exceptions=True)
    await clock.beat(0.001)
    assert calls == [1]
