"""Statistics of people: each on a small case worked out by hand, and on real votes where they are at hand."""

from __future__ import annotations

import csv
import math
import tracemalloc
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from arena.evaluations.domain.annotators import agreement
from arena.evaluations.domain.annotators.agreement import area_agreement, item_agreement, leave_one_out, same_pairs
from arena.evaluations.domain.annotators.answers import AnswerTable
from arena.evaluations.domain.annotators.dawid_skene import dawid_skene
from arena.evaluations.domain.annotators.quality import (
    consensus,
    consistency,
    lean,
    score_accuracy,
    tencent_disqualified,
    wrong_answers,
)
from arena.evaluations.usecases.people.annotation_file import read_annotations
from tests.rating.logs import full_data

COLUMNS = ("person", "item", "label", "lean", "area")


def table(rows, areas=None):
    """Answers from (person, item, label) with labels A, B and T."""
    person, item, label = zip(*rows, strict=True)
    labels = ("A", "B", "T")
    return AnswerTable(
        person=np.array(person, np.int32),
        item=np.array(item, np.int32),
        label=np.array([labels.index(each) for each in label], np.int32),
        lean=np.array([{"A": 1, "B": -1, "T": 0}[each] for each in label], np.int8),
        area=np.zeros(len(rows), np.int32) if areas is None else np.array(areas, np.int32),
        people=tuple(map(str, range(max(person) + 1))),
        labels=labels,
        areas=("x",) if areas is None else ("x", "y"),
        items=max(item) + 1,
    )


def answered(*items):
    """Each text has the answers of the people 0, 1, … to one item."""
    return table([(person, item, label) for item, labels in enumerate(items) for person, label in enumerate(labels)])


def crowd(people=40, items=300, clickers=(), seed=0):
    """Everybody answers a third of the items, four in five times with the true label, clickers at random."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    rows = []
    for person in range(people):
        for item in rng.permutation(items)[: items // 3]:
            right = person not in clickers and rng.random() < 0.8
            rows.append((person, int(item), "ABT"[truth[item] if right else rng.integers(3)]))
    return table(rows), truth


def test_four_of_five_equal_answers_are_a_consensus_and_three_are_none():
    assert consensus(answered("AAAAB", "AAABB", "TTTTT", "AAAA")).tolist() == [0, -1, 2, -1]


def test_wrong_answers_are_counted_against_the_consensus_with_their_interval():
    answers = answered("AAAAB", "BBBBA", "AATTB")
    found = wrong_answers(answers, consensus(answers))
    assert found.judged.tolist() == [2] * 5
    assert found.wrong.tolist() == [0, 0, 0, 0, 2]
    assert found.low[4] == pytest.approx(0.3424, abs=1e-3)
    assert found.high[0] == pytest.approx(0.6576, abs=1e-3)


def test_nobody_without_an_answer_has_an_interval():
    found = wrong_answers(answered("A"), np.array([-1]))
    assert math.isnan(found.low[0])
    assert math.isnan(found.high[0])


def test_two_of_three_equal_answers_agree_by_a_third():
    assert item_agreement(answered("AAB", "ABT", "TTT", "A")).tolist() == pytest.approx(
        [1 / 3, 0, 1, np.nan], nan_ok=True
    )


def test_agreement_per_area_is_the_mean_of_its_items():
    answers = table([(0, 0, "A"), (1, 0, "A"), (0, 1, "A"), (1, 1, "B"), (0, 2, "T"), (1, 2, "T")], [0, 0, 0, 0, 1, 1])
    assert area_agreement(answers).tolist() == [0.5, 1.0]


def test_gsb_is_left_minus_right_over_all_and_its_z_has_the_population_deviation():
    found = lean(answered("AB", "AB", "AT", "TB"))
    assert found.score.tolist() == [0.75, -0.75]
    assert found.z.tolist() == [1.0, -1.0]


def test_few_answers_make_no_outlier_of_a_lean():
    rng = np.random.default_rng(3)
    rows = [(person, 0, "AB"[rng.integers(2)]) for person in range(30) for _ in range(100)]
    found = lean(table([*rows, (30, 0, "A"), (30, 0, "A")]))
    assert found.z[30] > 4
    assert abs(found.sampled_z[30]) < 2


def test_one_person_with_most_answers_leaves_all_a_lean_in_standard_errors():
    rows = [(0, 0, "A")] * 500 + [(0, 0, "B")] * 5 + [(person, 0, "T") for person in range(1, 9)]
    found = lean(table(rows))
    assert np.isfinite(found.sampled_z).all()


def test_both_lists_together_disqualify_and_one_alone_does_not():
    items = [*["BBBBA"] * 4, *["AAAAA"] * 20]
    alone = tencent_disqualified(answered(*items))
    assert alone.by_overlap.tolist() == [False] * 4 + [True]
    more = [(person, 0, label) for person, label in ((5, "A"), (6, "B")) for _ in range(20)]
    assert not tencent_disqualified(table([*rows_of(items), *more])).by_both[:4].any()


def rows_of(items):
    return [(person, item, label) for item, labels in enumerate(items) for person, label in enumerate(labels)]


def test_consistency_is_the_share_of_the_most_frequent_answer():
    share, attempts = consistency(table([(0, 0, label) for label in "AAAB"] + [(1, 0, "A"), (1, 1, "B")]))
    assert share.tolist() == pytest.approx([0.75, np.nan], nan_ok=True)
    assert attempts.tolist() == [4, 0]


def test_a_score_is_right_within_a_standard_deviation_of_the_mean():
    person, item = np.array([0, 1, 2, 0, 1, 2, 0], np.int32), np.array([0, 0, 0, 1, 1, 1, 2], np.int32)
    share, judged = score_accuracy(person, item, np.array([3.0, 3, 1, 2, 2, 2, 1]), 3)
    # Mean 2.33 and deviation 0.94: 3 is right, 1 is not. Equal scores are right; a single one is no measure.
    assert share.tolist() == [1.0, 1.0, 0.5]
    assert judged.tolist() == [2, 2, 2]


def right_by_fractions(item, score) -> list[bool | None]:
    """Equation 5 without rounding; None for an item with one score."""
    found: list[bool | None] = []
    for each, own in zip(item, score, strict=True):
        others = [Fraction(value) for value in score[item == each]]
        mean = sum(others) / len(others)
        variance, gap = sum((value - mean) ** 2 for value in others) / len(others), (Fraction(own) - mean) ** 2
        found.append((gap < variance or gap == 0) if len(others) > 1 else None)
    return found


@pytest.mark.parametrize("scale", [(0.0, 0.5, 1.0), (1, 2, 3, 4, 5)])
def test_a_score_at_one_standard_deviation_is_wrong_however_it_is_rounded(scale):
    rng = np.random.default_rng(1)
    for _ in range(300):
        person, item = rng.integers(0, [[2], [3]], (2, rng.integers(2, 40))).astype(np.int32)
        score = rng.choice(np.array(scale, float), len(item))
        right = right_by_fractions(item, score)
        by_person = [[is_right for one, is_right in zip(person, right, strict=True) if one == n] for n in range(2)]
        known = [[is_right for is_right in part if is_right is not None] for part in by_person]
        share, judged = score_accuracy(person, item, score, 2)
        assert judged.tolist() == [len(part) for part in known]
        expected = [np.mean(part) if part else np.nan for part in known]
        assert share.tolist() == pytest.approx(expected, nan_ok=True)


def test_equal_scores_are_right_whatever_they_are():
    person, item = np.arange(7, dtype=np.int32), np.zeros(7, np.int32)
    for value in (0.1, 1 / 3, 2.7):
        assert score_accuracy(person, item, np.full(7, value), 7)[0].tolist() == [1.0] * 7


def test_random_clickers_are_doubtful_and_others_are_not():
    answers, _ = crowd(clickers=(3, 17))
    found = leave_one_out(answers)
    assert np.flatnonzero(found.doubtful).tolist() == [3, 17]
    assert found.agreement[3] < found.expected[3] - 0.1
    assert found.evidence[0] > 0 > found.evidence[3]


def test_the_own_answer_does_not_count_for_itself():
    found = leave_one_out(answered(*["AAB"] * 12))
    assert found.agreement.tolist() == [0.5, 0.5, 0.0]
    assert found.expected.tolist() == [0.0, 0.0, 1.0]


def test_dawid_and_skene_find_the_labels_and_who_is_right():
    answers, truth = crowd(people=20, clickers=(5,))
    found = dawid_skene(answers)
    assert (found.chance.argmax(axis=1) == truth).mean() > 0.95
    assert found.accuracy.argmin() == 5
    assert found.accuracy[0] == pytest.approx(0.87, abs=0.1)
    assert found.converged


def test_a_person_who_swaps_two_labels_is_understood():
    answers, truth = crowd(people=20)
    swapped = answers.person == 2
    label = np.where(swapped, np.array([1, 0, 2])[answers.label], answers.label).astype(np.int32)
    found = dawid_skene(replace(answers, label=label))
    assert found.confusion[2, 0].argmax() == 1
    assert (found.chance.argmax(axis=1) == truth).mean() > 0.95


@pytest.fixture(scope="module")
def llmfao():
    votes = full_data() / "llmfao_votes.csv"
    if not votes.exists():
        pytest.skip("the whole LLMFAO data are not here; ARENA_TEST_DATA may name their folder")
    return read_annotations(votes).answers


def test_the_published_preset_finds_27_and_11_people_and_nobody_on_both(llmfao):
    found = tencent_disqualified(llmfao)
    assert (found.by_overlap.sum(), found.by_lean.sum(), found.by_both.sum()) == (27, 11, 0)
    five = llmfao.counts().sum(axis=1) == 5
    assert (consensus(llmfao)[five] >= 0).mean() == pytest.approx(0.478, abs=5e-4)
    assert (lean(llmfao).mean, lean(llmfao).deviation) == pytest.approx((0.086, 0.315), abs=5e-4)
    shared = llmfao.counts().sum(axis=1) >= 3
    assert (shared.sum(), item_agreement(llmfao)[shared].mean()) == (2014, pytest.approx(0.533, abs=5e-4))


def test_planted_clickers_are_found_and_few_others_pointed_at(llmfao):
    busy = np.flatnonzero(np.bincount(llmfao.person) >= 40)
    found, others = [], []
    for planted in (4, 5, 6):
        for draw in range(20):
            rng = np.random.default_rng(draw)
            chosen = rng.choice(busy, planted, replace=False)
            theirs = np.isin(llmfao.person, chosen)
            label = llmfao.label.copy()
            label[theirs] = rng.integers(0, 3, theirs.sum())
            doubtful = leave_one_out(replace(llmfao, label=label)).doubtful
            found.append(doubtful[chosen].mean())
            others.append(np.delete(doubtful, chosen).mean())
    assert np.mean(found) >= 0.85
    assert np.mean(others) <= 0.06


def test_the_file_of_the_real_votes_has_the_columns_that_are_looked_for(tmp_path):
    path = tmp_path / "votes.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([["prompt", "worker", "winner", "left", "right"], [1, "p", "left", "x", "y"]])
        writer.writerows([[1, "q", "right", "y", "x"], [1, "r", "tie", "x", "y"], [2, "p", "left", "x", "x"], [2]])
    file = read_annotations(path)
    assert [str(each) for each in file.bad] == [
        "line 5: right: the same as left",
        "line 6: 1 cell where the header has 5",
    ]
    assert file.answers.items == 1
    assert [file.answers.labels[code] for code in file.answers.label] == ["first", "first", "tie"]
    assert file.answers.lean.tolist() == [1, -1, 0]


def sparse_table(answers: int, items: int, labels: int, people: int = 20, seed: int = 3) -> AnswerTable:
    """Random answers, some of them repeated, of which many items have a most frequent one."""
    rng = np.random.default_rng(seed)
    item = rng.integers(0, items, answers)
    return AnswerTable(
        person=rng.integers(0, people, answers).astype(np.int32),
        item=item.astype(np.int32),
        label=np.where(rng.random(answers) < 0.7, item % labels, rng.integers(0, labels, answers)).astype(np.int32),
        lean=np.zeros(answers, np.int8),
        area=(item % 2).astype(np.int32),
        people=tuple(map(str, range(people))),
        labels=tuple(map(str, range(labels))),
        areas=("x", "y"),
        items=items + 3,
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("answers", "items", "labels"), [(0, 4, 2), (40, 9, 2), (300, 40, 7), (200, 3, 50)])
def test_statistics_of_cells_are_those_of_the_whole_table(answers, items, labels, seed, monkeypatch):
    drawn, kinds = sparse_table(answers, items, labels, seed=seed), np.arange(labels)
    counts = drawn.counts()
    total, highest = counts.sum(axis=1), counts.max(axis=1, initial=0)
    agreed = (total >= 5) & (highest >= 0.8 * total - 1e-9)
    assert consensus(drawn).tolist() == np.where(agreed, counts.argmax(axis=1), -1).tolist()
    assert np.array_equal(item_agreement(drawn), same_pairs(counts), equal_nan=True)
    assert np.array_equal(drawn.cells().rows(drawn.item, labels), counts[drawn.item])
    whole = leave_one_out(drawn)
    monkeypatch.setattr(agreement, "MAX_CELLS", 3 * labels)
    parts = leave_one_out(drawn)
    assert np.allclose(whole.z, parts.z, equal_nan=True)
    assert np.array_equal(whole.shared, parts.shared)
    shares, attempts = consistency(drawn)
    for person in range(len(drawn.people)):
        own = [drawn.label[(drawn.person == person) & (drawn.item == item)] for item in range(items)]
        repeated = [row for row in own if len(row) > 1]
        assert attempts[person] == sum(map(len, repeated))
        if repeated:
            right = sum(max((row == kind).sum() for kind in kinds) for row in repeated)
            assert shares[person] == pytest.approx(right / attempts[person])


def test_a_large_evaluation_by_several_criteria_needs_no_table_of_items_and_values():
    """50,000 items of 3,000 score vectors would be 1.2 GB as one table."""
    drawn = sparse_table(60_000, 50_000, 3_000)
    tracemalloc.start()
    consensus(drawn), item_agreement(drawn), consistency(drawn)  # pyright: ignore[reportUnusedExpression]
    first = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    leave_one_out(replace(drawn, **{name: getattr(drawn, name)[:2_000] for name in COLUMNS}))
    second = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert first < 50 * 2**20
    assert second < 200 * 2**20
