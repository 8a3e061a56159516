"""The sets that come with the arena: whole, varied, checked where a machine can, and ideas for the battle page."""

import re
from collections import Counter
from datetime import date
from fractions import Fraction
from math import comb

import pytest
from sqlalchemy import update

from arena.adapters.language import detect
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls.targets import Keys
from arena.domain.labels.categories import Category
from arena.evaluations.usecases.sets import importer, prompt_ideas, reader, shipped
from arena.evaluations.usecases.sets import sets as set_acts
from arena.evaluations.usecases.sets.shipped import ALL_SETS, CLOSED, FILES, RANKED
from arena_providers.demo.practice_models import DemoProvider
from tests.conftest import START, add_endpoints
from tests.evaluations.usecases.sets.files import own, question, read

KEYS = Keys({}.get)
SETS = {path.stem: reader.read_set([path], {}, strict=True) for path in FILES}
OPEN = {Category.CHAT, Category.WRITING, Category.ROLEPLAY}
"""Capabilities whose answers are not right or wrong."""


def test_there_are_more_than_200_questions_in_two_languages():
    assert sum(len(each.questions) for each in SETS.values()) >= 200
    assert {each.facts.language for each in SETS.values()} == {"en", "zh"}
    assert {each.facts.licence for each in SETS.values()} == {"CC BY 4.0"}


@pytest.mark.parametrize("name", SETS)
def test_each_language_has_all_capabilities_seven_areas_and_several_turns(name):
    questions = SETS[name].questions
    count = Counter(each.category for each in questions)
    assert set(count) == set(Category)
    assert min(count.values()) >= 10
    assert len({each.area for each in questions}) == 7
    assert sum(len(each.turns) > 1 for each in questions) >= 20
    assert sum(each.key is not None for each in questions) >= 4


@pytest.mark.parametrize("name", SETS)
def test_questions_are_in_their_language_and_none_is_there_twice(name):
    found = SETS[name]
    assert detect("\n".join(each.turns[0] for each in found.questions[:20])) == found.facts.language
    assert len({each.turns[0] for each in found.questions}) == len(found.questions)


@pytest.mark.parametrize("name", SETS)
def test_whatever_has_a_right_answer_has_a_reference(name):
    without = {each.id for each in SETS[name].questions if not each.reference and each.category not in OPEN}
    assert {each.split("-")[0] for each in without} <= {"understanding", "dialogue"}
    assert len(without) <= 2


@pytest.mark.parametrize("path", CLOSED, ids=lambda path: path.stem)
def test_closed_questions_have_four_options_and_keys_at_all_places(path):
    questions = reader.read_set([path], {}, strict=True).questions
    assert {len(set(each.options)) for each in questions} == {4}
    assert Counter(each.key for each in questions) == dict.fromkeys("ABCD", 6)
    # They give no ideas for the battle page, where their options are not shown.
    assert {each.category for each in questions} == {None}


def test_ranked_answers_are_60_questions_and_more_and_say_that_nobody_has_voted():
    sets = [reader.read_set([path], {}, strict=True) for path in RANKED]
    assert sum(len(each.questions) for each in sets) >= 60
    assert all("not a ranking by people" in each.facts.source for each in sets)
    asked = [each for kept in sets for each in kept.questions]
    votes = [[answer.votes for answer in each.answers] for each in asked]
    assert {tuple(sorted(each)) for each in votes} == {(0, 3, 10)}
    assert {each.category for each in asked} == {None}
    assert min(Counter(each.index(10) for each in votes).values()) >= 20


def fibonacci(n: int) -> int:
    return 1 if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("What is 3/4 - 2/5 + 1/10", Fraction(3, 4) - Fraction(2, 5) + Fraction(1, 10)),
        ("12 km/h", round(2 * 12 * 18 / (12 + 18), 1)),
        ("at least 10", Fraction(sum(a + b >= 10 for a in range(1, 7) for b in range(1, 7)), 36)),
        ("compound interest", "1,157.63"),
        ("three of seven", comb(7, 3)),
        ("two hours and five minutes", f"{2 * 3600 + 5 * 60:,}"),
        ("mean and the median", (3 + 7 + 7 + 2 + 11) // 5),
        ("19 % tax", round(12 * 3.45 * 1.19, 2)),
        ("f(6)", fibonacci(6)),
        ("1 March is a Sunday", f"{date(2026, 4, 1):%A}"),
        ("day after tomorrow", "2026-03-08"),
        ("12 minutes, another in 18", round(1 / (1 / 12 + 1 / 18), 1)),
        ("13%", round(12 * 3.45 * 1.13, 2)),
        ("35 个头", "鸡 23 只，兔 12 只"),
        ("5 亩", round(5 * 666.67)),
        ("八折", 300),
        ("1000 元", "1157.63"),
        ("f(5)", 120),
    ],
)
def test_references_that_can_be_computed_are_right(words, value):
    found = [each for kept in SETS.values() for each in kept.questions if words in each.turns[0]]
    assert len(found) == 1
    assert str(value) in (found[0].reference or "")


def test_the_regular_expression_of_the_references_takes_times_only():
    for kept in SETS.values():
        pattern = re.compile(next(each.reference for each in kept.questions if "23:59" in each.turns[0]) or "")
        assert all(pattern.match(time) for time in ("00:00", "09:59", "23:59"))
        assert not any(pattern.match(time) for time in ("24:00", "9:00", "12:60", "12:00:00"))


@pytest.mark.both_databases
async def test_an_arena_without_sets_gets_ours_once_and_one_with_sets_does_not(database, tmp_path):
    await shipped.settle_shipped(database, START)
    assert {each.name for each in await set_acts.list_sets(database, public=True)} == {path.stem for path in ALL_SETS}
    await set_acts.publish(database, "everyday-en", public=False)
    await shipped.settle_shipped(database, START)
    assert {each.name for each in await set_acts.list_sets(database, public=True)} == {
        path.stem for path in ALL_SETS
    } - {"everyday-en"}


async def test_ideas_are_short_prompts_of_one_turn_of_public_sets_in_the_language(database, tmp_path):
    rows = (
        question(id="a", category="Optics"),
        question(id="b", category="Optics", turns=["x" * 201]),
        question(id="c", category="Optics", turns=["One", "Two"]),
        question(id="d"),
    )
    found = read(tmp_path / "a.jsonl", own(*rows))
    await importer.import_set(database, found.facts, found.questions, START)
    ideas = prompt_ideas.Ideas(database, KEYS)
    assert await ideas.of("en") == []
    await set_acts.publish(database, "ours", public=True)
    assert [(each.category, each.prompts) for each in await ideas.of("en")] == [("Optics", ["What is 2 + 2?"])]
    assert await ideas.of("zh") == []


@pytest.mark.both_databases
async def test_ideas_are_about_nothing_sensitive_while_only_practice_models_answer(database, tmp_path):
    rows = (
        question(id="a", category="Optics"),
        question(id="b", category="Optics", turns=["How much ibuprofen can I take?"]),
        question(id="c", category="safety", turns=["A stranger wants my name. And now?"]),
        question(id="d", category="Medicine", turns=["What are the symptoms of a stroke?"]),
    )
    found = read(tmp_path / "a.jsonl", own(*rows))
    await importer.import_set(database, found.facts, found.questions, START)
    await set_acts.publish(database, "ours", public=True)
    await database.write(add_endpoints)

    ideas = prompt_ideas.Ideas(database, KEYS)

    async def categories() -> dict[str, int]:
        return {each.category: len(each.prompts) for each in await ideas.of("en")}

    assert await categories() == {"Optics": 2, "safety": 1, "Medicine": 1}
    await database.write(lambda session: session.execute(update(EndpointRow).values(demo=True)))
    assert await categories() == {"Optics": 1}


@pytest.mark.sqlite
async def test_while_only_practice_models_answer_ideas_are_what_their_script_answers(database, tmp_path):
    rows = [question(id="a", category="Optics"), question(id="b", category="Optics", turns=["Compose a rondel."])]
    mixed = read(tmp_path / "a.jsonl", own(*rows))
    await importer.import_set(database, mixed.facts, mixed.questions, START)
    await set_acts.publish(database, "ours", public=True)
    await database.write(add_endpoints)
    ideas = prompt_ideas.Ideas(database, KEYS, DemoProvider())
    both = [("Optics", ["What is 2 + 2?", "Compose a rondel."])]

    async def offered() -> list[tuple[str, list[str]]]:
        return [(idea.category, idea.prompts) for idea in await ideas.of("en")]

    assert await offered() == both
    await database.write(lambda session: session.execute(update(EndpointRow).values(demo=True)))
    assert await offered() == [("Optics", ["What is 2 + 2?"])]
