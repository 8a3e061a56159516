"""Verdicts of a report in words: what is measured is said, what is not is left out."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from arena.evaluations.domain.schemas.evaluation_reports import VerdictView
from arena.evaluations.domain.terms import VerdictState
from arena_frontend.charts.savings import savings
from arena_frontend.pages.evaluations.verdicts import sentences
from arena_frontend.texts import LANGUAGES, texts

PRICES = {"cheaper": 0.84, "cost": 0.4, "cost_against": 2.5, "priced_on": date(2026, 11, 1)}
TIMES = {"faster": -0.25, "seconds": 2.5, "seconds_against": 2.0}


def verdict(state: VerdictState, **fields: object) -> VerdictView:
    empty = dict.fromkeys(("more", *PRICES, *TIMES))
    facts = {"model": "small", "against": "large", "state": state, "margin": 20.0, "by_people": True}
    shares = {"share": 0.5, "low": 0.48, "high": 0.52, "points": 0.0, "points_low": -14.0, "points_high": 14.0}
    counts = {"answers": 100, "failed": 0, "answers_against": 100, "failed_against": 0}
    return VerdictView.model_validate({**empty, **facts, **shares, **counts, **fields})


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (
            verdict(VerdictState.NOT_WORSE, **PRICES, **TIMES),
            [
                "small is not worse than large by more than 20 points (95 %, at every look).",
                "It saves 84% of the cost: $0.40 against $2.50 for 1,000 answers, prices of 2026-11-01.",
                "Median of an answer: 2.5 s against 2.0 s, 25% slower.",
            ],
        ),
        (
            verdict(VerdictState.WORSE, faster=1 - 0.86 / 0.82, seconds=0.86, seconds_against=0.82),
            [
                "small is worse than large (95 %, at every look).",
                "Median of an answer: 0.86 s against 0.82 s, 5% slower.",
            ],
        ),
        (
            verdict(VerdictState.WORSE, failed=3, by_people=False),
            [
                "small is worse than large (95 %, at every look).",
                "Answers that failed: 3 of 100 against 0 of 100.",
                "Models alone have judged.",
            ],
        ),
        (
            verdict(
                VerdictState.WORSE,
                **PRICES | {"cheaper": -2.5, "cost": 8.75},
                faster=-59.0,
                seconds=120.0,
                seconds_against=2.0,
            ),
            [
                "small is worse than large (95 %, at every look).",
                "It costs 3.5 × as much: $8.75 against $2.50 for 1,000 answers, prices of 2026-11-01.",
                "Median of an answer: 120.0 s against 2.0 s, 60 × as long.",
            ],
        ),
        (
            verdict(
                VerdictState.WORSE,
                **PRICES | {"cheaper": 0.001, "cost": 2.498},
                faster=0.03,
                seconds=0.49,
                seconds_against=0.51,
            ),
            [
                "small is worse than large (95 %, at every look).",
                "Both cost $2.50 for 1,000 answers, prices of 2026-11-01.",
                "Median of an answer: 0.5 s for both.",
            ],
        ),
        (
            verdict(VerdictState.OPEN, missing_questions=5),
            [
                "Not yet: whether small is not worse than large by more than 20 points.",
                "It takes at least 5 more questions to tell: below 20 nothing is claimed.",
            ],
        ),
        (
            verdict(VerdictState.OPEN, more_questions=40),
            [
                "Not yet: whether small is not worse than large by more than 20 points.",
                "It takes about 40 more questions to tell.",
            ],
        ),
        (
            verdict(VerdictState.OPEN, more=1),
            [
                "Not yet: whether small is not worse than large by more than 20 points.",
                "About 1 more judgement would tell.",
            ],
        ),
    ],
    ids=lambda value: value.state if isinstance(value, VerdictView) else "",
)
def test_a_verdict_says_what_is_measured(view, expected):
    assert sentences(texts("en"), [view]) == [expected]
    for language in LANGUAGES:
        (lines,) = sentences(texts(language), [view])
        assert len(lines) == len(expected)
        assert "{" not in "".join(lines)


def test_the_picture_has_each_verdict_with_costs_and_a_finite_interval_and_the_line_of_the_margin():
    views = [
        verdict(VerdictState.NOT_WORSE, **PRICES),
        verdict(VerdictState.OPEN, **{**PRICES, "cheaper": 0.1}, points=-60.0, points_low=-90.0, points_high=-30.0),
        verdict(VerdictState.OPEN),
        verdict(VerdictState.OPEN, **PRICES, points_low=None),
    ]
    drawn: Any = savings(views)
    first, second = drawn["points"]
    assert first["x"] > second["x"]
    assert first["top"] < first["y"] < drawn["margin"] < second["top"] < second["y"] < second["bottom"]
    assert first["bottom"] < drawn["margin"]
    assert savings(views[2:]) is None
