"""The report on the judges of an evaluation: their decisions, agreement with people, and ranking of models."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import Invalid
from arena.domain.statistics.means import mean
from arena.domain.statistics.proportions import Estimate, share
from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.outcomes import (
    RULES,
    TIE,
    MergedOutcomes,
    majority_panel,
    mean_panel,
    single_order,
)
from arena.evaluations.domain.judges.rubric import rubric
from arena.evaluations.domain.judges.statistics import agreement, compare_with_people, length_table
from arena.evaluations.domain.people.protocols import scores
from arena.evaluations.domain.predictors.prediction import correlation_test
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.domain.schemas.judges import (
    EstimateView,
    JudgeAgreementView,
    JudgedModelView,
    JudgesView,
    JudgeView,
    LengthView,
    LostView,
    RelatedModelView,
    ScoredModelView,
)
from arena.evaluations.domain.terms import Level, Relation
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store import judgements
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.definition import evaluation_row
from arena.evaluations.usecases.judges.early_ranks import early_ranks
from arena.evaluations.usecases.judges.judged_pairs import CODES, JudgedPairs, JudgeOutcomes, read_pairs
from arena.evaluations.usecases.judges.relations import related_models
from arena_rating import Comparisons, RatingError, bradley_terry, pair_counts, style_bradley_terry
from arena_rating.correlations import spearman

Column = NDArray[np.float64]
Related = dict[str, Relation]
"""Models that a judge does not judge, with the reason."""

DEFAULT_RULE: Final = "symmetric"
PANELS: Final = {"panel, majority": majority_panel, "panel, mean": mean_panel}
"""Names and rules of the panels of all judges with one rubric."""
MOST_LOST: Final = 0.05
"""Share of unreadable judgements above which a report warns."""
_EMPTY: Final = EstimateView(value=None, low=None, high=None, n=0)
_NO_CALLS: Final[dict[str, Any]] = {
    "judgements": 0,
    "unreadable": 0,
    "tokens": None,
    "flips": _EMPTY,
    "shown_first": _EMPTY,
}
"""Figures of a panel, which makes no calls of its own."""


async def judges_report(database: Database, name: str, rule: str = DEFAULT_RULE, by: Level = Level.AREA) -> JudgesView:
    """Report on all judges of an evaluation, and on the panels of judges with the same rubric.

    `rule` converts scores to outcomes; `by` is the level of the tree of tasks that areas are.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: There is no such rule.
    """
    if rule not in RULES:
        raise Invalid(f"There is no rule {rule!r}; there are: {', '.join(RULES)}.")
    judges, pairs, related = await database.read(_read_outcomes, name, rule, by)
    return JudgesView(evaluation=name, judges=_judges(judges, pairs, related), people=_people(pairs))


async def publish_judges(
    database: Database, name: str, now: datetime, rule: str = DEFAULT_RULE, by: Level = Level.AREA
) -> JudgesView:
    """Publish the report on the judges of an evaluation.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: It has no judgements, or there is no such rule.
    """
    report = await judges_report(database, name, rule, by)
    if not report.judges:
        raise Invalid(f"Nobody has judged {name}.")
    content = report.model_dump(mode="json")
    await database.write(lambda session: judgements.put_report(session, evaluation_row(session, name).id, content, now))
    return report


def _read_outcomes(
    session: Session, name: str, rule: str, by: Level
) -> tuple[list[JudgeOutcomes], JudgedPairs, dict[int, Related]]:
    row = evaluation_row(session, name)
    judges, pairs = read_pairs(session, row, rule, by)
    return judges, pairs, {judge.by.judge_id: _related(session, row, judge.by.judge_id) for judge in judges}


def _related(session: Session, row: EvaluationRow, judge_id: int) -> Related:
    """The models of an evaluation that a judge may favour."""
    related = related_models(session, session.get_one(EndpointRow, judge_id), stored.models(session, row.id))
    return {model.name: relation for model, relation in related.items()}


def _judges(judges: list[JudgeOutcomes], pairs: JudgedPairs, related: Mapping[int, Related]) -> list[JudgeView]:
    views: list[JudgeView] = []
    for (name, version), group in groupby(judges, key=lambda judge: (judge.by.rubric, judge.by.version)):
        panel = list(group)
        views += [_judge(judge, pairs, related[judge.by.judge_id]) for judge in panel]
        if len(panel) > 1:
            outcomes = np.stack([judge.merged.outcome for judge in panel], axis=1)
            for title, decide in PANELS.items():
                figures = _figures(single_order(decide(outcomes)), pairs)
                views.append(JudgeView(judge=title, rubric=name, version=version, **_NO_CALLS, **figures))
    return views


def _judge(judge: JudgeOutcomes, pairs: JudgedPairs, related: Related) -> JudgeView:
    by, outcomes = judge.by, judge.merged
    number = int((outcomes.outcome >= 0).sum())
    return JudgeView(
        judge=by.judge,
        rubric=by.rubric,
        version=by.version,
        judgements=by.judgements,
        unreadable=by.unreadable,
        flips=_EMPTY if judge.is_single else EstimateView.model_validate(share(int(outcomes.flip.sum()), number)),
        shown_first=EstimateView.model_validate(share(int(judge.first_wins.sum()), len(judge.first_wins))),
        tokens=by.tokens / by.judgements,
        cost=1_000 * by.cost / by.priced if by.priced else None,
        scores=_means(judge, pairs.models) if judge.is_single else [],
        early=early_ranks(outcomes.outcome, pairs),
        related=[
            RelatedModelView(name=name, relation=related[name])
            for name, number in zip(pairs.models, judge.judgements, strict=True)
            if name in related and not number
        ],
        **_losses(judge, pairs.models),
        **_figures(outcomes, pairs),
    )


def _people(pairs: JudgedPairs) -> JudgeView | None:
    """The figures of a judge for the majority of people, without agreement with themselves."""
    if not (pairs.people >= 0).any():
        return None
    blanks: dict[str, Any] = {"agreement": [], "pearson": None, "spearman": None, "p": None}
    figures = _figures(single_order(pairs.people), pairs) | blanks
    return JudgeView(judge="people", rubric="majority", version=1, **_NO_CALLS, **figures)


def _losses(judge: JudgeOutcomes, names: tuple[str, ...]) -> dict[str, Any]:
    """Models and outcomes affected by unreadable judgements, if these are more than `MOST_LOST`."""
    if judge.by.unreadable <= MOST_LOST * judge.by.judgements:
        return {}
    losses = [
        LostView(name=names[number], judgements=int(judge.judgements[number]), unreadable=int(judge.unreadable[number]))
        for number in sorted(range(len(names)), key=lambda place: -judge.unreadable[place])
        if judge.unreadable[number]
    ]
    has_pairs = not judge.is_single and judge.by.unreadable < judge.by.judgements
    outcomes = _outcomes_of(judge.by.rubric) if has_pairs else []
    return {"lost": losses, "missing": [outcome for outcome in outcomes if not judge.outcomes[CODES[outcome]]]}


def _outcomes_of(name: str) -> list[Outcome]:
    """The outcomes that a rubric offers; not all of them have "both bad"."""
    answers = [text.answer for text in rubric(name).texts.values()]
    return [outcome for outcome in Outcome if outcome is not Outcome.BOTH_BAD or any("both bad" in a for a in answers)]


def _figures(outcomes: MergedOutcomes, pairs: JudgedPairs) -> dict[str, Any]:
    """The figures that judges and panels have in common."""
    is_common = (outcomes.outcome >= 0) & (pairs.people >= 0)
    rates = [_unbeaten_shares(np.where(is_common, outcome, -1), pairs) for outcome in (outcomes.outcome, pairs.people)]
    columns = np.array([[rate.value for rate in row] for row in rates])
    complete = columns[:, ~np.isnan(columns).any(axis=0)]
    (r, p), (rho, _) = correlation_test(*complete), correlation_test(*complete, measure=spearman)
    return {
        "pearson": r,
        "spearman": rho,
        "p": p,
        "figures": shares_by_turn(outcomes.outcome, pairs),
        "pairs": int((outcomes.outcome >= 0).sum()),
        "agreement": _agreement(outcomes.outcome, pairs),
        "lengths": [LengthView.model_validate(row) for row in length_table(outcomes.outcome, pairs.longer_by)],
        "models": _models(outcomes, pairs),
    }


def _agreement(outcome: NDArray[np.int64], pairs: JudgedPairs) -> list[JudgeAgreementView]:
    """Agreement over all areas, then by area, without areas that people have not judged."""
    views: list[JudgeAgreementView] = []
    for area, mask in _areas(pairs):
        result, among_people = agreement(outcome[mask], pairs.people[mask]), pairs.agreement[mask]
        among_people = among_people[~np.isnan(among_people)]
        if result.raw.n:
            figures = {"raw": result.raw, "kappa": result.kappa, "ac1": result.ac1}
            people = float(among_people.mean()) if len(among_people) else math.nan
            comparison = asdict(compare_with_people(result.raw.value, people))
            views.append(JudgeAgreementView.model_validate({"area": area, **figures, **comparison}))
    return views


def _areas(pairs: JudgedPairs) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    yield "", np.ones(len(pairs.area), np.bool_)
    yield from ((area, pairs.area == number) for number, area in enumerate(pairs.areas) if area)


def shares_by_turn(outcome: NDArray[np.int64], pairs: JudgedPairs) -> list[FigureView]:
    """Shares of wins and ties by turn, area and model (SuperCLUE, tables 2 and 3)."""
    turns = {"first_turn": ~pairs.is_later, "later_turns": pairs.is_later, "all_turns": np.ones(len(outcome), np.bool_)}
    return [
        FigureView(statistic=statistic, area=area, model=model, value=rate.value, n=rate.n)
        for statistic, selection in turns.items()
        for area, mask in _areas(pairs)
        for model, rate in zip(
            pairs.models, _unbeaten_shares(np.where(selection & mask, outcome, -1), pairs), strict=True
        )
        if rate.n
    ]


def _unbeaten_shares(outcome: NDArray[np.int64], pairs: JudgedPairs) -> list[Estimate]:
    """The share of wins and ties of each model; an outcome of -1 is none."""
    sides = [(pairs.first == number, pairs.second == number) for number in range(len(pairs.models))]
    totals = [int(((outcome >= 0) & (first | second)).sum()) for first, second in sides]
    losses = [int(((outcome == 1) & first | (outcome == 0) & second).sum()) for first, second in sides]
    return [share(total - lost, total) for total, lost in zip(totals, losses, strict=True)]


def _models(outcomes: MergedOutcomes, pairs: JudgedPairs) -> list[JudgedModelView]:
    """The models, the highest rating first."""
    ratings = _ratings(outcomes, pairs)
    views = [_model(number, outcomes.outcome, pairs, ratings) for number in range(len(pairs.models))]
    return sorted(views, key=lambda view: -(view.rating if view.rating is not None else -math.inf))


def _model(
    number: int, outcome: NDArray[np.int64], pairs: JudgedPairs, ratings: tuple[Column, Column]
) -> JudgedModelView:
    is_first, is_second = pairs.first == number, pairs.second == number
    battles = (outcome >= 0) & (is_first | is_second)
    wins = (is_first & (outcome == 0)) | (is_second & (outcome == 1))
    not_lost = wins | (battles & (outcome >= TIE))

    def kept_share(turns: NDArray[np.bool_]) -> EstimateView:
        return EstimateView.model_validate(share(int((not_lost & turns).sum()), int((battles & turns).sum())))

    rating, at_length = ratings
    return JudgedModelView(
        name=pairs.models[number],
        pairs=int(battles.sum()),
        wins=int(wins.sum()),
        ties=int(not_lost.sum() - wins.sum()),
        losses=int(battles.sum() - not_lost.sum()),
        first_turn=kept_share(~pairs.is_later),
        later_turns=kept_share(pairs.is_later),
        all_turns=kept_share(battles),
        rating=rating[number],
        rating_at_length=at_length[number],
    )


def _ratings(outcomes: MergedOutcomes, pairs: JudgedPairs) -> tuple[Column, Column]:
    """Bradley-Terry ratings, and the same controlled for length; nan without a fit."""
    is_decided = outcomes.outcome >= 0
    columns = pairs.first[is_decided].astype(np.int32), pairs.second[is_decided].astype(np.int32)
    outcome = outcomes.outcome[is_decided].astype(np.uint8)
    log = Comparisons(*columns, outcome, outcomes.votes[is_decided], None, None, pairs.models)
    longer = pairs.longer_by[is_decided].astype(np.float64)[:, None]
    try:
        return bradley_terry(pair_counts(log)).rating, style_bradley_terry(log, longer, feature_names=["length"]).rating
    except RatingError:
        blanks = np.full(len(pairs.models), np.nan)
        return blanks, blanks


def _means(judge: JudgeOutcomes, names: tuple[str, ...]) -> list[ScoredModelView]:
    """The mean of each criterion by model, in the order of their first scores."""
    judge_rubric, texts = rubric(judge.by.rubric), judge.score_texts
    scales = judge_rubric.criteria or {judge_rubric.form.value: judge_rubric.scale or (1, 10)}
    codes: list[int] = [code for code in np.unique(judge.score).tolist() if texts[code]]
    points = np.full((len(texts), len(scales)), np.nan)
    for code in codes:
        points[code] = scores(texts[code])
    is_scored = np.isin(judge.score, codes)
    models, position = np.unique(judge.model[is_scored], return_index=True)
    order: list[int] = models[np.argsort(position)].tolist()
    return [
        ScoredModelView(
            name=names[number], criterion=name, mean=EstimateView.model_validate(mean(column)), most=scales[name][1]
        )
        for number in order
        for name, column in zip(scales, points[judge.score[is_scored & (judge.model == number)]].T, strict=True)
    ]
