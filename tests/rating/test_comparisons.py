"""Valid and invalid logs of comparisons."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from arena_rating import BadComparisons, Comparisons


class Frame:
    """A column like those of pandas and polars."""

    def __init__(self, values):
        self.values = values

    def to_numpy(self):
        return np.asarray(self.values)


def a_log(**changes):
    columns = {
        "left": np.array([0, 1]),
        "right": np.array([1, 2]),
        "outcome": np.array([0, 3]),
        "weight": None,
        "voter": None,
        "category": None,
        "names": ("x", "y", "z"),
    }
    return Comparisons(**{**columns, **changes})


def test_names_are_numbered_by_their_order_in_the_alphabet():
    log = Comparisons.from_votes(["z", "y"], ["y", "x"], ["a", "both_bad"])
    assert log.names == ("x", "y", "z")
    assert log.left.tolist() == [2, 1]
    assert log.right.tolist() == [1, 0]
    assert log.outcome.tolist() == [0, 3]
    assert (log.left.dtype, log.outcome.dtype) == (np.int32, np.uint8)


@pytest.mark.parametrize("kind", [list, tuple, np.array, Frame, iter])
def test_columns_may_be_lists_arrays_iterators_and_columns_of_frames(kind):
    log = Comparisons.from_votes(
        kind(["x", "y"]), kind(["y", "z"]), kind(["b", "tie"]), weight=kind([1, 0.5]), voter=kind([7, 7])
    )
    assert log.left.tolist() == [0, 1]
    assert log.outcome.tolist() == [1, 2]
    assert log.weight.tolist() == [1.0, 0.5]
    assert log.voter.tolist() == [0, 0]


def test_categories_are_numbered_and_named():
    log = Comparisons.from_votes(["x", "x"], ["y", "y"], ["a", "b"], category=["zh", "en"])
    assert log.categories == ("en", "zh")
    assert log.category.tolist() == [1, 0]


def test_given_names_may_include_one_that_never_met_anybody():
    log = Comparisons.from_votes(["x"], ["y"], ["a"], names=["y", "new", "x"])
    assert log.names == ("y", "new", "x")
    assert (log.left.tolist(), log.right.tolist()) == ([2], [0])


def test_where_keeps_the_marked_rows_of_every_column_and_all_names():
    log = Comparisons.from_votes(
        ["x", "y"], ["y", "z"], ["a", "b"], weight=[1, 2], voter=["p", "q"], category=["en", "zh"]
    )
    kept = log.where(log.category == log.categories.index("zh"))
    assert (len(kept), kept.names) == (1, log.names)
    assert (kept.left.tolist(), kept.weight.tolist(), kept.voter.tolist()) == ([1], [2.0], [1])


def test_a_log_cannot_be_changed():
    log = a_log()
    with pytest.raises(ValueError, match="read-only"):
        log.left[0] = 2


def test_the_arrays_given_stay_the_callers_own():
    left = np.array([0, 1], np.int32)
    a_log(left=left)
    left[0] = 2
    assert left.flags.writeable


def test_a_log_survives_the_way_to_another_process():
    log = pickle.loads(pickle.dumps(a_log(weight=np.array([1.0, 2.0]))))  # noqa: S301 - made one line above
    assert log.names == ("x", "y", "z")
    assert log.weight.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outcome": np.array([0, 4])}, "row 1: outcome is 4"),
        ({"outcome": np.array([0.0, 1.0])}, "outcome is a column of float64"),
        ({"weight": np.array([1.0, np.nan])}, "row 1: weight is nan"),
        ({"weight": np.array([-0.5, 1.0])}, "row 0: weight is -0.5"),
        ({"weight": np.array([np.inf, 1.0])}, "row 0: weight is inf"),
        ({"weight": np.array([1.0])}, "different shapes"),
        ({"right": np.array([1, 1])}, "row 1: left and right is 1, the same competitor"),
        ({"right": np.array([1, 3])}, "row 1: right is 3, not in 0 to 2"),
        ({"left": np.array([-1, 1])}, "row 0: left is -1"),
        ({"left": np.array([[0, 1]]), "right": np.array([[1, 2]]), "outcome": np.array([[0, 0]])}, "different shapes"),
        ({"category": np.array([0, 0])}, "row 0: category is 0"),
        ({"names": ("x", "y", "x")}, "two competitors have the same name"),
    ],
)
def test_a_bad_column_is_refused_with_its_first_bad_row(change, message):
    with pytest.raises(BadComparisons, match=message):
        a_log(**change)


@pytest.mark.parametrize(
    ("left", "right", "outcome", "more", "message"),
    [
        (["x"], ["y"], ["won"], {}, "row 0: outcome is 'won', which is not known"),
        (["x"], ["y"], [None], {}, "row 0: outcome is None"),
        (["x", "x"], ["y", float("nan")], ["a", "a"], {}, "row 1: right is nan, not a name"),
        (["x", ""], ["y", "y"], ["a", "a"], {}, "row 1: left is '', not a name"),
        (["x"], ["y"], ["a"], {"names": ["x"]}, "row 0: right is 'y', which is not known"),
        (["x"], ["y"], ["a"], {"weight": ["many"]}, "weight is not a column of numbers"),
        (["x"], ["x"], ["a"], {}, "the same competitor"),
        (["x", "y"], ["y"], ["a"], {}, "different shapes"),
    ],
)
def test_a_bad_vote_is_refused_with_its_row(left, right, outcome, more, message):
    with pytest.raises(BadComparisons, match=message):
        Comparisons.from_votes(left, right, outcome, **more)


def test_an_empty_log_is_a_log():
    log = Comparisons.from_votes([], [], [])
    assert (len(log), log.names) == (0, ())
