"""The sample that people label: spread over the labels, each item read twice, and labellers measured by it."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import Counter
from random import Random

import pytest
from sqlalchemy import event, update

from arena.adapters.store import labels
from arena.adapters.store.tables.conversations import BattleRow
from arena.domain.errors import AlreadyAnnotated, Invalid, NotFound, QuestionSetNotFound
from arena.domain.labels.label_sets import LabelSource
from arena.domain.schemas.labels import LabelReadingRequest
from arena.domain.schemas.questions import QuestionView
from arena.usecases.labelling import samples
from arena.usecases.labelling.endpoint_labels import label_sample
from arena.usecases.labelling.labellers import labellers
from tests.adapters.store.test_vote_batches import plans
from tests.conftest import START, add_endpoints
from tests.evaluations.usecases.populated import caller, keep_set
from tests.usecases.battles.test_turns import play
from tests.usecases.labelling import test_endpoint_labels
from tests.usecases.labelling.test_rule_labels import PROMPTS, fill
from tests.usecases.votes.test_votes import vote

sorter = test_endpoint_labels.sorter
QUESTIONS = tuple(QuestionView(id=f"q{n}", turns=[PROMPTS[1] if n < 30 else PROMPTS[n % 3]]) for n in range(33))


async def draw(database, questions=("ours",), name="capabilities") -> int:
    return await samples.draw(database, name, questions, Random(1), START)


async def say(database, number: int, *values: str, reader: str = "anna", reading: int = 1) -> None:
    reading_request = LabelReadingRequest(
        set="capabilities", number=number, reader=reader, reading=reading, values=list(values)
    )
    await samples.read(database, reading_request, START)


@pytest.mark.both_databases
async def test_rare_labels_are_drawn_before_more_of_common_ones(database, monkeypatch):
    monkeypatch.setattr(samples, "SIZE", 6)
    await keep_set(database, QUESTIONS)
    assert await draw(database) == 6
    rows = await database.read(labels.sample, "capabilities")
    assert Counter(row.by_rules["capabilities/rules/2"][0] for row in rows) == {"code": 4, "writing": 1, "chat": 1}
    assert await draw(database) == 6
    assert [row.digest for row in await database.read(labels.sample, "capabilities")] == [row.digest for row in rows]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_rules_hold_up_no_writes(database, monkeypatch):
    threads: set[str] = set()

    def rules(_prompts) -> tuple[str, ...]:
        threads.add(threading.current_thread().name)
        return ("code",)

    monkeypatch.setitem(samples.LABEL_RULES, "capabilities", rules)
    await keep_set(database, QUESTIONS[-3:])
    assert [await draw(database) for _ in range(2)] == [3, 3]
    assert threads
    assert database._writer.name not in threads


async def test_votes_are_drawn_with_their_prompts(database):
    await database.write(add_endpoints)
    await database.write(fill, 9)
    assert await draw(database, ()) == 9
    work = await samples.work(database, "capabilities", "anna", 1)
    assert work.item.prompts[0] in PROMPTS


@pytest.mark.both_databases
async def test_rules_that_are_newer_keep_what_was_said_of_a_withdrawn_conversation(database):
    await database.write(add_endpoints)
    await database.write(fill, 9)
    await draw(database, ())
    before = [row.by_rules for row in await database.read(labels.sample, "capabilities")]
    await database.write(lambda session: session.execute(update(BattleRow).values(withdrawn=True)))
    assert await draw(database, ()) == 9
    assert [row.by_rules for row in await database.read(labels.sample, "capabilities")] == before
    assert (await samples.work(database, "capabilities", "anna", 1)).item is None


@pytest.mark.both_databases
async def test_of_many_who_read_an_item_at_once_two_are_heard(database):
    await keep_set(database, QUESTIONS[-1:])
    await draw(database)
    readers = "anna", "ben", "cleo", "dora", "emil", "fritz"
    results = await asyncio.gather(*(say(database, 1, reader=reader) for reader in readers), return_exceptions=True)
    assert Counter(map(type, results)) == {type(None): 2, AlreadyAnnotated: 4}


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_readings_are_found_without_all_labels_of_the_set(database):
    statements: list[tuple[str, object]] = []

    def note(_connection, _cursor, statement, parameters, _context, _many) -> None:
        statements.append((statement, parameters))

    event.listen(database._reading, "before_cursor_execute", note)
    await database.read(labels.readings, "capabilities")
    event.remove(database._reading, "before_cursor_execute", note)
    steps = [step for step in await database.read(plans, statements) if re.match(r"(SEARCH|SCAN) labels ", step)]
    assert len(steps) == 2
    assert all(re.search(r"\((vote_number|question_id)=\?", step) for step in steps)


@pytest.mark.sqlite
async def test_a_sample_of_nothing_is_refused(database):
    with pytest.raises(Invalid, match="nothing to draw from"):
        await draw(database, ())
    with pytest.raises(QuestionSetNotFound):
        await draw(database, ("unknown",))
    assert await samples.work(database, "flags", "anna", 1) == samples.LabelTaskView(
        item=None, labels=samples.label_set("flags").labels, items=0, readings=0
    )


async def test_each_item_is_read_twice_by_two_people_or_by_one_at_two_times(database):
    await keep_set(database, QUESTIONS[-3:])
    await draw(database)
    for number in (1, 2, 3):
        work = await samples.work(database, "capabilities", "anna", 1)
        assert (work.item.number, work.items, work.readings) == (number, 3, number - 1)
        await say(database, number, "code")
    assert (await samples.work(database, "capabilities", "anna", 1)).item is None
    await say(database, 1, "writing", "code", reader="ben")
    assert (await samples.work(database, "capabilities", "ben", 1)).item.number == 2
    assert (await samples.work(database, "capabilities", "anna", 2)).item.number == 2
    await say(database, 2, reading=2)
    assert (await samples.work(database, "capabilities", "ben", 1)).item.number == 3
    assert await database.read(labels.counts) == [
        ("capabilities", "person:anna", 1, 0, 3),
        ("capabilities", "person:anna", 2, 0, 1),
        ("capabilities", "person:ben", 1, 0, 1),
    ]


async def test_what_cannot_be_said_is_refused_and_leaves_nothing(database):
    await keep_set(database, QUESTIONS[-1:])
    await draw(database)
    with pytest.raises(NotFound):
        await say(database, 2, "code")
    for values in (("cooking",), ("code", "code")):
        with pytest.raises(Invalid):
            await say(database, 1, *values)
    await say(database, 1, "code")
    with pytest.raises(AlreadyAnnotated):
        await say(database, 1, "chat")
    await say(database, 1, "code", reader="ben")
    with pytest.raises(AlreadyAnnotated):
        await say(database, 1, "code", reader="cleo")
    assert sum(questions for *_, questions in await database.read(labels.counts)) == 2


async def test_each_labeller_is_measured_by_the_readings(runtime, scripted, sorter):
    database = runtime.database
    await sorter("chat")
    await keep_set(database, QUESTIONS[-3:])
    assert await labellers(database) == []
    await draw(database)
    assert await labellers(database) == []
    rows = await database.read(labels.sample, "capabilities")
    for row in rows:
        await say(database, row.number, *row.by_rules["capabilities/rules/2"])
        await say(database, row.number, reader="ben")
    run = await label_sample(caller(database, scripted), LabelSource("capabilities", "sorter", 1), 0)
    assert (run.calls, run.labelled) == (3, 3)
    (report,) = await labellers(database)
    assert (report.set, report.items, report.readings) == ("capabilities", 3, 6)
    by_name = {labeller.labeller: labeller for labeller in report.labellers}
    assert list(by_name) == ["people", "capabilities/rules/2", "capabilities/rules/1", "sorter"]
    assert (by_name["people"].readings, by_name["people"].same) == (3, 0.0)
    assert (by_name["capabilities/rules/2"].readings, by_name["capabilities/rules/2"].same) == (6, 0.5)
    # One of the three is chat, and was read so once.
    assert by_name["sorter"].same == round(1 / 6, 4)
    code = next(label for label in by_name["capabilities/rules/2"].labels if label.label == "code")
    assert (code.people, code.labeller, code.both) == (1, 2, 1)


@pytest.mark.both_databases
async def test_prompts_of_votes_in_the_sample_reach_an_endpoint_only_under_terms(runtime, voter, scripted, sorter):
    await sorter("chat")
    battle, _ = await play(runtime, voter, "Good morning")
    await vote(runtime, voter, battle.id)
    await draw(runtime.database, ())
    for terms in (0, 2):
        run = await label_sample(caller(runtime.database, scripted), LabelSource("capabilities", "sorter", 1), terms)
        assert (run.calls, run.labelled) == (0, 0)
