"""So many acts in so long for each, in memory that follows the load."""

from __future__ import annotations

from contextlib import suppress

import pytest

from arena.errors import Invalid, RateLimited
from arena.limits.window import Window


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_each_acts_so_often_in_the_window_and_is_told_when_again(clock):
    window = Window(2, 60, clock)
    for moment in (0, 10):
        clock.now = moment
        window.take("one")
    clock.now = 15
    with pytest.raises(RateLimited) as refused:
        window.take("one")
    assert refused.value.retry_after == 45
    window.take("other")
    clock.now = 60
    window.take("one")
    with pytest.raises(RateLimited):
        window.take("one")


def test_what_was_refused_is_not_counted(clock):
    window = Window(1, 60, clock)
    for _ in range(3):
        with suppress(Invalid), window.counted("one"):
            raise Invalid
    with window.counted("one"):
        pass
    with pytest.raises(RateLimited):
        window.take("one")


def test_who_has_been_quiet_is_forgotten(clock):
    window = Window(1, 60, clock)
    for number in range(1_000):
        clock.now = number
        window.take(f"owner {number}")
    assert len(window._recent) <= 60
