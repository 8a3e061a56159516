"""Reports on judges and predictors with all that their pages can show."""

from __future__ import annotations

from datetime import UTC, datetime

from arena.domain.schemas.judges import JudgesReport
from arena.domain.schemas.labels import LabelCountsView, LabellersView, LabellerView
from arena.domain.schemas.predictors import PredictorsView


def estimate(value: float | None, n: int = 40) -> dict:
    ends = {"low": None, "high": None} if value is None else {"low": max(0, value - 0.1), "high": min(1, value + 0.1)}
    return {"value": value, "n": n, **ends}


def model(name: str, wins: int, losses: int, rating: float, level: float) -> dict:
    return {
        "name": name,
        "pairs": 40,
        "wins": wins,
        "ties": 40 - wins - losses,
        "losses": losses,
        "first_turn": estimate(1 - losses / 40),
        "later_turns": estimate(None, 0),
        "rating": rating,
        "rating_at_length": level,
    }


def judge(name: str, flips: float, **fields: object) -> dict:
    return {
        "judge": name,
        "rubric": "grades",
        "version": 1,
        "judgements": 80,
        "unreadable": 2,
        "pairs": 39,
        "flips": estimate(flips),
        "shown_first": estimate(0.5 + flips / 2),
        "tokens": 412.5,
        "cost": 0.83,
        "agreement": [
            {"area": area, "raw": estimate(0.7), "kappa": estimate(0.5), "ac1": estimate(0.6)}
            for area in ("", "Writing")
        ],
        "lengths": [{"least": 100, "longer": 20, "tie": 2, "shorter": 9}],
        "models": [model("model-c", 30, 5, 1120, 1010), model("model-d", 5, 30, 1000, 1060)],
        "scores": [],
        **fields,
    }


SCORES = [{"name": "model-c", "criterion": "score", "mean": estimate(7.5), "most": 10}]


def _labeller(name: str, readings: int, same: float, matrix: list[list[int]]) -> LabellerView:
    counts = [LabelCountsView(label=label, people=290, labeller=268, both=250) for label in ("code", "writing")]
    return LabellerView(labeller=name, readings=readings, same=same, matrix=matrix, labels=counts)


JUDGES = [
    JudgesReport.model_validate(
        {
            "evaluation": "taste",
            "judges": [
                judge("referee", 0.125, scores=SCORES),
                judge("always-a", 1.0, agreement=[], cost=None),
            ],
        }
    )
]


def predictor(name: str, pearson: float | None) -> dict:
    found = {"value": pearson, "low": pearson and pearson - 0.2, "high": pearson and pearson + 0.1}
    return {"name": name, "models": 8, "pearson": found, "spearman": found, "kendall": found, "variation": 0.34}


MIX = {
    "correlation": 0.9397,
    "low": 0.89,
    "high": 0.99,
    "exploratory": True,
    "parts": [
        {"name": "exam-1: key", "weight": 0.49, "low": 0.0, "high": 1.0},
        {"name": "taste: referee, grades 1", "weight": 0.51, "low": 0.0, "high": 1.0},
    ],
}
PREDICTED = [predictor("exam-1: key", 0.795), predictor("taste: referee, grades 1", None)]
PREDICTORS = PredictorsView.model_validate(
    {
        "created_at": datetime(2026, 11, 1, tzinfo=UTC),
        "boards": [
            {"category": "", "language": "", "predictors": PREDICTED, "mixed": 5, "mix": MIX},
            {"category": "code", "language": "zh", "predictors": PREDICTED, "mixed": 2, "mix": None},
        ],
        "expected": [
            {
                "model": "quiet/newcomer",
                "evaluation": "taste: referee, grades 1",
                "rating": 1050,
                "low": 980,
                "high": 1120,
                "level": 0.9,
                "models": 13,
            }
        ],
    }
)

LABELLERS = [
    LabellersView(
        set="capabilities",
        items=300,
        readings=600,
        labellers=[
            _labeller("people", 300, 0.86, [[120, 10, 5], [8, 130, 7], [6, 6, 8]]),
            _labeller("capabilities/rules/2", 600, 0.72, [[200, 40, 30], [50, 220, 20], [10, 18, 12]]),
        ],
    )
]
