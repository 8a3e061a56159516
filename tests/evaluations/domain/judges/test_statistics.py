"""Statistics of judges: PandaLM's published figures, and judges that are wrong in a known way."""

from __future__ import annotations

import numpy as np

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.statistics import LengthRow, agreement, compare_with_people, length_table
from arena.evaluations.domain.judges.verdicts import pair_verdict
from arena_rating import Comparisons, bradley_terry, pair_counts, style_bradley_terry
from tests.evaluations.domain.judges.panda import codes, judge_texts, longer_by, majority_of_people
from tests.evaluations.plain_outcomes import both_orders


def outcomes_of(judge: str, key: str) -> np.ndarray:
    found = (pair_verdict(text) for text, _ in judge_texts(judge, key))
    return codes(verdict.outcome if verdict else None for verdict in found)


def test_pandalm_agrees_with_people_on_two_pairs_of_three():
    found = agreement(outcomes_of("pandalm-7b", "pandalm"), majority_of_people())
    assert round(100 * found.raw.value, 2) == 66.77
    assert found.raw.n == 999
    assert found.raw.low < 0.6677 < found.raw.high
    assert found.kappa.value < found.ac1.value < found.raw.value


def test_gpt_agrees_as_published_where_only_its_sides_count():
    """The published figure compares the file's words as they are: its word Tie is never people's 0."""
    told, people = outcomes_of("gpt-3.5-turbo", "gpt"), majority_of_people()
    assert round(100 * ((told == people) & (told < 2)).sum() / len(told), 2) == 69.27
    # Five of its ties are ties of people too, and 25 texts hold no verdict.
    found = agreement(told, people)
    assert (found.raw.n, round(found.raw.value * found.raw.n)) == (974, 697)


def test_the_longer_answer_wins_as_published():
    people, told = majority_of_people(), outcomes_of("gpt-3.5-turbo", "gpt")
    assert length_table(people, longer_by(), (100,)) == [LengthRow(100, 279, 6, 102)]
    # The published table takes whatever is not the word 1 for a vote for the second answer.
    assert length_table((told != 0).astype(np.int64), longer_by(), (100,)) == [LengthRow(100, 257, 0, 130)]
    assert length_table(told, longer_by(), (100,)) == [LengthRow(100, 251, 5, 127)]


def test_a_judge_that_always_says_a_has_only_ties_and_always_flips():
    verdict = pair_verdict("[[A]]")
    found = {both_orders(verdict, verdict) for _ in range(50)}
    assert {(pair.outcome, pair.flip) for pair in found if pair} == {(Outcome.TIE, True)}


def judged_by_length(rng: np.random.Generator):
    """A log of 8 models by a judge that sees quality and loves length, of which the worst models write most."""
    quality, pairs = np.linspace(0, 1.4, 8), 3_000
    left = rng.integers(0, 8, pairs)
    right = (left + rng.integers(1, 8, pairs)) % 8
    length = 900 - 400 * quality[[left, right]] + rng.normal(0, 250, (2, pairs))
    longer = length[0] - length[1]
    chance = 1 / (1 + np.exp(-(quality[left] - quality[right] + longer / 250)))
    outcome = (rng.random(pairs) > chance).astype(np.int64)
    names = tuple(f"m{number}" for number in range(8))
    columns = left.astype(np.int32), right.astype(np.int32), outcome.astype(np.uint8)
    return Comparisons(*columns, None, None, None, names), longer


def test_a_judge_that_loves_length_is_exposed_and_the_order_restored():
    rng = np.random.default_rng(11)
    restored = 0
    for _ in range(100):
        log, longer = judged_by_length(rng)
        (row,) = length_table(log.outcome.astype(np.int64), longer.astype(np.int64), (300,))
        raw = bradley_terry(pair_counts(log)).rating
        controlled = style_bradley_terry(log, longer[:, None], feature_names=["length"])
        assert row.longer > 1.5 * row.shorter
        assert raw[0] > raw[-1]
        restored += np.corrcoef(np.argsort(np.argsort(controlled.rating)), np.arange(8))[0, 1] > 0.95
    assert restored >= 95


PEOPLE = {"nlp": 0.61, "safety": 0.60, "dialogue": 0.44, "reasoning": 0.81, "generation": 0.59, "expertise": 0.72}
TABLE_3 = {
    "single": {
        "nlp": (0.48, -21, True),
        "safety": (0.40, -33, False),
        "dialogue": (0.27, -39, False),
        "reasoning": (0.40, -51, False),
        "generation": (0.47, -20, True),
        "expertise": (0.44, -39, False),
    },
    "pairwise": {
        "nlp": (0.47, -23, True),
        "safety": (0.45, -25, True),
        "dialogue": (0.25, -43, False),
        "reasoning": (0.45, -44, False),
        "generation": (0.49, -17, True),
        "expertise": (0.49, -32, False),
    },
}


def test_a_judge_is_usable_where_tencents_table_3_says_so():
    for rows in TABLE_3.values():
        for area, (judge, difference, usable) in rows.items():
            found = compare_with_people(judge, PEOPLE[area])
            assert (round(100 * found.difference), found.usable) == (difference, usable), area
    assert compare_with_people(0.5, 0.0).usable is None
