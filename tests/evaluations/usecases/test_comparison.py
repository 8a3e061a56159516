"""A comparison that is interrupted anywhere goes on with the next call, and is there as a whole or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.adapters.store import questions
from arena.domain.errors import Conflict
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import comparison, definition
from arena.evaluations.usecases.answer_files.material_reader import read_material
from arena.evaluations.usecases.comparison import Comparison, open_comparison
from tests.conftest import START
from tests.evaluations.usecases.populated import caller
from tests.statements import recorded

STEPS = ["store_set", "add_draft", "_store_answers"]


class Killed(Exception):
    """The process ends here."""


@pytest.fixture
def mine(tmp_path) -> Comparison:
    file = tmp_path / "answers.csv"
    file.write_text("question,old,new\nWhat?,x,y\nWhere?,z,w\n")
    return Comparison("mine", read_material([file], "mine", wide=True))


async def open_until(step, calling, definition, monkeypatch):
    """Open a comparison in a process that is killed after a step."""
    whole = getattr(comparison, step)

    def kill(*args, **rest):
        whole(*args, **rest)
        raise Killed

    monkeypatch.setattr(comparison, step, kill)
    with pytest.raises(Killed):
        await open_comparison(calling, definition)
    monkeypatch.undo()


@pytest.mark.both_databases
@pytest.mark.parametrize("step", STEPS)
async def test_a_comparison_whose_definition_is_interrupted_is_made_by_the_next_call(
    database, scripted, mine, step, monkeypatch
):
    await open_until(step, caller(database, scripted), mine, monkeypatch)
    assert await database.read(questions.version, "mine", None) is None
    assert await database.read(stored.by_name, "mine") is None
    opened = await open_comparison(caller(database, scripted), mine)
    assert (opened.items, len(opened.links)) == (2, 3)


@pytest.mark.both_databases
@pytest.mark.parametrize("step", ["open_draft", "add_invited"])
async def test_a_comparison_that_is_interrupted_as_it_opens_has_its_people_from_the_next_call(
    database, scripted, mine, step, monkeypatch
):
    await open_until(step, caller(database, scripted), mine, monkeypatch)
    opened = await open_comparison(caller(database, scripted), mine)
    assert (opened.items, len(opened.links)) == (2, 3)
    with pytest.raises(Conflict, match="`arena evaluations invite mine` makes more links"):
        await open_comparison(caller(database, scripted), mine)


@pytest.mark.both_databases
async def test_a_comparison_that_an_earlier_version_left_without_its_answers_goes_on(database, scripted, mine):
    draft = definition.NewEvaluation("mine", "mine", "pairwise", others=["old", "new"])

    def half(session) -> None:
        now = caller(database, scripted).now()
        comparison.store_set(session, mine.material.facts, mine.material.questions, now)
        definition.add_draft(session, draft, now)

    await database.write(half)
    opened = await open_comparison(caller(database, scripted), mine)
    assert (opened.items, len(opened.links)) == (2, 3)


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"margin": 50.0}, "with --margin 20"),
        ({"per_item": 5}, "with --per-item 3"),
        ({"models": ["gull"]}, "with other questions or models"),
        ({"text": "question,old,new\nWhich?,x,y\nWhere?,z,w\n"}, "with other questions or models"),
        ({"text": "question,old,new\nWhat?,x,y\n"}, "with other questions or models"),
    ],
)
async def test_a_comparison_goes_on_with_its_own_terms_alone(database, scripted, mine, tmp_path, changes, difference):
    await comparison.define(database, mine, START)
    if "text" in changes:
        (tmp_path / "answers.csv").write_text(changes["text"])
        changes = {"material": read_material([tmp_path / "answers.csv"], "mine", wide=True)}
    with pytest.raises(Conflict, match=difference):
        await open_comparison(caller(database, scripted), replace(mine, **changes))
    opened = await open_comparison(caller(database, scripted), replace(mine, people=2))
    assert (opened.items, len(opened.links)) == (2, 2)


@pytest.mark.both_databases
async def test_finished_answers_are_written_in_few_statements(database, tmp_path):
    """While a draft is written no vote is, so the number of statements must not grow with the answers."""
    statements = list[int]()
    for count in (20, 200):
        file = tmp_path / f"answers{count}.csv"
        file.write_text("question,old,new\n" + "".join(f"What is {n}?,x,y\n" for n in range(count)))
        sizes = Comparison(f"of-{count}", read_material([file], f"of-{count}", wide=True))
        with recorded() as sent:
            await comparison.define(database, sizes, START)
        statements.append(len(sent))
        row = await database.read(stored.by_name, f"of-{count}")
        answers = await database.read(lambda session, row=row: list(stored.answers(session, row.id)))
        assert len(answers) == 2 * count
    assert statements[0] == statements[1]
