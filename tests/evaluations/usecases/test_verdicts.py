"""Verdicts: the cheaper model is called not worse only where the judgements show it, whenever one looks."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from arena.adapters.store import endpoints
from arena.domain.errors import Invalid
from arena.evaluations.cli.evaluation_tables import verdict_lines
from arena.evaluations.domain.terms import VerdictState
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import generation, importer, lifecycle
from arena.evaluations.usecases.reports.duels import compare_scores
from arena.evaluations.usecases.reports.report import report
from arena.evaluations.usecases.reports.verdicts import ModelExpenses, verdict_of
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import QUESTIONS, add_evaluation, caller
from tests.scripted import ScriptedAnswer

CHEAP, DEAR = {"price_in": 0.5, "price_out": 1.0}, {"price_in": 2.0, "price_out": 8.0}


def duel(score: np.ndarray):
    """The duel of "dear" and "cheap" by the first one's scores [items, people] of some of many questions."""
    items, people = score.shape
    item, person = (
        np.repeat(np.arange(items, dtype=np.int32), people),
        np.tile(np.arange(people, dtype=np.int32), items),
    )
    return compare_scores(("dear", "cheap"), score.ravel(), item, person, questions=100_000)


def expenses(settings: dict[str, float], *, milliseconds: int = 1_000, failed: int = 0, **changes) -> ModelExpenses:
    """Ten answers of 100 tokens of prompt and 200 of answer, and failures."""
    result = ModelExpenses()
    for question in range(10):
        facts = {"fault": None, "tokens": 300, "sent": 100, "created_at": START, "settings": settings}
        facts |= {"milliseconds": milliseconds, "question_id": question} | changes
        answer: Any = SimpleNamespace(**facts)
        result.add(answer)
    for _ in range(failed):
        fault: Any = SimpleNamespace(fault="timeout")
        result.add(fault)
    return result


PRICED = {"dear": expenses(DEAR, milliseconds=2_000), "cheap": expenses(CHEAP, milliseconds=1_000, failed=3)}
UNPRICED = {name: expenses({}, milliseconds=0) for name in PRICED}


def verdict(score: np.ndarray, costs=PRICED, margin: float = 20.0):
    return verdict_of(duel(score), margin, costs, by_people=True)


def scores(share: float, items: int) -> np.ndarray:
    """Scores of "dear", which wins this share of the items, one judgement each."""
    return (np.arange(items) < round(share * items)).astype(float)[:, None]


@pytest.mark.parametrize("lost", [0, 20])
def test_of_models_that_are_worse_by_the_margin_few_are_called_not_worse_however_often_one_looks(lost):
    """The share is that of a model `lost` points below; at 20 it is the worst that may not be called so."""
    chance = 1 / (1 + 10 ** (-lost / 400))
    rng = np.random.default_rng(7)
    looks = [40, 100, 300, 1_000, 3_000, 6_000]
    names = [
        [verdict(world[:look], UNPRICED).state for look in looks]
        for world in (rng.random((200, looks[-1], 1)) < chance).astype(float)
    ]
    called = [VerdictState.NOT_WORSE in states for states in names]
    worse = [VerdictState.WORSE in states for states in names]
    assert np.mean(called if lost else worse) <= 0.05
    assert lost or np.mean(called) > 0.5


def test_the_cheaper_model_is_the_one_in_question_with_its_savings_and_failures():
    found = verdict(scores(0.4, 2_000))
    assert (found.model, found.against, found.state) == ("cheap", "dear", VerdictState.NOT_WORSE)
    assert (found.share, found.more) == (pytest.approx(0.6), 0)
    assert found.low < found.share < found.high
    assert found.points == pytest.approx(400 * math.log10(0.6 / 0.4))
    assert (found.cost, found.cost_against) == (pytest.approx(0.25), pytest.approx(1.8))
    assert (found.cheaper, found.faster) == (pytest.approx(1 - 0.25 / 1.8), 0.5)
    assert (found.failed, found.answers, found.failed_against) == (3, 13, 0)
    assert found.priced_on == START.date()
    swapped = {"dear": PRICED["cheap"], "cheap": PRICED["dear"]}
    assert verdict(scores(0.4, 2_000), swapped).model == "dear"


def test_without_a_price_of_both_there_is_no_cost_and_the_second_model_is_in_question():
    changes: list[dict[str, Any]] = [{"settings": {"price_in": 1.0}}, {"sent": None}, {"tokens": None}]
    for missing in changes:
        found = verdict(
            scores(0.4, 2_000), {"dear": expenses(DEAR), "cheap": expenses(**{"settings": CHEAP, **missing})}
        )
        assert (found.model, found.cheaper, found.cost, found.priced_on) == ("cheap", None, None, None)
        assert found.faster == 0.0
        assert "slower" not in verdict_lines(found)[0]
    text = " ".join(verdict_lines(verdict(scores(0.4, 2_000), UNPRICED)))
    assert "$" not in text
    assert "cheaper" not in text


def test_without_costs_the_model_that_was_asked_here_is_in_question_against_finished_answers():
    for finished, model in (("dear", "cheap"), ("cheap", "dear")):
        costs = {name: expenses({}) for name in PRICED}
        costs[finished].from_files = True
        assert verdict(scores(0.4, 2_000), costs).model == model
    priced = {name: expenses(settings) for name, settings in (("dear", DEAR), ("cheap", CHEAP))}
    priced["cheap"].from_files = True
    assert verdict(scores(0.4, 2_000), priced).model == "cheap"


@pytest.mark.parametrize(
    ("lost", "milliseconds", "link"),
    [
        (0.7, 4_000, ", and 100 % slower"),
        (0.7, 5_000, ", and 2.5 × as slow"),
        (0.4, 120_000, ", and 60 × as slow"),
        (0.7, 1_000, ", but 50 % faster"),
        (0.4, 1_000, ", and 50 % faster"),
    ],
)
def test_a_loss_without_a_gain_is_no_contrast(lost, milliseconds, link):
    costs = {"dear": expenses({}, milliseconds=2_000), "cheap": expenses({}, milliseconds=milliseconds)}
    assert verdict_lines(verdict(scores(lost, 2_000), costs))[0].endswith(f"(95 %, at every look){link}.")


def test_a_worse_model_is_called_worse_and_a_smaller_margin_keeps_it_open():
    assert verdict(scores(0.7, 300)).state is VerdictState.WORSE
    near = scores(0.51, 3_000)
    assert verdict(near, margin=40).state is VerdictState.NOT_WORSE
    assert verdict(near, margin=8).state is VerdictState.OPEN


@pytest.mark.parametrize("share", [0.4, 0.5, 0.52, 0.6])
def test_as_many_more_judgements_as_it_says_end_the_wait(share):
    found = verdict(scores(share, 60), margin=60)
    assert found.state is VerdictState.OPEN
    assert found.more is not None
    total = 60 + found.more
    assert verdict(scores(share, round(total * 1.15)), margin=60).state is not VerdictState.OPEN
    assert verdict(scores(share, round(total * 0.85)), margin=60).state is VerdictState.OPEN


def test_a_verdict_reads_as_a_sentence_with_its_figures():
    assert verdict_lines(verdict(scores(0.4, 2_000))) == [
        "cheap is not worse than dear by more than 20 points (95 %, at every look), and 86 % cheaper, 50 % faster.",
        (
            "  +70 points, 95 % interval at one look +55 to +86; $0.25 against $1.80 for 1,000 answers, prices of"
            f" {START.date()}; median of an answer 1.0 s against 2.0 s; answers that failed:"
            " 3 of 13 against 0 of 10."
        ),
    ]
    assert verdict_lines(verdict(scores(0.7, 300), UNPRICED))[0] == "cheap is worse than dear (95 %, at every look)."
    (first, _) = verdict_lines(verdict(scores(0.5, 60), UNPRICED))
    assert first.startswith("Not yet: whether cheap is not worse than dear by more than 20 points; about ")
    assert first.endswith(" more judgements would tell.")


@pytest.mark.sqlite
async def test_the_report_has_the_price_at_the_call_and_the_margin_of_the_evaluation(database, scripted, tmp_path):
    with pytest.raises(Invalid, match="A margin is above 0 and up to 400 points"):
        await add_evaluation(database, name="wrong", margin=0)
    await add_evaluation(database, margin=35)

    def set_prices(session, prices=((2.0, 8.0), (0.5, 1.0))):
        for name, (price_in, price_out) in zip(NAMES, prices, strict=True):
            row = endpoints.by_name(session, name)
            row.price_in, row.price_out = price_in, price_out

    await database.write(set_prices)
    for name in NAMES:
        scripted.parts[name] = ScriptedAnswer(("So.",))
    await generation.generate(caller(database, scripted), "taste")
    await database.write(set_prices, ((900.0, 900.0), (900.0, 900.0)))
    await lifecycle.open_evaluation(database, "taste")
    rows = [
        {"question": question.id, "a": NAMES[0], "b": NAMES[1], "annotator": "ada", "outcome": "tie"}
        for question in QUESTIONS
    ]
    (tmp_path / "said.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    await importer.import_file(database, "taste", tmp_path / "said.jsonl", START)
    (found,) = (await report(database, "taste")).verdicts
    assert (found.model, found.against, found.margin, found.by_people) == (NAMES[1], NAMES[0], 35, True)
    assert (found.more, found.missing_questions) == (None, 20 - len(QUESTIONS))
    assert "; it takes at least 17 more questions to tell" in verdict_lines(found)[0]
    answers = await database.read(lambda session: list(stored.answers_without_texts(session, 1)))
    assert {answer.settings["price_in"] for answer in answers} == {0.5, 2.0}
    assert found.cost is not None
    assert 0 < found.cost < (found.cost_against or 0)
    assert found.priced_on == max(answer.created_at.date() for answer in answers)


@pytest.mark.parametrize(
    ("lost", "points"), [(1.0, "  -∞ points, 95 % interval at one look -∞ to -"), (0.0, "  +∞ points")]
)
def test_a_model_that_loses_or_wins_every_comparison_is_beyond_any_number_of_points(lost, points):
    figures = verdict_lines(verdict(scores(lost, 300), UNPRICED))[1]
    assert figures.startswith(points)
    assert ("to +∞" in figures) == (lost == 0)
