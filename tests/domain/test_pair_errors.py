"""The table for comparing two models gives the same results after it was stored."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.domain.pair_errors import chance_of, restored, stored
from arena.domain.schemas.pairs import PairErrorsView
from arena_rating import ClusteredRows, bradley_terry, clustered, pair_counts
from arena_rating.pair_difference import PairErrors, pair_difference
from tests.rating.logs import log_of

VOTES = [("x", "y", "a")] * 60 + [("y", "x", "a")] * 25 + [("y", "z", "a")] * 30 + [("z", "y", "tie")] * 20


def table(votes: list[tuple[str, str, str]]) -> PairErrors:
    log = log_of(votes)
    counts = pair_counts(log)
    return PairErrors.of(clustered(bradley_terry(counts), ClusteredRows.of(log), counts), log)


@pytest.mark.parametrize(("first", "second"), [("x", "y"), ("z", "x")])
def test_a_stored_table_compares_as_the_fit_does(first: str, second: str) -> None:
    whole = table(VOTES)
    view = PairErrorsView.model_validate_json(stored(whole).model_dump_json())
    told, exact = chance_of(restored(view), first, second, "code", "zh"), pair_difference(whole, first, second)
    assert told is not None
    assert (told.category, told.language) == ("code", "zh")
    numbers = told.chance, told.low, told.high, told.better
    assert numbers == pytest.approx((exact.chance, exact.low, exact.high, exact.better), abs=1e-4)
    assert (told.claim_low, told.claim_high, told.more) == (None, None, exact.more)


def test_models_that_no_battles_connect_and_those_without_any_have_no_chance() -> None:
    apart = restored(stored(table([*VOTES, ("p", "q", "a")])))
    assert chance_of(apart, "x", "p", "", "") is None
    assert chance_of(apart, "x", "newcomer", "", "") is None
    assert chance_of(apart, "new", "newcomer", "", "") is None


def test_an_error_that_is_not_known_stays_so() -> None:
    whole = table(VOTES)
    chance = chance_of(restored(stored(replace(whole, error=np.full((3, 3), np.nan)))), "x", "y", "", "")
    assert chance is not None
    assert (chance.low, chance.high, chance.better, chance.claim_low, chance.claim_high) == (None,) * 5
    assert chance.more is None


def test_a_table_of_a_method_before_claims_supports_none_and_is_stored_as_it_was() -> None:
    votes = [*VOTES] * 4
    view, earlier = (stored(table(votes), claims=claims) for claims in (True, False))
    new, old = (chance_of(restored(one), "x", "y", "", "") for one in (view, earlier))
    assert new is not None
    assert old is not None
    assert (new.more, old.claim_low, old.claim_high, old.more) == (0, None, None, None)
    assert (new.low, new.high, new.better) == (old.low, old.high, old.better)
    assert view.model_dump().keys() - earlier.model_dump().keys() == {"clusters"}
    assert PairErrorsView.model_validate_json(earlier.model_dump_json()) == earlier
