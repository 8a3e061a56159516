"""Votes from data frames of several libraries, with the columns and words of several programs."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import arena_rating
from arena_rating import (
    BadComparisons,
    Comparisons,
    Rating,
    bradley_terry,
    carena_rate,
    compute,
    majorities,
    pair_counts,
    points_table,
    tie_fits,
    win_matrix,
    win_rate,
)
from tests.paths import PYTHONPATH

LEFT = ["ada", "bob", "ada", "cyd", "bob", "cyd"]
RIGHT = ["bob", "cyd", "cyd", "ada", "ada", "bob"]
OUTCOMES = ["a", "tie", "a", "b", "both_bad", "b"]
LOG = Comparisons.from_votes(LEFT, RIGHT, OUTCOMES)
WORDS = {
    "chatbot arena": ["model_a", "tie", "model_a", "model_b", "tie (bothbad)", "model_b"],
    "arena-rank": ["model_a", "tie", "model_a", "model_b", "both_bad", "model_b"],
    "sides": ["left", "draw", "Left", "right", "both bad", "RIGHT"],
    "names": ["ada", "tie", "ada", "ada", "bothbad", "bob"],
}


def columns(winner):
    return {"model_a": LEFT, "model_b": RIGHT, "winner": winner}


def outcomes(log):
    return [arena_rating.OUTCOMES[code] for code in log.outcome]


@pytest.mark.parametrize("winner", WORDS.values(), ids=WORDS)
@pytest.mark.parametrize("library", [dict, pd.DataFrame, pa.table])
def test_a_frame_of_any_library_gives_the_log_whatever_its_words(library, winner):
    frame = library(columns(winner))
    log = Comparisons.from_frame(frame)
    assert (log.names, log.left.tolist(), log.right.tolist()) == (LOG.names, LOG.left.tolist(), LOG.right.tolist())
    assert outcomes(log) == OUTCOMES
    assert compute(frame) == compute(LOG)


def test_three_columns_of_shares_stand_for_the_winner():
    frame = pd.DataFrame(
        {
            "model_a": ["x", "x", "y"],
            "model_b": ["y", "z", "z"],
            "winner_model_a": [1, 0, 0],
            "winner_model_b": [0, 1, 0],
            "winner_tie": [0, 0, 1],
        }
    )
    assert outcomes(Comparisons.from_frame(frame)) == ["a", "b", "tie"]
    with pytest.raises(BadComparisons, match="row 1: winner_model_a, winner_model_b, winner_tie are 1, 1, 0"):
        Comparisons.from_frame(frame.assign(winner_model_a=[1, 1, 0]))


def test_columns_of_other_names_are_named_and_absent_ones_are_told():
    frame = {"one": ["x"], "two": ["y"], "best": ["one"], "left": ["z"]}
    with pytest.raises(BadComparisons, match="row 0: outcome is 'one', which is not known"):
        Comparisons.from_frame(frame, left="one", right="two", winner="best")
    assert outcomes(Comparisons.from_frame({**frame, "best": ["y"]}, left="one", right="two", winner="best")) == ["b"]
    with pytest.raises(BadComparisons, match=r"no column model_b, .* but one, two, best, left; name it by right="):
        Comparisons.from_frame(frame)
    with pytest.raises(BadComparisons, match="there is no column 'three', but one, two"):
        Comparisons.from_frame(frame, right="three")
    with pytest.raises(BadComparisons, match="not list"):
        compute([1, 2])  # pyright: ignore[reportArgumentType]


def test_a_name_that_is_a_word_for_the_other_side_is_refused():
    with pytest.raises(BadComparisons, match="row 0: winner 'left' is the name of one model and a word"):
        Comparisons.from_frame({"model_a": ["x"], "model_b": ["left"], "winner": ["left"]})


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan])
def test_rows_without_a_voter_are_of_people_of_their_own(missing):
    frame = pd.DataFrame(columns(OUTCOMES)).assign(judge=["p", missing, "p", missing, missing, "q"])
    assert Comparisons.from_frame(frame).voter.tolist() == [0, 1, 0, 2, 3, 4]


def test_weights_are_read_by_name():
    frame = {**columns(OUTCOMES), "weight": [1, 0, 1, 1, 0.5, 1], "share": [1, 1, 1, 1, 1, 0]}
    assert Comparisons.from_frame(frame).weight.tolist() == [1, 0, 1, 1, 0.5, 1]
    assert Comparisons.from_frame(frame, weight="share").weight.tolist() == [1, 1, 1, 1, 1, 0]


@pytest.mark.parametrize(
    "method", [bradley_terry, win_rate, carena_rate, win_matrix, points_table, tie_fits, majorities]
)
def test_every_method_of_counts_takes_the_log_and_a_frame(method):
    results = [method(votes) for votes in (pair_counts(LOG), LOG, pd.DataFrame(columns(OUTCOMES)))]
    texts = {repr(result) for result in results}
    assert len(texts) == 1


def test_a_board_becomes_a_data_frame():
    frame = compute(LOG).to_pandas()
    assert list(frame.columns) == list(Rating.__slots__)
    assert frame["name"].tolist() == ["ada", "bob", "cyd"]
    assert (frame["bt_low"] < frame["bt"]).all()
    assert (frame["bt"] < frame["bt_high"]).all()
    assert compute({"model_a": [], "model_b": [], "winner": []}).to_pandas().empty


@pytest.mark.process
def test_frames_are_read_without_importing_a_library_of_frames():
    program = (
        "import sys, arena_rating as a;"
        "a.Comparisons.from_frame({'model_a': ['x'], 'model_b': ['y'], 'winner': ['tie']});"
        "print('pandas' in sys.modules, 'pyarrow' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONPATH": PYTHONPATH}
    )
    assert done.stdout.split() == ["False", "False"]


def test_every_exported_name_is_there():
    assert [name for name in arena_rating.__all__ if not hasattr(arena_rating, name)] == []


def test_the_package_tells_its_version():
    assert arena_rating.__version__ == version("arena-rating")
