from dataclasses import replace

import numpy as np
import pytest

from arena_trust.integrity.cast_votes import DAY, UNKNOWN, UNTOLD
from arena_trust.integrity.gate import weigh_votes
from arena_trust.integrity.published_form import LEAST_VOTERS, by_week, published_form, weeks_of
from tests.trust.integrity.logs import relabelled, under_attack


@pytest.fixture(scope="module")
def log():
    _, log, _ = under_attack(50, votes=4_000)
    return by_week(replace(log, age=np.full(len(log), np.nan)))


@pytest.mark.parametrize("seed", range(3))
def test_renaming_every_label_changes_no_bit_of_what_the_gate_decides(log, seed):
    plain, renamed = published_form(log), published_form(relabelled(log, np.random.default_rng(seed)))
    first, second = (weigh_votes(form.log) for form in (plain, renamed))
    assert first.weight.tobytes() == second.weight.tobytes()


@pytest.mark.parametrize("column", ["network", "since", "language", "check", "age"])
def test_no_published_value_of_a_week_has_fewer_than_five_voters(log, column):
    form = published_form(log)
    values = getattr(form.log, column)
    for week in np.unique(form.week):
        here = form.week == week
        shown = np.unique(values[here & (values != UNKNOWN) & ~np.isnan(values)])
        assert len(shown) > 0
        assert all(len(np.unique(log.voter[here & (values == value)])) >= LEAST_VOTERS for value in shown)


def test_a_value_of_exactly_five_voters_of_a_week_is_published_and_one_of_four_is_merged(log):
    week = weeks_of(log.second)
    is_here = week == week[len(log) // 2]
    people = np.unique(log.voter[is_here])
    five, four = is_here & np.isin(log.voter, people[:5]), is_here & np.isin(log.voter, people[5:9])
    form = published_form(replace(log, check=np.select([five, four], [1_000, 1_001], log.check).astype(np.int32)))
    assert set(form.log.check[five].tolist()) == {1_000}
    assert 1_001 not in form.log.check


def test_the_label_of_a_voter_lasts_a_day_and_hours_of_few_voters_are_not_told(log):
    form = published_form(log)
    for voter in np.unique(form.log.voter)[:200]:
        assert len(np.unique(form.log.second[form.log.voter == voter] // DAY)) == 1
    assert ((form.log.second % DAY == UNTOLD) | ~form.quiet).all()
    hours = form.log.second[~form.quiet]
    assert all(len(np.unique(log.voter[~form.quiet][hours == hour])) >= LEAST_VOTERS for hour in np.unique(hours)[:50])


def test_age_counts_days_with_counted_votes_in_steps(log):
    ages = published_form(log).log.age
    assert set(np.unique(ages[~np.isnan(ages)]).tolist()) <= {0.0, 1.0, 7.0, 30.0}


def test_the_label_of_a_neighbourhood_lasts_a_week(log):
    weeks = weeks_of(log.second)
    assert all(len(np.unique(weeks[log.network == network])) == 1 for network in np.unique(log.network))
