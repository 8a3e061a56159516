"""The sliding-window rate limit in memory."""

from __future__ import annotations

import pytest

from arena.adapters.limits.window import Window
from arena.domain.errors import RateLimited


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def act(window: Window, who: str, most: int) -> None:
    window.check(who, most)
    window.take(who)


def test_each_acts_so_often_in_the_window_and_is_told_when_again(clock):
    window = Window(60, clock)
    for moment in (0, 10):
        clock.now = moment
        act(window, "one", 2)
    clock.now = 15
    with pytest.raises(RateLimited) as refused:
        act(window, "one", 2)
    assert refused.value.retry_after == 45
    act(window, "other", 2)
    clock.now = 60
    act(window, "one", 2)
    with pytest.raises(RateLimited):
        act(window, "one", 2)


def test_under_a_lower_limit_the_wait_is_until_enough_acts_are_old(clock):
    window = Window(60, clock)
    for moment in (0, 10, 20):
        clock.now = moment
        act(window, "one", 3)
    with pytest.raises(RateLimited) as refused:
        window.check("one", 1)
    assert refused.value.retry_after == 60


def test_what_was_undone_is_not_counted(clock):
    window = Window(60, clock)
    for _ in range(3):
        act(window, "one", 1)
        window.undo("one")
    act(window, "one", 1)
    with pytest.raises(RateLimited):
        window.check("one", 1)


def test_who_has_been_quiet_is_forgotten(clock):
    window = Window(60, clock)
    for number in range(1_000):
        clock.now = number
        act(window, f"owner {number}", 1)
    assert len(window._recent) <= 60
