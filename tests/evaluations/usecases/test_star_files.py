"""Published star files: taken as they are, answers included, and what does not fit is named."""

import csv
import io
import json

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.usecases import importer, lifecycle
from arena.evaluations.usecases.reports.report import report
from arena.evaluations.usecases.star_files import plain_rows
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation

pytestmark = pytest.mark.sqlite

QUESTIONS = [
    QuestionView(id="Law_1", turns=["判几年？"], area="Law", category="objective", hint="三年"),
    QuestionView(id="Law_2", turns=["为什么？"], area="Law", category="subjective"),
    QuestionView(id="Optics_1", turns=["多少？"], area="Optics", category="objective"),
]
ONE, TWO = {"Correctness": 3, "Explanation Correctness": 1}, {"Fluency": 3, "Accuracy": 5, "Logicality": 2}


def dialogue(question: str, stars: object, model="gull", answer: object = "答"):
    said = [{"role": "user", "content": "？"}, {"role": "llm", "content": answer}]
    facts = {"question_uuid": question, "dialog_uuid": f"{model}_{question}", "llm_name": model, "type": "A"}
    return {**facts, "dialog": said, "hint": "三年", "stars": stars}


@pytest.fixture
def take(database, tmp_path):
    async def taken(content: str, protocol="stars-llmeval2", annotator="people"):
        path = tmp_path / "rows"
        path.write_text(content)
        return await importer.import_file(database, protocol, path, START, annotator=annotator)

    return taken


async def test_a_total_is_the_share_of_points_of_an_area_and_then_the_mean_over_areas(database, take):
    await add_evaluation(
        database, "stars-llmeval2", QUESTIONS, models=(), others=["gull", "tern"], protocol="stars-llmeval2"
    )
    rows = [
        dialogue("Law_1", ONE, answer=True),
        dialogue("Law_2", {**TWO, "Informativeness": 1}),
        dialogue("Optics_1", {"Correctness": 1, "Explanation Correctness": 1}),
    ]
    done = await take(json.dumps(rows))
    assert (done.answers, done.annotations, done.refused) == (3, 3, [])
    (total,) = (await report(database, "stars-llmeval2")).totals
    assert total.percent == pytest.approx(100 * ((4 + 11) / (5 + 14) + 2 / 5) / 2)
    with pytest.raises(Invalid, match=r"needs a reference for each objective question; Optics_1 \(«多少？»\) has none"):
        await lifecycle.open_evaluation(database, "stars-llmeval2", partial=True)


async def test_a_second_score_of_the_same_person_that_differs_is_named_and_the_same_one_is_known(database, take):
    await add_evaluation(
        database, "stars-llmeval2", QUESTIONS, models=(), others=["gull", "tern"], protocol="stars-llmeval2"
    )
    await take(json.dumps([dialogue("Law_1", ONE)]))
    assert (await take(json.dumps([dialogue("Law_1", ONE)]))).duplicates == 2
    other = json.dumps([dialogue("Law_1", {**ONE, "Correctness": 2})])
    assert [str(row) for row in (await take(other)).refused] == [
        "line 1: annotator: 'people' judged this before, as 3,1, and now as 2,1; the first stands"
    ]
    assert (await take(other, annotator="gpt")).annotations == 1


async def test_rows_of_one_criterion_each_are_joined_and_those_that_do_not_fit_are_named(database, take):
    questions = [QuestionView(id="Reasoning_1", turns=["为什么？"])]
    await add_evaluation(database, "stars", questions, models=(), others=["gull", "tern"], protocol="stars")
    metrics = ("fluency", "accuracy", "logicality", "informativeness", "harmlessness")
    rows = [["Reasoning_1", "gull", user, metric, 3] for user in ("7", "8") for metric in metrics]
    rows += [["Reasoning_1", "gull", "7", "accuracy", 2], *(["Reasoning_1", "tern", "7", each, 4] for each in metrics)]
    out = io.StringIO()
    csv.writer(out).writerows([["question_uuid", "llm_name", "user_id", "metric", "score"], *rows])
    done = await take(out.getvalue(), "stars")
    assert (done.annotations, [str(row) for row in done.refused]) == (
        2,
        [
            "line 12: accuracy: 7 gave gull on Reasoning_1 '3' before and '2' now",
            "line 13: accuracy: a whole number from 1 to 3.",
        ],
    )


@pytest.mark.parametrize(
    "stars", [{"Correctness": 4, "Explanation Correctness": 1}, {"Correctness": 1}, ["3"], {"x": 1}]
)
async def test_stars_outside_their_scale_or_cut_off_are_refused_and_nothing_of_the_row_counts(database, take, stars):
    await add_evaluation(
        database, "stars-llmeval2", QUESTIONS, models=(), others=["gull", "tern"], protocol="stars-llmeval2"
    )
    done = await take(json.dumps([dialogue("Law_1", stars)]))
    assert (done.annotations, len(done.refused)) == (0, 1)


def test_rows_of_our_own_pass_unchanged():
    own = [(1, {"question": "q", "model": "m", "answer": "A"}), (2, "broken")]
    assert list(plain_rows(own, "people")) == own
