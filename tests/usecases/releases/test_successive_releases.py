"""Successive releases cannot be joined: no person of one is known again in another, by texts or by any other field."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest

from arena.adapters.store.engine import Database, open_database
from arena.adapters.store.tables.conversations import VoteRow
from arena.domain.errors import Conflict, Invalid
from arena.domain.terms import Outcome
from arena.usecases.releases import parquet
from arena.usecases.releases.builds import build
from arena.usecases.releases.reviews import passed, publish
from arena.usecases.releases.rows import Pseudonyms
from tests.conftest import NAMES, add_endpoints
from tests.usecases.releases.arenas import accept, add_battle, fits, live_export, prompt

pytestmark = pytest.mark.sqlite

PEOPLE = [f"person {number}" for number in range(12)]
FIRST = datetime(2026, 3, 3, 12, tzinfo=UTC)
DAYS = 120
MOMENTS = {name: FIRST + timedelta(days=30 + days) for name, days in (("one", 50), ("two", 85), ("three", 130))}
IDEA = "Compare the climate of two cities that you like in a small table with four rows"
HABIT = "Please write the weekly bulletin of the choir in Oldenbrook for the week of {}"
TABLE = "arena.parquet"


def fill(session) -> None:
    """Twelve people who vote all the time, of whom four ask nearly the same each month, and an idea that all ask.

    Two votes have the sides the other way round, one in the weeks of the first release and one in those of the second.
    """
    rng = Random(4)
    add_endpoints(session)
    for person in PEOPLE:
        accept(session, person, when=FIRST - timedelta(days=1))

    def add(text: str, person: str, day: int) -> None:
        outcome, category = rng.choice(list(Outcome)), rng.choice(["knowledge", "code"])
        when = FIRST + timedelta(days=day, minutes=rng.randrange(600))
        add_battle(session, text, person=person, when=when, outcome=outcome, category=category)

    for number in range(300):
        add(prompt(number), rng.choice(PEOPLE), rng.randrange(DAYS))
    for place, person in enumerate(PEOPLE):
        add(IDEA, person, place * 10)
        for month in range(4 if place < 4 else 0):
            add(HABIT.format(month), person, 30 * month + place)
    for place, day in enumerate((5, 60)):
        when = FIRST + timedelta(days=day)
        add_battle(session, f"A rare pair {day}", person=PEOPLE[place], when=when, names=(NAMES[1], NAMES[0]))


async def released(database, folder, name: str) -> list[dict]:
    """The rows of a release that was built, read and published."""
    options = {"licence": "CC BY 4.0", "terms": 1, "salt": name.encode(), "now": MOMENTS[name]}
    row = await build(database, folder / name, name=name, **options)
    await passed(database, name, row.digest, row.conversations, "reader")
    await publish(database, folder / name, name, 1, MOMENTS[name])
    return parquet.read(folder / name / TABLE)


@pytest.fixture(scope="module")
def releases(empty_database, tmp_path_factory) -> tuple[Path, dict[str, list[dict]]]:
    """The folder of an arena with three releases, and their rows; no test changes any."""
    folder = tmp_path_factory.mktemp("releases")
    (folder / "arena.db").write_bytes(empty_database.read_bytes())

    async def release() -> dict[str, list[dict]]:
        database = open_database(f"sqlite:///{folder / 'arena.db'}")
        await database.write(fill)
        rows = {name: await released(database, folder, name) for name in MOMENTS}
        database.close()
        return rows

    return folder, asyncio.run(release())


@pytest.fixture
def three(releases) -> dict[str, list[dict]]:
    return releases[1]


@pytest.fixture
def log(releases) -> Iterator[Database]:
    """The database of the arena with three releases."""
    database = open_database(f"sqlite:///{releases[0] / 'arena.db'}")
    yield database
    database.close()


def texts(row: dict) -> set[str]:
    return {turn["user"]["content"][0]["text"] for turn in row["full_conversation"]}


def by_person(name: str, rows: list[dict]) -> dict[str, list[dict]]:
    """Rows by person; the test knows the person from the salt."""
    names = Pseudonyms(name.encode())
    people = {names.of_person(person): person for person in PEOPLE}
    groups = defaultdict(list)
    for row in rows:
        groups[people[row["evaluation_session_id"]]].append(row)
    return groups


async def test_no_person_of_one_release_shares_a_text_with_themselves_in_another(three):
    people = {name: by_person(name, rows) for name, rows in three.items()}
    assert all(len(rows) > 50 and len(people[name]) == len(PEOPLE) for name, rows in three.items())
    linked = [
        (person, one, two)
        for one, two in combinations(three, 2)
        for person in PEOPLE
        if set().union(*map(texts, people[one][person])) & set().union(*map(texts, people[two][person]))
    ]
    assert linked == []


async def test_no_habit_of_a_person_is_in_two_releases(three):
    stem = HABIT.partition("{")[0]
    overlaps = [
        person
        for name, rows in three.items()
        for person, habits in by_person(name, rows).items()
        if any(text.startswith(stem) for row in habits for text in texts(row))
    ]
    assert len(overlaps) == len(set(overlaps)) > 0


async def test_names_of_rows_and_people_are_never_used_again(three):
    for column in ("id", "evaluation_session_id"):
        used = [{row[column] for row in rows} for rows in three.values()]
        assert sum(map(len, used)) == len(set().union(*used))


async def test_no_person_has_votes_of_one_week_in_two_releases(log, three):
    """The log names a voter for a day and a neighbourhood for a week: either would join what it divides."""
    votes = await log.read(lambda session: [(v.battle_id, v.created_at) for v in session.query(VoteRow)])
    weeks = {}
    for name, rows in three.items():
        names = Pseudonyms(name.encode())
        ids = {row["id"] for row in rows}
        weeks[name] = {when.isocalendar()[:2] for battle, when in votes if names.of_battle(battle) in ids}
    assert all(map(len, weeks.values()))
    assert [pair for pair in combinations(weeks, 2) if weeks[pair[0]] & weeks[pair[1]]] == []


async def test_every_row_fits_two_votes_of_the_log_in_the_weeks_that_the_card_names(log, three):
    live = await live_export(log)
    bounds = ["2000-01-01", "2026-04-20", "2026-05-25", "2026-07-06"]
    for rows, (since, until) in zip(three.values(), pairwise(bounds), strict=True):
        votes = [vote for vote in live if since <= vote["created_at"][:10] < until]
        assert min(sum(fits(row, vote) for vote in votes) for row in rows) >= 2


async def test_the_card_says_which_weeks_a_release_holds_and_what_was_left_out(releases, three):
    folder, _ = releases
    cards = {name: " ".join((folder / name / "README.md").read_text().split()) for name in three}
    assert "votes up to 2026-04-19" in cards["one"]
    assert "votes from 2026-04-20 to 2026-05-24" in cards["two"]
    assert "votes from 2026-05-25 to " in cards["three"]
    assert "| earlier | 0 |" in cards["one"]
    assert "| asked_before | 0 |" in cards["one"]
    assert f"| earlier | {len(three['one'])} |" not in cards["two"]  # those that stood alone are left out for ever too
    numbers = [int(cards[name].partition("| earlier | ")[2].partition(" ")[0]) for name in three]
    assert numbers[0] < len(three["one"]) <= numbers[1] < numbers[2]
    assert all(int(cards[name].partition("| asked_before | ")[2].partition(" ")[0]) > 0 for name in ("two", "three"))


async def test_of_two_releases_of_the_same_weeks_only_one_is_published(database, tmp_path):
    await database.write(fill)
    options = {"licence": "CC BY 4.0", "terms": 1, "now": MOMENTS["one"]}
    row = await build(database, tmp_path / "rival", name="rival", salt=b"rival", **options)
    await passed(database, "rival", row.digest, row.conversations, "reader")
    await released(database, tmp_path, "one")
    with pytest.raises(Conflict, match="published since release rival was built; build it again"):
        await publish(database, tmp_path / "rival", "rival", 1, MOMENTS["one"])
    with pytest.raises(Invalid, match=r"is in a release.* can be built from 2026-05-27"):
        await build(database, tmp_path / "rival", name="rival", salt=b"rival", **options)
