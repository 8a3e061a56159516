"""Comparison of teams of annotators: onsite, crowd, public or a model, with or without hints.

LLMEval's figure 3 (accuracy and consistency by type of annotator), figure 4 (scores without hints over those with), and
tables 4 and 5 (the share of answers whose scores differ), with Spearman's correlation of the models' scores, as in its
table 2. People with fewer than five annotations are left out of the means, as there.
"""

from __future__ import annotations

import math
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.proportions import finite
from arena.evaluations.domain.predictors.prediction import correlation_test
from arena.evaluations.domain.schemas.evaluation_reports import AnnotatorView, TeamPairView, TeamView
from arena.evaluations.usecases.reports.scores import rated_columns
from arena_rating.correlations import spearman
from arena_rating.counts import ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from arena.evaluations.usecases.reports.columns import ReportColumns

    Column = NDArray[np.float64]

LEAST_RESULTS: Final = 5


def teams_of(log: ReportColumns, annotators: Sequence[AnnotatorView]) -> list[TeamView]:
    """Each team, if there are several; `annotators` are in the order of the people of the log."""
    teams = sorted(set(log.teams))
    return [
        _team(name, [annotator for annotator, team in zip(annotators, log.teams, strict=True) if team == name])
        for name in (teams if len(teams) > 1 else ())
    ]


def _team(name: str, members: Sequence[AnnotatorView]) -> TeamView:
    people = [annotator for annotator in members if annotator.annotations >= LEAST_RESULTS]
    shares = [annotator.accuracy for annotator in people if annotator.accuracy is not None]
    consistencies = [annotator.consistency for annotator in people if annotator.consistency is not None]
    return TeamView(
        team=name,
        people=len(people),
        few=len(members) - len(people),
        annotations=sum(annotator.annotations for annotator in people),
        accuracy=fmean(shares) if shares else None,
        least_accuracy=min(shares, default=None),
        consistency=fmean(consistencies) if consistencies else None,
        least_consistency=min(consistencies, default=None),
    )


def team_pairs_of(name: str, log: ReportColumns) -> list[TeamPairView]:
    """Each two teams by criterion, over the items that both have judged; outcomes are points of the first model."""
    teams = sorted(set(log.teams))
    of_person = np.array([teams.index(team) for team in log.teams], np.int64)
    return [
        _pair((teams[a], teams[b]), title, log, (means[a], means[b]))
        for title, column in rated_columns(name, log)
        for means in [[_by_item(log, column, of_person[log.person] == team) for team in range(len(teams))]]
        for a, b in combinations(range(len(teams)), 2)
        if (~np.isnan(means[a]) & ~np.isnan(means[b])).any()
    ]


def _by_item(log: ReportColumns, column: Column, is_member: NDArray[np.bool_]) -> Column:
    """The mean of a team's scores of each item, [items], without hidden repeats."""
    mask = is_member & ~np.isnan(column) & ~log.repeat
    items = len(log.first)
    return ratio(
        np.bincount(log.item[mask], column[mask], items),
        np.bincount(log.item[mask], minlength=items).astype(np.float64),
    )


def _pair(names: tuple[str, str], criterion: str, log: ReportColumns, means: tuple[Column, Column]) -> TeamPairView:
    is_common = ~np.isnan(means[0]) & ~np.isnan(means[1])
    first, second = means[0][is_common], means[1][is_common]
    distance = np.abs(first - second)
    models = [_by_model(log, is_common, values) for values in means]
    has_rating = ~np.isnan(models[0])
    rho, p = correlation_test(models[0][has_rating], models[1][has_rating], spearman)
    return TeamPairView(
        team_a=names[0],
        team_b=names[1],
        criterion=criterion,
        items=int(is_common.sum()),
        mean_a=float(first.mean()),
        mean_b=float(second.mean()),
        higher=float(second.mean() / first.mean() - 1) if first.mean() else None,
        **{f"apart_{k}": float((distance >= k).mean()) for k in (1, 2, 3, 4)},
        spearman=finite(rho),
        p=None if math.isnan(rho) else finite(p),
        models=int(has_rating.sum()),
    )


def _by_model(log: ReportColumns, is_common: NDArray[np.bool_], value: Column) -> Column:
    """The mean of each model over the items of both teams, [models]; in pairs the second has 1 minus the score."""
    number, models = np.zeros(len(log.models)), np.zeros(len(log.models))
    for side, score in ((log.first, value), (log.second, 1 - value)):
        mask = is_common & (side >= 0)
        models += np.bincount(side[mask], score[mask], len(log.models))
        number += np.bincount(side[mask], minlength=len(log.models))
    return ratio(models, number)
