"""Closed questions, open ones and the arena in one table by capability: SuperCLUE's tables 2 and 3."""

from __future__ import annotations

import numpy as np
import pytest

from arena.adapters.store import snapshots
from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
from arena.domain.errors import Invalid
from arena.domain.schemas.leaderboard import StandingsView
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.domain.people.options import Choice
from arena.evaluations.domain.schemas.figures import FigureView, combined_table, leaders
from arena.evaluations.usecases import generation, views
from arena.evaluations.usecases.judges import judging, judging_plan
from arena.evaluations.usecases.judges.judged_pairs import JudgedPairs
from arena.evaluations.usecases.judges.judges_report import shares_by_turn
from arena.evaluations.usecases.predictors.capabilities import capabilities, publish_capabilities
from arena.evaluations.usecases.predictors.prediction import BoardPredictions, publish_predictions
from arena.evaluations.usecases.reports.choices import ClosedAnswer, choices_of
from tests.conftest import NAMES, START
from tests.evaluations.domain.predictors.superclue import (
    CAPABILITIES,
    CLOSE,
    CLOSE_BY_CAPABILITY,
    SINGLE,
    SINGLE_BY_CAPABILITY,
    counts,
)
from tests.evaluations.usecases.populated import add_evaluation, caller
from tests.evaluations.usecases.test_closed import Pupils
from tests.evaluations.usecases.test_judging import GRADES, Referee, prepared
from tests.evaluations.usecases.test_prediction import board_row
from tests.evaluations.usecases.test_report_judges import better_is_long

EXAM = tuple(
    QuestionView(
        id=f"q{number}",
        turns=[f"Which is number {number}?"],
        area="writing" if number % 2 else "Geography",
        options=[f"number {number + step}" for step in range(4)],
        key="A",
    )
    for number in range(8)
)


def test_superclue_s_table_2_comes_out_of_the_counts_of_its_table_3_for_closed_questions():
    answers = [
        ClosedAnswer(model, capability, 4, "A", Choice("A" if number < right else "B", strict=True))
        for model, row in CLOSE_BY_CAPABILITY.items()
        for capability, share in zip(CAPABILITIES, row, strict=True)
        for right, questions in [counts(share)]
        for number in range(questions)
    ]
    found = choices_of(answers)
    assert {row.model: round(100 * (row.share or 0), 2) for row in found if not row.category} == CLOSE
    by_capability = {(row.model, row.category): round(row.share or 0, 4) for row in found if row.category}
    assert by_capability == flat(CLOSE_BY_CAPABILITY)


def test_superclue_s_table_2_comes_out_of_the_counts_of_its_table_3_for_open_questions_of_one_turn():
    models = ("baseline", *SINGLE_BY_CAPABILITY)
    rows = [
        (models.index(model), place, 1 if number < kept else 0)
        for model, row in SINGLE_BY_CAPABILITY.items()
        for place, share in enumerate(row)
        for kept, questions in [counts(share)]
        for number in range(questions)
    ]
    second, area, outcome = np.array(rows, np.int64).T
    none, no = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_)
    unknown = np.full(len(rows), np.nan)
    pairs = JudgedPairs(none, second, no, ~no, area, none, none - 1, unknown, models, CAPABILITIES)
    found = [row for row in shares_by_turn(outcome, pairs) if row.statistic == "first_turn" and row.model != "baseline"]
    assert {row.model: round(100 * (row.value or 0), 2) for row in found if not row.area} == SINGLE
    assert {(row.model, row.area): round(row.value or 0, 4) for row in found if row.area} == flat(SINGLE_BY_CAPABILITY)


def flat(table) -> dict:
    return {
        (model, capability): share
        for model, row in table.items()
        for capability, share in zip(CAPABILITIES, row, strict=True)
    }


def publish_boards(session) -> None:
    """A board of all votes, and one of the category `writing`."""
    facts = {"parameters": {}, "digest": "0", "votes": 1}
    head = {"method": "bt", "seed": 1, "code_version": "1", "last_vote": 1, "last_exclusion": 0}
    boards = [
        StandingsView(rows=[board_row(name, carena_rate=rate) for name in (*NAMES, "stranger")], pairs=[])
        for rate in (0.75, 0.25)
    ]
    row = SnapshotRow(**facts, **head, payload=boards[0].model_dump_json(), created_at=START)
    session.add(row)
    session.flush()
    part = {"snapshot_id": row.id, "kind": "board", "language": "", "payload": boards[1].model_dump_json()}
    snapshots.add_parts(session, [PartRow(**facts, **part, category=name) for name in ("writing", "code")])


async def examined(database, scripted, part) -> None:
    """`taste` with judged answers to open questions, and `exam` with closed ones."""
    await prepared(database, scripted, part)
    await judging.judge(caller(database, Referee(scripted, better_is_long)), "taste", GRADES)
    await add_evaluation(database, "exam", EXAM, protocol="closed")
    await generation.generate(caller(database, Pupils()), "exam")


@pytest.mark.sqlite
async def test_closed_open_and_arena_stand_beside_each_other_by_capability(database, scripted, part):
    await examined(database, scripted, part)
    await database.write(publish_boards)
    table = await capabilities(database, "taste", "exam")
    assert (table.closed, table.opened, table.judge) == ("exam", "taste", "referee")
    lines = {(line["area"], line["statistic"]): line[NAMES[0]] for line in combined_table(table.figures)}
    assert {statistic: lines["", statistic] for statistic in leaders(table.figures)} == {
        "close": 1,
        "open_single": 1,
        "open_multi": 1,
        "open_all": 1,
        "carena": 0.75,
    }
    of_writing = {statistic: value for (area, statistic), value in lines.items() if area == "writing"}
    assert of_writing == {"close": 1, "open_single": 1, "open_all": 1, "carena": 0.25}
    assert {line["area"] for line in combined_table(table.figures)} == {"", "writing", "Geography", "Mathematics"}
    assert "stranger" not in {figure.model for figure in table.figures}


@pytest.mark.sqlite
async def test_the_baseline_has_no_figures_on_open_questions_as_it_is_what_others_are_compared_with(
    database, scripted, part
):
    await examined(database, scripted, part)
    await add_evaluation(database, "based", models=NAMES[:1], baseline=NAMES[1])
    await generation.generate(caller(database, scripted), "based")
    referee = caller(database, Referee(scripted, better_is_long))
    await judging.judge(referee, "based", judging_plan.JudgingRequest(("referee",), "grades", baseline=NAMES[1]))
    table = await capabilities(database, "based", "exam")
    assert {figure.model for figure in table.figures if figure.statistic == "open_all"} == {NAMES[0]}


@pytest.mark.sqlite
async def test_the_table_of_the_same_evaluations_is_replaced_and_stays_beside_a_new_report(database, scripted, part):
    await examined(database, scripted, part)
    table = await capabilities(database, "taste", "exam")
    for _ in range(2):
        await publish_capabilities(database, table, START)
    assert (await views.published_predictions(database)).capabilities == [table]
    shown = await publish_predictions(database, BoardPredictions({}, ()), START)
    assert shown.capabilities == [table]


@pytest.mark.sqlite
async def test_what_is_missing_for_the_table_is_named(database, scripted, part):
    await examined(database, scripted, part)
    with pytest.raises(Invalid, match="nobody has not judged taste; these have: referee"):
        await capabilities(database, "taste", "exam", judge="nobody")
    with pytest.raises(Invalid, match="taste has no answers to closed questions"):
        await capabilities(database, "exam", "taste")
    with pytest.raises(Invalid, match="Nobody has judged exam"):
        await capabilities(database, "exam", "exam")
    with pytest.raises(EvaluationNotFound):
        await capabilities(database, "taste", "no such")


def test_equal_models_are_all_first():
    figures = [FigureView(area="", statistic="close", model=model, value=value, n=3) for model, value in EQUAL.items()]
    assert leaders(figures) == {"close": ["ant", "cat"]}


EQUAL = {"ant": 1.0, "bee": 0.5, "cat": 1.0, "dog": None}
