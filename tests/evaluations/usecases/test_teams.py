"""Teams of annotators beside each other, with hints and without."""

import json

import numpy as np
import pytest
from sqlalchemy import select

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.cli.evaluation_tables import show_report
from arena.evaluations.domain.schemas.evaluations import AnnotationRequest
from arena.evaluations.store.tables.annotations import EvaluationItemRow
from arena.evaluations.usecases import generation, importer, lifecycle
from arena.evaluations.usecases.people import annotations, annotators
from arena.evaluations.usecases.reports import export
from arena.evaluations.usecases.reports.report import report
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import add_evaluation, caller
from tests.scripted import ScriptedAnswer

MODELS = ["gull", "heron", "tern"]
QUESTIONS = [QuestionView(id=f"q{number}", turns=["How many?"], reference="4") for number in range(6)]


def score(question: int, model: int, person: str, value: int, **fields: object) -> dict[str, object]:
    return {"question": f"q{question}", "model": MODELS[model], "annotator": person, "score": value, **fields}


async def judged(database, tmp_path, rows, **options):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = await importer.import_file(database, "taste", path, START, **options)
    assert done.refused == []
    return await report(database, "taste")


async def two_raters(database, tmp_path):
    """People give 4, 6 and 8 and the model one point more, on the last model of every other question three more."""
    await add_evaluation(database, questions=QUESTIONS, models=(), others=MODELS, protocol="score")
    places = [(question, model) for question in range(6) for model in range(3)]
    people = [score(*place, "ada", 4 + 2 * place[1], team="onsite") for place in places]
    await judged(database, tmp_path, people)
    more = [1 if model < 2 or question % 2 else 2 for question, model in places]
    model = [score(*place, "judge", 4 + 2 * place[1] + extra) for place, extra in zip(places, more, strict=True)]
    return await judged(database, tmp_path, model, team="model")


@pytest.mark.sqlite
async def test_two_raters_of_different_teams_stand_beside_each_other_with_spearman_between_them(database, tmp_path):
    found = await two_raters(database, tmp_path)
    assert [(team.team, team.people, team.annotations) for team in found.teams] == [("model", 1, 18), ("onsite", 1, 18)]
    (pair,) = found.team_pairs
    assert (pair.team_a, pair.team_b, pair.items, pair.models) == ("model", "onsite", 18, 3)
    assert (pair.spearman, pair.mean_b) == (1, 6)
    assert (pair.apart_1, pair.apart_2, pair.apart_3) == (1, pytest.approx(3 / 18), 0)
    assert pair.higher == pytest.approx(6 / pair.mean_a - 1)


@pytest.mark.sqlite
async def test_with_two_raters_a_line_says_that_any_difference_is_wrong_for_both_and_with_three_none(
    database, tmp_path
):
    found = await two_raters(database, tmp_path)
    assert found.few_raters
    assert {who.accuracy for who in found.annotators} == {0}
    assert not (await judged(database, tmp_path, [score(0, 0, "bo", 4)])).few_raters


@pytest.mark.sqlite
async def test_whoever_has_fewer_than_five_results_is_left_out_of_the_means_of_a_team(database, tmp_path):
    await two_raters(database, tmp_path)
    found = await judged(database, tmp_path, [score(0, 0, "cy", 9, team="onsite")])
    onsite = next(team for team in found.teams if team.team == "onsite")
    assert (onsite.people, onsite.few, onsite.annotations) == (1, 1, 18)


@pytest.mark.sqlite
async def test_the_command_says_which_people_a_team_counts_and_gives_differences_in_per_cent(
    database, tmp_path, capsys
):
    show_report(await two_raters(database, tmp_path))
    out = capsys.readouterr().out
    (head,) = [line for line in out.splitlines() if "fewer than 5" in line]
    assert "with 5 or more annotations" in head
    assert "people" not in head
    head, row = out[out.index("team pairs") :].splitlines()[1:3]
    assert row[head.index("higher") :].split()[0].endswith("%")


@pytest.mark.sqlite
async def test_one_team_alone_is_compared_with_nobody(database, tmp_path):
    await add_evaluation(database, questions=QUESTIONS, models=(), others=MODELS, protocol="score")
    found = await judged(database, tmp_path, [score(0, 0, "ada", 4), score(0, 0, "bo", 5)])
    assert (found.teams, found.team_pairs) == ([], [])


@pytest.mark.sqlite
async def test_a_team_and_its_hints_come_back_from_an_exported_file(database, tmp_path):
    await add_evaluation(database, questions=QUESTIONS, models=(), others=MODELS, protocol="score")
    await judged(database, tmp_path, [score(0, 0, "ada", 4, team="crowd", hints=False), score(0, 0, "bo", 5)])
    lines = [json.loads(line) for line in await export.export(database, "taste")]
    said = [(line["annotator"], line.get("team"), line.get("hints")) for line in lines if line.get("annotator")]
    assert said == [("ada", "crowd", False), ("bo", None, None)]
    assert [team.team for team in (await report(database, "taste")).teams] == ["crowd, no hints", "file"]


@pytest.fixture
async def opened(database, scripted):
    scripted.parts.update({name: ScriptedAnswer(pieces=["4"]) for name in NAMES})
    asked = [QuestionView(id="open", turns=["Why?"]), *QUESTIONS[:2]]
    await add_evaluation(database, questions=asked, protocol="score", overlap=4, per_item=1)
    await generation.generate(caller(database, scripted), "taste", at_once=8)
    await lifecycle.open_evaluation(database, "taste")


async def arm(database, **who) -> str:
    ((_, link),) = await annotators.invite(database, "taste", 1, START, annotators.InvitationTerms(**who))
    return link


async def hints_of(database, link: str) -> set[str | None]:
    """Score all items of an annotator, who gives two points more where there is no hint; what they were shown."""
    shown: set[str | None] = set()
    while (seen := await annotations.items(database, link, "here", START)).items:
        item = seen.items[0]
        shown.add(item.reference)
        said = AnnotationRequest(said={"score": 5 if item.reference else 7})
        await annotations.annotate(database, link, item.number, said, START)
    return shown


async def test_hints_are_shown_to_one_arm_and_not_to_the_other_and_the_report_has_both(database, opened):
    assert await hints_of(database, await arm(database)) == {"4", None}
    assert await hints_of(database, await arm(database, hints=False)) == {None}
    found = await report(database, "taste")
    (pair,) = found.team_pairs
    assert (pair.team_a, pair.team_b, pair.items) == ("invited", "invited, no hints", 4)
    assert pair.higher == pytest.approx(0.4)


async def test_items_for_everybody_are_those_with_a_right_answer(database, opened):
    items = await database.read(lambda session: session.scalars(select(EvaluationItemRow)).all())
    without = {item.question_id for item in items if not item.overlap}
    assert (sum(item.overlap for item in items), len(without)) == (4, 1)
    assert np.count_nonzero([item.overlap for item in items if item.question_id in without]) == 0


@pytest.mark.sqlite
async def test_a_team_needs_a_plain_name(database, opened):
    with pytest.raises(Invalid, match="A team has up to 24 letters"):
        await arm(database, team="a/b")
