from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.adapters.providers.deadlines import TimeLimits
from arena.calls.stream import ANSWER_LIMIT
from arena.domain.blinding.pacing import DOUBLING, SHOW_TIME, SPREAD, STEADY, Pace, Pacer
from arena.domain.terms import Side

A, B = Side.A, Side.B
LIMIT = 210.0


def pacer_of(characters: int, *, start: float = 0, limit: float = LIMIT, seed: int = 1) -> Pacer:
    return Pacer(Pace(0.1, characters, start), limit, Random(seed))


def release(pacer: Pacer, frames: int) -> list[dict[Side, str]]:
    return [pacer.frame(1).text for _ in range(frames)]


def first_words(pacer: Pacer, begun: float) -> float:
    """When the first words come if both begin at this moment."""
    for tick in range(1000):
        now = tick / 10
        if now >= begun:
            for side in Side:
                pacer.feed(side, "x")
        if pacer.frame(now).text:
            return now
    raise AssertionError


def shown_after(pacer: Pacer, length: int) -> float:
    """When two answers of this length that are there at once have been shown."""
    for side in Side:
        pacer.feed(side, "z" * length)
        pacer.end(side)
    tick = 0
    while not pacer.finished:
        pacer.frame(tick * pacer.pace.interval)
        tick += 1
    return tick * pacer.pace.interval


def test_nothing_leaves_before_both_sides_have_begun():
    pacer = pacer_of(10)
    pacer.feed(A, "early")
    assert pacer.frame(0).text == {}
    pacer.feed(B, "late")
    assert pacer.frame(1).text == {A: "earl", B: "late"}


def test_the_first_words_do_not_depend_on_when_models_began_that_were_early():
    starts = {first_words(pacer_of(5, start=1.8), begun) for begun in (0, 0.5, 1.2, 1.7)}
    assert len(starts) == 1


def test_the_start_is_drawn_anew_for_every_battle():
    starts = [first_words(pacer_of(5, start=1.8, seed=seed), 0.3) for seed in range(200)]
    assert 1.8 <= min(starts) < max(starts) <= 1.8 * SPREAD + 0.1
    assert len(set(starts)) >= 4


def test_models_that_begin_late_are_shown_a_little_later_still():
    starts = {first_words(pacer_of(5, start=1.8, seed=seed), 4.0) for seed in range(50)}
    assert 4 <= min(starts) < max(starts) <= 4 * SPREAD + 0.1
    assert first_words(pacer_of(5, start=0), 4.0) == 4


def test_a_fast_side_waits_for_the_slow_one_in_every_frame():
    pacer = pacer_of(5)
    pacer.feed(A, "x" * 100)
    pacer.feed(B, "yy")
    assert release(pacer, 2) == [{A: "xx", B: "yy"}, {}]
    pacer.feed(B, "y" * 9)
    assert release(pacer, 2) == [{A: "xxxxx", B: "yyyyy"}, {A: "xxxx", B: "yyyy"}]


def test_a_side_at_its_end_does_not_hold_the_other_back():
    pacer = pacer_of(5)
    pacer.feed(A, "ab")
    pacer.end(A)
    pacer.feed(B, "y" * 8)
    first = pacer.frame(1)
    assert first.text == {A: "ab", B: "yyyyy"}
    assert first.done == (A,)
    assert pacer.frame(1).text == {B: "yyy"}
    assert not pacer.finished
    pacer.end(B)
    assert pacer.frame(1).done == (B,)
    assert pacer.finished


@pytest.mark.parametrize("ended", [(), (A,), (A, B)])
@pytest.mark.parametrize("waiting", [40, 4000])
def test_the_rate_is_the_same_however_much_waits_and_whoever_has_ended(waiting, ended):
    pacer = pacer_of(6)
    for side in Side:
        pacer.feed(side, "z" * waiting)
    for side in ended:
        pacer.end(side)
    assert [{side: len(text) for side, text in each.items()} for each in release(pacer, 5)] == [{A: 6, B: 6}] * 5


def test_a_long_answer_ends_because_the_rate_grows_with_time_alone():
    pace = Pace()
    assert {pace.characters_at(0), pace.characters_at(STEADY)} == {pace.characters}
    assert pace.characters_at(STEADY + 2 * DOUBLING) == 4 * pace.characters
    assert shown_after(pacer_of(pace.characters), ANSWER_LIMIT) < TimeLimits().total


@pytest.mark.parametrize("pace", [Pace(), Pace(1, 1), Pace(5, 1, 30)])
@pytest.mark.parametrize("total", [1.0, 180.0])
def test_whatever_is_set_all_is_shown_before_the_turn_is_overdue(pace, total):
    limit = total + SHOW_TIME / 2
    assert shown_after(Pacer(pace, limit, Random(1)), ANSWER_LIMIT) <= limit + 3 * pace.interval < total + SHOW_TIME


def test_models_whose_names_are_known_are_shown_at_once_and_quickly():
    pace = Pace().named
    assert (pace.start, pace.interval) == (0, Pace().interval)
    assert pace.characters_at(0) > 10 * Pace().characters_at(0)


events = st.lists(
    st.one_of(
        st.tuples(st.just("feed"), st.sampled_from(Side), st.text(max_size=30)),
        st.tuples(st.just("frame"), st.none(), st.none()),
    ),
    max_size=60,
)


@given(events, st.integers(1, 20), st.sampled_from([0, 1.8]))
def test_every_character_leaves_once_in_order_and_both_sides_in_step_while_both_talk(script, characters, start):
    pacer = pacer_of(characters, start=start)
    fed = dict.fromkeys(Side, "")
    shown = dict.fromkeys(Side, "")
    for tick, (kind, side, text) in enumerate(script):
        if kind == "feed":
            fed[side] += text
            pacer.feed(side, text)
        else:
            released = pacer.frame(tick / 10).text
            assert len({len(released.get(each, "")) for each in Side}) == 1
            for each in Side:
                shown[each] += released.get(each, "")
    for side in Side:
        pacer.end(side)
    now = 10.0
    while not pacer.finished:
        for side, text in pacer.frame(now).text.items():
            shown[side] += text
        now += 0.1
    assert shown == fed
