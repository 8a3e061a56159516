"""Rules of assignment: repeats are rare and far from their item; disagreement goes to a reviewer."""

from random import Random

import pytest

from arena.evaluations.domain.people import disputed, overlap_is_due, repeat_is_due, repeat_of


def test_two_in_a_hundred_items_are_asked_again_at_least_twenty_later():
    rng, done, repeats = Random(1), list(range(1, 21)), 0
    for position in range(21, 2_021):
        again = repeat_of(done, position, rng) if repeat_is_due(position, 0.02, rng) else None
        if again is None:
            done.append(position)
        else:
            assert position - again >= 20
            done.remove(again)
            repeats += 1
    assert repeats == pytest.approx(40, abs=20)
    assert repeat_of(done, 1, rng) is None
    assert not repeat_is_due(20, 1, rng)


def test_every_third_item_is_one_for_everybody():
    assert [position for position in range(1, 8) if overlap_is_due(position)] == [1, 4, 7]


@pytest.mark.parametrize(
    ("values", "result"),
    [
        (["a", "b", "tie"], True),
        (["a", "a", "tie"], False),
        (["a", "b"], False),
        (["a", "a", "skip"], True),
        (["skip"], False),
        (["3", "5", "9"], False),
    ],
)
def test_a_reviewer_looks_where_all_differ_or_one_could_not_judge(values, result):
    assert disputed(values, 3) is result
