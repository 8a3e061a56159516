"""Each combination of traits in a table is shared by at least five people."""

from collections import Counter
from datetime import date, timedelta
from random import Random

from arena.domain.privacy.crowds import CROWD, Traits, generalised, traits_of

MONDAY = date(2026, 6, 1)


def drawn(count: int) -> tuple[dict[int, int], dict[int, Traits]]:
    rng = Random(1)
    days = [MONDAY + timedelta(days=rng.randrange(90)) for _ in range(count)]
    people = {row: rng.randrange(count // 3) for row in range(count)}
    words = [(rng.choice(["en", "zh", "zh", "is"]), rng.choice(["code", "essay", None])) for _ in range(count)]
    return people, {
        row: traits_of(day, *word, rng.choice((0, 1, 7)))
        for row, (day, word) in enumerate(zip(days, words, strict=True))
    }


def test_every_row_stands_in_a_crowd_and_fine_traits_are_kept_where_enough_share_them():
    people, traits = drawn(3_000)
    rows = generalised(people, traits, lambda _row, _traits: True)
    crowds = {group: {people[row] for row in rows if rows[row] == group} for group in set(rows.values())}
    assert min(map(len, crowds.values())) >= CROWD
    lengths = Counter(len(group.period) for group in rows.values())
    assert set(lengths) >= {7, 8}
    assert len(rows) > 2_900


def test_a_day_becomes_a_week_and_then_a_month_before_anything_else_goes():
    people = dict(enumerate(range(5)))
    same_week = {row: traits_of(MONDAY + timedelta(days=row), "en", "code", 0) for row in people}
    assert set(generalised(people, same_week, lambda *_: True).values()) == {Traits("en", "2026-W23", "code", 0)}
    same_month = {row: traits_of(MONDAY + timedelta(days=7 * row % 30), "en", "code", 0) for row in people}
    assert set(generalised(people, same_month, lambda *_: True).values()) == {Traits("en", "2026-06", "code", 0)}


def test_five_rows_of_one_person_are_no_crowd():
    traits = {row: traits_of(MONDAY, "en", "code", 0) for row in range(5)}
    assert generalised(dict.fromkeys(range(5), 7), traits, lambda *_: True) == {}


def test_rows_that_do_not_fit_are_not_counted_into_a_crowd():
    people = dict(enumerate(range(6)))
    traits = {row: traits_of(MONDAY, "en", "code", 0) for row in people}
    assert generalised(people, traits, lambda row, _traits: row < 4) == {}
    assert set(generalised(people, traits, lambda row, _traits: row < 5)) == set(range(5))
