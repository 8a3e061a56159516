"""Closed questions: asked with shuffled options, scored by their key, and a preferred position shows."""

import json
import re
from random import Random

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.cli.evaluation_tables import show_report
from arena.evaluations.domain.people.options import Choice
from arena.evaluations.domain.terms import Level
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import generation, importer, lifecycle, views
from arena.evaluations.usecases.judges import judging
from arena.evaluations.usecases.judges.judging_plan import JudgingRequest
from arena.evaluations.usecases.reports.choices import ClosedAnswer, choices_of, positions_of
from arena.evaluations.usecases.reports.report import report
from arena_providers.base import Chunk
from arena_providers.terms import Finish
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import QUESTIONS, add_evaluation, caller

pytestmark = pytest.mark.sqlite

CLOSED = tuple(
    QuestionView(
        id=f"q{number}",
        turns=[f"Which is number {number}?"],
        area="odd" if number % 2 else "even",
        options=[f"number {(number + step) % 40}" for step in range(4)],
        key="A",
    )
    for number in range(40)
)


class Pupils:
    """One endpoint knows everything, the other always says A."""

    async def stream(self, target, messages):
        text = messages[-1].content
        wanted = re.search(r"is (number \d+)\?", text)[1]  # pyright: ignore[reportOptionalSubscript]
        right = re.search(rf"([A-D])\. {wanted}\n", text)[1]  # pyright: ignore[reportOptionalSubscript]
        yield Chunk(text=f"Answer: {right}" if target.wire_model == NAMES[0] else "A")  # pyright: ignore[reportCallIssue]
        yield Chunk(finish=Finish.STOP)


async def examined(database, questions=CLOSED):
    await add_evaluation(database, questions=questions, protocol="closed")
    await generation.generate(caller(database, Pupils()), "taste")
    return await report(database, "taste")


async def test_accuracy_by_category_and_position_shows_who_knows_and_who_guesses(database):
    found = await examined(database)
    whole = {each.model: each for each in found.choices if not each.category}
    knows, guesses = whole[NAMES[0]], whole[NAMES[1]]
    assert (knows.right, knows.share, knows.high, knows.loose, knows.unreadable) == (40, 1, 1, 0, 0)
    assert (guesses.questions, guesses.right < 20) == (40, True)
    assert {(each.category, each.questions) for each in found.choices} == {("", 40), ("odd", 20), ("even", 20)}
    at = {each.letter: each for each in found.positions if each.model == NAMES[1]}
    assert [at[letter].chosen for letter in "ABCD"] == [40, 0, 0, 0]
    assert [at[letter].share for letter in "ABCD"] == [1, 0, 0, 0]
    assert [at[letter].preferred for letter in "ABCD"] == [True, False, False, False]
    assert sum(each.keys for each in at.values()) == 40


async def test_shares_stand_by_task_where_these_are_wanted(database):
    tasked = tuple(one.model_copy(update={"task": f"task {place % 4}"}) for place, one in enumerate(CLOSED))
    await examined(database, tasked)
    found = await report(database, "taste", Level.TASK)
    assert {each.category for each in found.choices} == {"", "task 0", "task 1", "task 2", "task 3"}


async def test_who_prefers_a_position_is_named_in_a_sentence(database, capsys):
    show_report(await examined(database))
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if " prefers " in line] == [
        f"{NAMES[1]} prefers A: more of its wrong choices are there than by chance (95 %)."
    ]


def test_who_guesses_evenly_is_seldom_said_to_prefer_a_position():
    rng, hits = Random(3), 0
    for _ in range(200):
        answers = [ClosedAnswer("m", "", 4, rng.choice("ABCD"), Choice(rng.choice("ABCD"), True)) for _ in range(120)]
        hits += any(position.preferred for position in positions_of(answers))
    assert hits <= 20


async def test_it_needs_no_people_and_closes_with_its_report(database):
    found = await examined(database)
    with pytest.raises(Invalid, match="Nobody judges the answers of taste"):
        await lifecycle.open_evaluation(database, "taste")
    await lifecycle.close_evaluation(database, "taste", START)
    await lifecycle.publish_report(database, "taste", report)
    assert (await views.record(database, "taste")).report == found


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"questions": QUESTIONS}, r"Not to be scored by a key: sum \(«.*»\): no options; "),
        ({"questions": CLOSED, "models": NAMES[:1], "others": ["gull"]}, "no answers come from files"),
    ],
)
async def test_what_cannot_be_asked_is_refused_and_nothing_is_kept(database, fields, reason):
    with pytest.raises(Invalid, match=reason):
        await add_evaluation(database, protocol="closed", **fields)
    assert await database.read(stored.all_rows) == []


async def test_answers_from_a_file_are_refused_as_their_options_had_another_order(database, tmp_path):
    await add_evaluation(database, questions=CLOSED, protocol="closed")
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"question": "q1", "model": NAMES[0], "answer": "A"}))
    (refusal,) = (await importer.import_file(database, "taste", file, START)).refused
    assert "under closed none comes from a file" in str(refusal)


async def test_judges_do_not_compare_letters(database, scripted):
    await add_evaluation(database, questions=CLOSED, protocol="closed")
    with pytest.raises(Invalid, match="judges compare answers to open questions"):
        await judging.judge(caller(database, scripted), "taste", JudgingRequest(("referee",), "grades"))


def test_a_large_set_of_many_models_is_grouped_once():
    """Effort in calls of Python code grows with the answers, not with answers × models × categories."""

    def steps(models: int, questions: int) -> int:
        choice = Choice("A", strict=True)
        answers = [
            ClosedAnswer(f"m{model}", f"cat{number % 67}", 4, "A", choice)
            for model in range(models)
            for number in range(questions)
        ]
        assert len(choices_of(answers)) == models * 68
        return looks_at(answers, choices_of)

    assert steps(20, 670) < 1.2 * 4 * steps(10, 335)


def looks_at(answers: list[ClosedAnswer], count) -> int:
    """How often a function takes an answer from these."""
    taken = 0

    class Counted(list[ClosedAnswer]):
        def __iter__(self):
            nonlocal taken
            for answer in super().__iter__():
                taken += 1
                yield answer

    count(Counted(answers))
    return taken
