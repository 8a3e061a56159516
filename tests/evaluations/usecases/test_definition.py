"""Definition of evaluations: each bad wish is one clear sentence."""

import pytest

from arena.adapters.store import budgets, endpoints, owners
from arena.domain.errors import ArenaError
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import EndpointState, Use
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.usecases import views
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import QUESTIONS, add_evaluation


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"models": ["red-7b"]}, "An evaluation needs two models at least"),
        ({"models": ["red-7b", "red-7b"]}, "named twice"),
        ({"models": ["red-7b", "gull"]}, "There is no endpoint 'gull'"),
        ({"protocol": "taste"}, "There is no protocol 'taste'"),
        ({"design": "random"}, "There is no design 'random'"),
        ({"version": 7}, "There is no such set of questions"),
        ({"baseline": "red-7b"}, "The baseline red-7b is also a candidate"),
        ({"baseline": "gull", "protocol": "stars"}, "A baseline needs a protocol that compares two answers"),
        ({"name": "a/b"}, "An evaluation's name has 1 to 80"),
        ({"name": ".. "}, "not just dots"),
        ({"repeats": 0.7}, "repeats are 0 to 0.5"),
        ({"least_right": 1.5}, "Thresholds of annotators are shares"),
        ({"least_consistency": 0.0}, "Thresholds of annotators are shares"),
    ],
)
@pytest.mark.sqlite
async def test_what_makes_no_sense_is_refused(database, fields, why):
    with pytest.raises(ArenaError, match=why):
        await add_evaluation(database, **fields)
    assert await views.list_progress(database) == []


async def test_a_name_is_taken_once(database):
    await add_evaluation(database)
    with pytest.raises(ArenaError, match="There is an evaluation taste already"):
        await add_evaluation(database)
    with pytest.raises(EvaluationNotFound):
        await views.progress(database, "smell")


async def test_a_protocol_that_needs_references_refuses_a_set_without_them(database):
    bare = QuestionView(id="bare", turns=["Why?"], category="objective")
    with pytest.raises(ArenaError, match=r"needs a reference for each objective question; bare \(«Why\?»\) has none"):
        await add_evaluation(database, questions=[*QUESTIONS, bare], protocol="stars-llmeval2")


async def test_an_endpoint_with_an_address_takes_part_once_its_owner_allows_it(database):
    await add_evaluation(database)

    def give_address(session) -> int:
        row = endpoints.by_name(session, NAMES[0])
        row.url = "https://models.example/v1"
        return row.id

    number = await database.write(give_address)
    with pytest.raises(
        ArenaError, match="red-7b is for battles only; allow it: arena endpoints use red-7b evaluations"
    ):
        await add_evaluation(database, "second")
    await database.write(lambda s: owners.join(s, "p" * 64, endpoints.by_name(s, NAMES[0]).owner.id, START))
    with pytest.raises(ArenaError, match="red-7b is for battles only; Somebody Labs, who pays for its calls,"):
        await add_evaluation(database, "second")
    await database.write(budgets.allow, number, Use.EVALUATIONS, 3)
    await add_evaluation(database, "second")


async def test_an_endpoint_that_does_not_take_part_cannot_be_asked(database):
    await add_evaluation(database)
    await database.write(lambda s: setattr(endpoints.by_name(s, NAMES[1]), "state", EndpointState.RETIRED))
    with pytest.raises(ArenaError, match="blue-7b is retired, so it cannot be asked"):
        await add_evaluation(database, "second")


@pytest.mark.both_databases
async def test_calls_for_a_use_are_counted_by_the_day_up_to_its_cap(database):
    await add_evaluation(database)
    day = START.date()
    await database.write(budgets.allow, 1, Use.EVALUATIONS, 2)
    taken = [await database.write(budgets.take_use, 1, Use.EVALUATIONS, day) for _ in range(3)]
    assert taken == [True, True, False]
    assert await database.write(budgets.take_use, 1, Use.EVALUATIONS, day.replace(day=2))
    assert await database.write(budgets.take_use, 1, Use.JUDGING, day)
    await database.write(budgets.forbid, 1, Use.EVALUATIONS)
    assert await database.read(budgets.uses, 1) == []
