"""Redistribution by the worker: only where it was asked for, only of people with links, and each take-back a row."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select

from arena.adapters.store.leases import Superseded, unguarded
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.cli.annotators import show_left_out
from arena.evaluations.domain.schemas.evaluation_reports import AnnotatorView
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.annotations import AnnotatorRow, WithdrawalRow
from arena.evaluations.usecases import importer, lifecycle
from arena.evaluations.usecases.people import annotators
from arena.evaluations.usecases.people.redistribution import (
    CHECK_INTERVAL,
    QualityChecks,
    Thresholds,
    below_limits,
    redistribute_due,
    too_few,
)
from arena.evaluations.usecases.reports.report import report
from arena.serving.fit_process import fitting_process
from arena.serving.loops import Progress
from arena.serving.publisher import Publisher
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation
from tests.usecases.ranking.test_publication import METHOD

MANY = [QuestionView(id=str(number), turns=["?"]) for number in range(30)]
REASON = "0.00 of 12 answers as the others, below 0.50"


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1) as executor:
        yield executor


async def say(database, tmp_path, questions: list[QuestionView], *said: str) -> None:
    path = tmp_path / "rows.jsonl"
    row = {"a": "red-7b", "b": "blue-7b"}
    rows = [
        row | {"question": question.id, "outcome": word, "annotator": f"p{place}"}
        for question in questions
        for place, word in enumerate(said)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = await importer.import_file(database, "taste", path, START)
    assert done.refused == []


def give_links(session, **columns) -> None:
    """As if all of them had been invited."""
    for who in session.scalars(select(AnnotatorRow)):
        who.link = f"the digest of {who.label}"
        for name, value in columns.items():
            setattr(who, name, value)


def open_to_people(session) -> None:
    stored.by_id(session, 1).state = EvaluationState.OPEN


async def add_judged(database, tmp_path, **fields) -> None:
    """An open evaluation in which p4 says the opposite of all others."""
    await add_evaluation(database, questions=MANY, **{"least_right": 0.5, **fields})
    await say(database, tmp_path, MANY[:12], *"aaaab")
    await database.write(open_to_people)


async def look(database, checks: QualityChecks, executor, now=START, guard=unguarded):
    return await redistribute_due(database, checks, executor=executor, now=now, guard=guard)


async def test_whoever_falls_below_is_left_out_once_and_each_take_back_is_a_row(database, tmp_path, executor):
    await add_judged(database, tmp_path)
    await database.write(give_links)
    checks = QualityChecks()
    assert await look(database, checks, executor) == [("taste", "p4", REASON, 12)]
    rows = await database.read(lambda session: session.scalars(select(WithdrawalRow.reason)).all())
    assert rows == [REASON] * 12
    (state,) = [each for each in await annotators.states(database, "taste") if each.revoked]
    assert state.label == "p4"
    assert [each.label for each in (await report(database, "taste")).left_out] == ["p4"]
    # Neither this process nor the next one does it again.
    assert await look(database, checks, executor, START + CHECK_INTERVAL) == []
    assert await look(database, QualityChecks(), executor) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("columns", [None, {"reviewer": True}, {"revoked_at": START}])
async def test_people_of_files_reviewers_and_who_has_left_are_not_touched(database, tmp_path, executor, columns):
    await add_judged(database, tmp_path)
    if columns is not None:
        await database.write(give_links, **columns)
    assert await look(database, QualityChecks(), executor) == []
    assert (await report(database, "taste")).annotations == 60


@pytest.mark.sqlite
@pytest.mark.parametrize("fields", [{"least_right": None}, {"least_right": None, "least_consistency": 0.5}])
async def test_without_thresholds_or_below_none_of_them_nobody_is_left_out(database, tmp_path, executor, fields):
    await add_judged(database, tmp_path, **fields)
    await database.write(give_links)
    assert await look(database, QualityChecks(), executor) == []


@pytest.mark.sqlite
async def test_a_closed_evaluation_stays_as_it_is(database, tmp_path, executor):
    await add_judged(database, tmp_path)
    await database.write(give_links)
    await lifecycle.close_evaluation(database, "taste", START)
    assert await look(database, QualityChecks(), executor) == []


async def test_only_an_evaluation_that_has_grown_is_looked_at_and_not_at_every_step(database, tmp_path, executor):
    await add_evaluation(database, questions=MANY, least_right=0.5)
    await say(database, tmp_path, MANY[:5], *"aaaab")
    await database.write(open_to_people)
    await database.write(give_links)
    checks, end = QualityChecks(), START + CHECK_INTERVAL
    assert await look(database, checks, executor) == []
    before = checks.last[1]
    assert await look(database, checks, executor, end) == []
    assert checks.last[1] == before
    await say(database, tmp_path, MANY[:12], *"aaaab")
    assert await look(database, checks, executor, end - timedelta(seconds=1)) == []
    assert [each.label for each in await look(database, checks, executor, end)] == ["p4"]


@pytest.mark.both_databases
async def test_a_worker_that_has_lost_its_lease_withdraws_nothing(database, tmp_path, executor):
    await add_judged(database, tmp_path)
    await database.write(give_links)

    def lost(_session) -> None:
        raise Superseded

    with pytest.raises(Superseded):
        await look(database, QualityChecks(), executor, guard=lost)
    assert (await report(database, "taste")).annotations == 60


def test_doubt_alone_is_advice():
    nothing = dict.fromkeys(("consistency", "accuracy", "agreement", "lean", "median_seconds"))
    counts = dict.fromkeys(("annotations", "skipped", "repeats", "judged", "wrong"), 0)
    clicker = AnnotatorView.model_validate({"label": "p", "doubtful": True, **nothing, **counts})
    other = AnnotatorView.model_validate({"label": "q", "doubtful": False, **nothing, **counts})
    assert below_limits([clicker, other], Thresholds()) == [("p", "answers like a random clicker")]
    assert below_limits([clicker, clicker.model_copy(update={"label": "q"})], Thresholds()) == []
    assert list(below_limits([clicker], Thresholds(doubtful=False))) == []


def test_by_default_whoever_hardly_ever_repeats_an_answer_is_left_out():
    nothing = dict.fromkeys(("accuracy", "agreement", "lean", "median_seconds"))
    counts = {**dict.fromkeys(("annotations", "skipped", "judged", "wrong"), 0), "repeats": 10, "doubtful": False}
    # Two attempts at five items: none, one and two of them are answered alike.
    people = [
        AnnotatorView.model_validate({"label": f"{share}", "consistency": share, **nothing, **counts})
        for share in (0.5, 0.6, 0.7)
    ]
    assert below_limits(people, Thresholds()) == [("0.5", "consistency 0.50 over 10 answers, below 0.60")]


@pytest.mark.sqlite
async def test_the_command_names_whoever_is_below_with_too_few_answers(database, tmp_path, capsys):
    await add_evaluation(database, questions=MANY)
    rows = [
        {
            "question": str(place),
            "a": "red-7b",
            "b": "blue-7b",
            "annotator": f"w{who}",
            "outcome": "b" if who == 5 else "a",
        }
        for place in range(9)
        for who in range(6)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    await importer.import_file(database, "taste", tmp_path / "rows.jsonl", START)
    records = (await report(database, "taste")).annotators
    few = too_few(records, Thresholds())
    assert few == [("w5", "0.00 of 9 answers as the others, below 0.50")]
    assert below_limits(records, Thresholds()) == []
    show_left_out([], few, dry_run=True)
    out = capsys.readouterr().out
    assert out == "w5: 0.00 of 9 answers as the others, below 0.50; nobody is left out by fewer than 10 answers.\n"
    show_left_out([], [], dry_run=True)
    assert capsys.readouterr().out == "Nobody is left out: no one, or everyone, is below the thresholds.\n"


@pytest.mark.process
@pytest.mark.sqlite
async def test_the_worker_does_it_in_its_other_process_without_the_library_of_the_database(database, tmp_path):
    await add_judged(database, tmp_path)
    await database.write(give_links)
    with fitting_process() as other:
        publisher = Publisher(database, METHOD, other, lambda: START)
        assert await publisher.check_annotators(unguarded) is Progress.MADE
        assert not other.submit(eval, "'sqlalchemy' in __import__('sys').modules").result()
    assert [each.label for each in (await report(database, "taste")).left_out] == ["p4"]


async def test_an_evaluation_that_is_closed_during_its_check_keeps_its_annotations_and_stops_nothing(
    database, tmp_path, executor
):
    await add_judged(database, tmp_path)
    await database.write(give_links)

    def close_first(session) -> None:
        stored.by_id(session, 1).state = EvaluationState.CLOSED

    assert await look(database, QualityChecks(), executor, guard=close_first) == []
    assert (await report(database, "taste")).annotations == 60
