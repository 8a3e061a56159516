"""The parts of the gate's evidence, by themselves."""

import math

import numpy as np
import pytest

from arena_trust.integrity.divisions import YOUNG
from arena_trust.integrity.evidence import join_slices, log_tail
from arena_trust.integrity.preliminary import LEAST_ESTABLISHED, LEAST_NETWORKS, Preliminary, awake, preliminary


def test_the_tail_is_that_of_the_normal_distribution_from_where_a_value_is_evidence():
    values = log_tail(np.array([-2.0, 0.0, 1.5, 1.6, 3.0, 37.0, 1e6]))
    chances = [1, 1, 1, 0.054799291699557974, 0.0013498980316300945]  # of a table of the distribution
    assert np.exp(values[:5]) == pytest.approx(chances, rel=1e-9)
    assert values[5] == values[6] < -680


@pytest.mark.parametrize("slices", [2, 7, 20])
def test_slices_are_joined_up_to_a_third_and_the_ways_to_choose_them_are_paid_for(slices):
    rng = np.random.default_rng(slices)
    z, is_tested = rng.normal(2, 2, (slices, 30)), rng.random((slices, 30)) < 0.9
    joint = join_slices(z, is_tested)
    for model in range(30):
        column = sorted(z[is_tested[:, model], model].tolist(), reverse=True)
        tails = [0.0]
        for number, value in enumerate(column[: max(1, len(column) // 3)], start=1):
            ways = math.log(math.comb(len(column), number) * number * (number + 1) / 2)
            tails.append(log_tail(np.array([sum(column[:number]) / math.sqrt(number)]))[0] + ways if value > 2.5 else 0)
        assert joint.evidence[model] == pytest.approx(min(tails), abs=1e-9)
        if min(tails) < 0:
            assert joint.number[model] == np.argmin(tails)


@pytest.mark.parametrize(
    ("facts", "reasons"),
    [
        ({"awake": True, "networks": 1}, []),
        ({"awake": True, "networks": 1, "closed": True}, []),
        ({"awake": False, "networks": 5, "closed": True}, [Preliminary.CLOSED]),
        ({"awake": False, "networks": 1}, [Preliminary.ONE_NETWORK]),
        ({"awake": False, "networks": 2}, [Preliminary.YOUNG]),
    ],
)
def test_a_board_is_preliminary_for_one_reason_until_there_is_a_reference(facts, reasons):
    assert preliminary(**facts) == reasons


def test_a_reference_takes_enough_neighbourhoods_and_votes_of_established_voters():
    age = np.full(LEAST_ESTABLISHED, float(YOUNG))
    assert awake(LEAST_NETWORKS, age)
    assert not awake(LEAST_NETWORKS - 1, age)
    assert not awake(LEAST_NETWORKS, age[1:])
    assert not awake(LEAST_NETWORKS, age - 1)
