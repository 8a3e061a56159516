"""Sample reports of judges, labellers, predictors, evaluations and the gate, with all that their pages can show."""

from __future__ import annotations

from datetime import UTC, date, datetime

from arena.domain.schemas.integrity import AuditWeekView, GatedRatingView, IntegrityView
from arena.domain.schemas.labels import LabelCountsView, LabellersView, LabellerView
from arena.evaluations.domain.schemas.evaluation_reports import EvaluationDetailView
from arena.evaluations.domain.schemas.evaluations import ItemView
from arena.evaluations.domain.schemas.judges import JudgesView
from arena.evaluations.domain.schemas.predictors import PredictorsView


def estimate(value: float | None, n: int = 40, most: float = 1) -> dict:
    low, high = (None, None) if value is None else (max(0, value - 0.1), min(most, value + 0.1))
    return {"value": value, "n": n, "low": low, "high": high}


def model(name: str, wins: int, losses: int, rating: float, level: float) -> dict:
    return {
        "name": name,
        "pairs": 40,
        "wins": wins,
        "ties": 40 - wins - losses,
        "losses": losses,
        "first_turn": estimate(1 - losses / 40),
        "later_turns": estimate(None, 0),
        "all_turns": estimate(1 - losses / 40),
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
            {"area": area, "raw": estimate(0.7), "people": 0.81, "difference": 0.7 / 0.81 - 1, "usable": True}
            | {"kappa": estimate(0.5), "ac1": estimate(0.6)}
            for area in ("", "Writing")
        ],
        "lengths": [{"least": 100, "longer": 20, "tie": 2, "shorter": 9}],
        "models": [model("model-c", 30, 5, 1120, 1010), model("model-d", 5, 30, 1000, 1060)],
        "scores": [],
        **fields,
    }


SCORES = [{"name": "model-c", "criterion": "score", "mean": estimate(7.5, most=10), "most": 10}]


def _labeller(name: str, readings: int, same: float, matrix: list[list[int]]) -> LabellerView:
    counts = [LabelCountsView(label=label, people=290, labeller=268, both=250) for label in ("code", "writing")]
    return LabellerView(labeller=name, readings=readings, same=same, matrix=matrix, labels=counts)


EARLY = {
    "people": 120,
    "judged": 900,
    "weight": 0.62,
    "models": [
        {
            "name": name,
            "score": {"value": score, "low": score - 0.05, "high": score + 0.05, "n": 120},
            "rank_low": rank,
            "rank_high": rank,
            "people_low": 1,
            "people_high": 2,
        }
        for name, score, rank in (("heron-1", 0.61, 1), ("newcomer", 0.39, 2))
    ],
}
JUDGES = [
    JudgesView.model_validate(
        {
            "evaluation": "taste",
            "judges": [
                judge("referee", 0.125, scores=SCORES, early=EARLY),
                judge("always-a", 1.0, agreement=[], cost=None, related=[{"name": "always-b", "relation": "owner"}]),
            ],
        }
    )
]


def predictor(name: str, pearson: float | None) -> dict:
    estimate_row = {"value": pearson, "low": pearson and pearson - 0.2, "high": pearson and pearson + 0.1}
    return {
        "name": name,
        "models": 8,
        "pearson": estimate_row,
        "spearman": estimate_row,
        "kendall": estimate_row,
        "variation": 0.34,
    }


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
CAPABILITIES = {
    "closed": "exam-1",
    "opened": "taste",
    "judge": "referee",
    "figures": [
        {"statistic": statistic, "area": area, "model": name, "value": value, "n": 30}
        for statistic in ("close", "open_all", "carena")
        for area in ("", "code", "writing", "Geography")
        for name, value in (("model-c", 0.8333), ("model-d", 0.5))
        if (statistic, area) != ("carena", "Geography")
    ],
}
PREDICTORS = PredictorsView.model_validate(
    {
        "capabilities": [CAPABILITIES],
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

_RATINGS = (("model-a-70b-chat", 1131, 1098, 1164), ("model-c", 1042, 1010, 1074), ("model-d-mini", 960, 921, 999))
_MADE = datetime(2026, 11, 1, tzinfo=UTC)
_FACTS = {
    "protocol": "pairwise",
    "design": "balanced",
    "per_item": 3,
    "overlap": 5,
    "repeats": 0.02,
    "least_consistency": 0.6,
    "least_right": None,
    "questions": 60,
    "items": 180,
    "needed": 540,
    "public": True,
    "created_at": _MADE,
}


def _board_row(place: int, name: str, bt: float, low: float, high: float) -> dict:
    counts = {"battles": 360, "wins": 190 - 50 * place, "draws": 60, "losses": 90 + 50 * place, "both_bad": 20}
    rates = {"points": 220 - 50.0 * place, "points_per_battle": 0.61 - 0.14 * place, "win_rate": 0.61 - 0.14 * place}
    elo = {"elo": bt - 4, "elo_error": 0.31, "elo_settled": place < 2, "elo_in_order": bt + 480.2}
    return {
        "name": name,
        "rank": 1 + place,
        "rank_low": 1 + place,
        "rank_high": min(3, 2 + place),
        "bt": bt,
        "bt_low": low,
        "bt_high": high,
        **elo,
        **rates,
        **counts,
    }


def _pair_row(a: str, b: str, wins: int) -> dict:
    counts = {"battles": 180, "a_wins": wins, "b_wins": 140 - wins, "ties": 30, "both_bad": 10}
    return {"a": a, "b": b, **counts, "fraction": wins / 140}


def _annotator(label: str, consistency: float | None, *, doubtful: bool = False) -> dict:
    counts = {"annotations": 270, "skipped": 4, "repeats": 6, "judged": 210, "wrong": 32}
    shares = {"consistency": consistency, "accuracy": None, "agreement": 0.71, "lean": -0.02}
    return {"label": label, **counts, **shares, "doubtful": doubtful, "median_seconds": 31.5}


def _team(name: str, people: int, accuracy: float) -> dict:
    counts = {"people": people, "few": 1, "annotations": 90 * people}
    shares = {"accuracy": accuracy, "least_accuracy": accuracy - 0.2}
    return {"team": name, **counts, **shares, "consistency": accuracy - 0.1, "least_consistency": accuracy - 0.4}


_NAMES = [name for name, *_ in _RATINGS]
_AGREEMENT = [("raw", 0.71, None), ("fleiss", 0.48, 0.05), ("gwet", 0.55, 0.04), ("krippendorff", 0.48, 0.05)]
_REPORT = {
    "name": "spring-2026",
    "protocol": "pairwise",
    "annotations": 540,
    "skipped": 8,
    "board": [_board_row(place, *row) for place, row in enumerate(_RATINGS)],
    "pairs": [
        _pair_row(_NAMES[0], _NAMES[1], 82),
        _pair_row(_NAMES[0], _NAMES[2], 101),
        _pair_row(_NAMES[1], _NAMES[2], 88),
    ],
    "neighbours": [
        {"first": _NAMES[0], "second": _NAMES[1], "difference": 89.0, "z": 3.9, "tie": False, "more": 0},
        {"first": _NAMES[1], "second": _NAMES[2], "difference": 31.0, "z": 1.2, "tie": True, "more": 2210},
    ],
    "criteria": [],
    "totals": [],
    "agreement": [
        {"criterion": "", "method": method, "value": value, "items": 176}
        | ({"low": None, "high": None} if half is None else {"low": value - half, "high": value + half})
        for method, value, half in _AGREEMENT
    ],
    "areas": [{"area": area, "agreement": value} for area, value in (("Coding", 0.78), ("Writing", 0.61))],
    "annotators": [_annotator("1", 0.83), _annotator("2", 0.67), _annotator("3", None, doubtful=True)],
    "figures": [
        {"statistic": statistic, "area": area, "model": name, "value": first + place * step, "n": 60}
        for statistic, first, step in (("elo", 1100.0, -50.0), ("win_rate", 0.62, -0.1))
        for area in ("", "Coding", "Reasoning", "Writing")
        for place, name in enumerate(_NAMES if area != "Coding" else _NAMES[::-1])
    ],
    "sources": [
        {"model": name, "people": 60.0 - place, "people_low": 55.0, "people_high": 65.0, "judges": 70.0 - place}
        | {"judges_low": 66.0, "judges_high": 74.0, "corrected": 61.0 - place, "corrected_low": 57.0}
        | {"corrected_high": 65.0, "weight": 0.62, "items": 60}
        for place, name in enumerate(_NAMES)
    ],
    "teams": [_team("crowd", 12, 0.71), _team("model", 1, 0.69), _team("onsite, no hints", 4, 0.89)],
    "team_pairs": [
        {"team_a": first, "team_b": second, "criterion": "", "items": 120, "mean_a": 0.52, "mean_b": 0.57}
        | {"higher": 0.096, "apart_1": 0.22, "apart_2": 0, "apart_3": 0, "apart_4": 0}
        | {"spearman": 0.94, "p": 0.0012, "models": 12}
        for first, second in (("crowd", "model"), ("crowd", "onsite, no hints"), ("model", "onsite, no hints"))
    ],
    "few_raters": True,
    "left_out": [{"label": "4", "reason": "consistency 0.42 over 12 answers, below 0.60", "annotations": 131}],
    "board_before": [_board_row(place, *row) for place, row in enumerate(_RATINGS)],
}
EVALUATIONS = [
    EvaluationDetailView.model_validate(report)
    for report in (
        _FACTS
        | {"name": "spring-2026", "state": "closed", "annotations": 551, "digest": "5d" * 32, "closed_at": _MADE}
        | {"done": 540, "models": _NAMES, "report": _REPORT},
        _FACTS
        | {"name": "class of 2026", "state": "open", "annotations": 215, "digest": None, "closed_at": None}
        | {"done": 211, "models": [], "report": None},
    )
]

_LONG = (
    "Air scatters **blue** light more strongly than red light, so blue comes from everywhere.\n\n"
    "- short waves are scattered most,\n- at sunset the way through the air is long.\n\n"
    "| colour | wavelength |\n|---|---|\n| blue | 450 nm |\n| red | 700 nm |"
)


def annotated_items(sides: int) -> list[ItemView]:
    """Items as an annotator sees them: a question of two turns, and one of one turn, with a reference."""
    texts = [[_LONG, "Because of the long way.\n\n" + _LONG], ["It is the water in the air.", "I do not know."]]
    fields = {"form": "", "reference": "Rayleigh scattering", "answers": texts[:sides]}
    prompts = ["Why is the sky blue? 为什么天空是蓝色的？", "And red in the evening?"]
    return [ItemView(number=number, prompts=prompts, **fields) for number in (1, 2, 3)]


GATE = IntegrityView(
    method="pooled-gate-4",
    last_vote=1_200,
    last_decision=3,
    judged_at=datetime(2026, 11, 20, tzinfo=UTC),
    networks=7,
    established=40,
    reasons={"pooled": 32},
    this_week={"pooled": 12},
    votes=1_011,
    week_votes=240,
    undecided=["heron", "newcomer"],
    bounds={"heron": 31.2},
    rows=[
        GatedRatingView(name="heron", bt=1010.0, bt_low=990.0, bt_high=1030.0, bt_without=1100.5, votes=32),
        GatedRatingView(name="newcomer", bt=None, bt_low=None, bt_high=None, bt_without=None, votes=0),
    ],
    weeks=[
        AuditWeekView(week="2099-W02", published=date(2099, 1, 20), last_vote=1_000, last_decision=3),
        AuditWeekView(week="2026-W40", published=date(2026, 10, 13), last_vote=900, last_decision=2),
    ],
)
