"""The sentence and the picture that open a report, by every protocol."""

from __future__ import annotations

import pytest

from arena.evaluations.domain.schemas.evaluation_reports import (
    ChoiceView,
    EvaluationReportView,
    LikelihoodView,
    NeighbourView,
    TotalView,
)
from arena_frontend.pages.evaluations.summary import standings, summary
from arena_frontend.texts import LANGUAGES, texts

from .sample_reports import EVALUATIONS

RATED = EVALUATIONS[0].report
BARE = {"annotations": 0, "skipped": 0, "pairs": [], "criteria": [], "agreement": [], "areas": [], "annotators": []}


def report(protocol: str = "score", **tables: object) -> EvaluationReportView:
    return EvaluationReportView.model_validate(
        BARE | {"name": "x", "protocol": protocol, "board": [], "totals": []} | tables
    )


def choice(model: str, share: float, half: float, category: str = "") -> ChoiceView:
    facts = {"model": model, "category": category, "questions": 100, "right": round(100 * share)}
    return ChoiceView(**facts, share=share, low=share - half, high=share + half, unreadable=0, loose=0)


def neighbour(first: str, second: str, difference: float, more_questions: int | None = None) -> NeighbourView:
    facts = {"first": first, "second": second, "difference": difference, "z": 0.0, "tie": True, "more": None}
    return NeighbourView.model_validate({**facts, "more_questions": more_questions})


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        (RATED, "model-a-70b-chat is first, and the lead is significant (95 %)."),
        (report(), "Too few judgements to say which model is first."),
        (report(totals=[TotalView(model="a", percent=61.25)]), "a reaches 61.25."),
        (
            report(totals=[TotalView(model="b", percent=60.0), TotalView(model="a", percent=61.25)]),
            "a is first with 61.25, then b with 60.",
        ),
        (
            report(
                totals=[TotalView(model=name, percent=percent) for name, percent in (("a", 90), ("b", 60), ("c", 60))]
            ),
            "a is first with 90, then b, c with 60.",
        ),
        (
            report(neighbours=[neighbour("a", "b", 9.0), neighbour("b", "c", 0.0), neighbour("c", "d", 4.0)]),
            "a scores higher than b, c, but there are too few judgements to rule out chance.",
        ),
        (
            report(neighbours=[neighbour("a", "b", 9.0, 8)]),
            "a scores higher than b, but there are too few questions to rule out chance.",
        ),
        (
            report(choices=[choice("a", 0.9, 0.05), choice("b", 0.7, 0.05), choice("b", 1.0, 0, "law")]),
            "a is first, and the lead is significant (95 %).",
        ),
        (
            report("closed", choices=[choice("a", 0.9, 0.2), choice("b", 0.7, 0.2)]),
            "a scores higher than b, but there are too few questions to rule out chance.",
        ),
        (report("closed"), "Too few answers to say which model is first."),
        (
            report("closed", choices=[choice(name, 0.0, 0.4) for name in "abc"]),
            "a, b, c are equal so far.",
        ),
        (
            report("closed", choices=[choice("a", 0.9, 0.1), choice("b", 0.9, 0.1), choice("c", 0.1, 0.1)]),
            "a, b share first place so far.",
        ),
        (report(totals=[TotalView(model=name, percent=50.0) for name in "ab"]), "a, b are equal so far."),
        (report(neighbours=[neighbour("a", "b", 0.0), neighbour("b", "c", 0.0)]), "a, b, c are equal so far."),
        (
            report(neighbours=[neighbour("a", "b", 0.0001), neighbour("b", "c", 7.0)]),
            "a, b share first place so far.",
        ),
        (
            report(neighbours=[neighbour("a", "b", 0.0), neighbour("c", "d", 0.0)]),
            "a, b share first place so far.",
        ),
        (
            report(neighbours=[neighbour("a", "b", 0.3), neighbour("b", "c", 0.0)]),
            "a scores higher than b, c, but there are too few judgements to rule out chance.",
        ),
        (
            report(board=RATED.board, neighbours=[neighbour("a", "b", 0.3)]),
            "a, b are equal so far.",
        ),
        (
            report(likelihoods=[LikelihoodView(model="a", topic="", correlation=0.5, questions=9, undefined=1)]),
            "a reaches 0.5.",
        ),
    ],
)
def test_the_sentence_says_who_stands_first_and_how_sure_that_is(tables, sentence):
    assert summary(texts("en"), tables) == sentence
    for language in LANGUAGES:
        assert "{" not in summary(texts(language), tables)


def test_the_picture_shows_models_by_the_figure_of_their_protocol_and_none_of_a_part():
    rows = standings(report(choices=[choice("b", 0.7, 0.1), choice("a", 0.9, 0.1), choice("b", 1.0, 0, "law")]))
    assert [(row.name, row.score) for row in rows] == [("a", 0.9), ("b", 0.7)]
    assert standings(report()) == []
