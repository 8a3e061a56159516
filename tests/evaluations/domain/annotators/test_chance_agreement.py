"""Agreement beyond chance: published figures, plain definitions, and what cannot be known."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from arena.evaluations.domain.annotators.agreement import item_agreement
from arena.evaluations.domain.annotators.coefficients import cohen, fleiss, gwet, krippendorff
from tests.evaluations.domain.annotators.test_people import answered
from tests.rating.logs import full_data

# Four observers of twelve units (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011); a dot is no answer.
OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def counted(*people: str, labels: int = 5):
    counts = np.zeros((len(people[0]), labels), np.int64)
    for person in people:
        for item, label in enumerate(person):
            if label != ".":
                counts[item, int(label) - 1] += 1
    return counts


def labels_of(person: str):
    return np.array([int(label) - 1 if label != "." else -1 for label in person])


def panda() -> np.ndarray:
    path = full_data() / "pandalm" / "testset-v1.json"
    if not path.is_file():
        pytest.skip("the whole PandaLM test set is not here; ARENA_TEST_DATA may name its folder")
    rows = json.loads(path.read_text())
    return np.array([[row[f"annotator{person}"] for person in (1, 2, 3)] for row in rows])


def counts_of(table, labels: int):
    return np.stack([(table == label).sum(axis=1) for label in range(labels)], axis=1)


def test_a_published_example_gives_its_published_coefficients():
    counts = counted(*OBSERVERS)
    assert krippendorff(counts).value == pytest.approx(0.743, abs=5e-4)
    assert krippendorff(counts, ordinal=True).value == pytest.approx(0.815, abs=5e-4)
    # Gwet, Handbook of Inter-Rater Reliability, the same units.
    assert gwet(counts).value == pytest.approx(0.77544, abs=5e-6)
    assert fleiss(counts).value == pytest.approx(0.76117, abs=5e-6)


def test_people_of_pandalm_agree_as_their_paper_says():
    table = panda()
    assert table.shape == (999, 3)
    assert fleiss(counts_of(table, 3)).value == pytest.approx(0.8642, abs=5e-5)
    pairs = [cohen(table[:, a], table[:, b], 3).value for a, b in combinations(range(3), 2)]
    assert sorted(round(value, 3) for value in pairs) == [0.852, 0.862, 0.879]


def test_two_equal_labels_of_three_are_one_third_of_an_agreement():
    assert item_agreement(answered("AAB", "AAA", "ABT", "TTB")) == pytest.approx([1 / 3, 1, 0, 1 / 3])


def test_cohen_is_observed_against_expected_agreement():
    first, second = labels_of("1112221122."), labels_of("11122211111")
    observed, expected = 8 / 10, 0.5 * 0.7 + 0.5 * 0.3
    assert cohen(first, second, 2).value == pytest.approx((observed - expected) / (1 - expected))
    assert cohen(first, second, 2).n == 10


def test_of_two_people_alpha_is_scotts_pi_with_its_correction_for_small_numbers():
    counts = counted("1112221122", "1112221111", labels=2)
    total, pi = 20, fleiss(counts).value
    assert krippendorff(counts).value == pytest.approx(1 - (1 - pi) * (total - 1) / total)


def test_near_labels_are_nearer_in_order_only():
    near, far = counted("123123", "123124", labels=4), counted("123123", "423123", labels=4)
    assert krippendorff(near, ordinal=True).value > krippendorff(far, ordinal=True).value
    assert krippendorff(near).value == pytest.approx(krippendorff(far).value)


def test_one_label_everywhere_says_nothing_beyond_chance_except_to_gwet():
    counts = counted("1111", "1111", labels=2)
    assert np.isnan([fleiss(counts).value, krippendorff(counts).value]).all()
    assert np.isnan(cohen(labels_of("1111"), labels_of("1111"), 2).value)
    assert gwet(counts).value == 1


def test_a_label_that_nobody_gave_is_no_category_to_gwet():
    assert gwet(counted(*OBSERVERS, labels=9)).value == gwet(counted(*OBSERVERS)).value


def test_without_answers_there_is_no_coefficient():
    for statistic in (fleiss, gwet, krippendorff):
        found = statistic(np.zeros((0, 3), np.int64))
        assert np.isnan([found.value, found.low, found.high]).all()
        assert found.n == 0


@pytest.mark.parametrize("statistic", [fleiss, gwet, krippendorff])
def test_an_interval_holds_the_truth_about_19_times_in_20(statistic):
    rng = np.random.default_rng(16)

    def draw(items: int):
        truth = rng.integers(0, 3, items)
        given = np.where(rng.random((items, 3)) < 0.7, truth[:, None], rng.integers(0, 3, (items, 3)))
        return statistic(counts_of(given, 3))

    truth = draw(200_000).value
    inside = sum(found.low <= truth <= found.high for found in (draw(300) for _ in range(200)))
    assert 180 <= inside <= 199


@pytest.mark.parametrize("statistic", [fleiss, gwet, krippendorff])
def test_an_interval_stays_within_the_range_of_a_coefficient_and_needs_items_that_differ(statistic):
    rng = np.random.default_rng(5)
    for items in (2, 3, 5):
        found = statistic(counts_of(rng.integers(0, 2, (items, 4)), 2))
        assert np.isnan(found.low) or -1 <= found.low <= found.value <= found.high <= 1
    perfect = statistic(counted("12121", "12121", labels=2))
    assert perfect.value == 1
    assert np.isnan([perfect.low, perfect.high]).all()
