"""Scores in logs of other tools: means by model, and agreement with people on pairs of answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.domain.statistics.means import mean
from arena.domain.statistics.proportions import share
from arena.domain.terms import Outcome
from arena.evaluations.domain.schemas.evaluation_reports import LogAgreementView, LogScoreView
from arena.evaluations.store import annotation_columns
from arena.evaluations.store import evaluations as stored

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.evaluations.store.tables.evaluations import EvaluationRow
    from arena.evaluations.usecases.reports.columns import ReportColumns


@dataclass(slots=True)
class LogScores:
    """Scores by scorer, then by (model, question); `names` of models by id, `questions` of the items in order."""

    questions: list[int]
    models: list[int]
    names: dict[int, str] = field(default_factory=dict[int, str])
    scorers: defaultdict[str, dict[tuple[int, int], float]] = field(
        default_factory=lambda: defaultdict[str, dict[tuple[int, int], float]](dict)
    )

    def means(self) -> list[LogScoreView]:
        """The mean of each scorer and model, the highest first."""
        views = [
            _mean(scorer, name, scores)
            for scorer, values in self.scorers.items()
            for model, name in self.names.items()
            if (scores := [value for (scored_model, _), value in values.items() if scored_model == model])
        ]
        return sorted(views, key=lambda view: (view.scorer, -view.mean))

    def agreement(self, log: ReportColumns) -> list[LogAgreementView]:
        """How often each scorer prefers the same answer as more people do."""
        human = _human_preferences(log)
        return [_agreement(scorer, self._preferences(values, log), human) for scorer, values in self.scorers.items()]

    def _preferences(self, values: dict[tuple[int, int], float], log: ReportColumns) -> dict[int, int]:
        """Whether the first answer of an item has the higher score (1), the second (-1) or neither (0)."""
        first: list[int] = log.first.tolist()
        second: list[int] = log.second.tolist()
        result = dict[int, int]()
        for item, (question, a, b) in enumerate(zip(self.questions, first, second, strict=True)):
            score_a, score_b = (values.get((self.models[place], question)) for place in (a, b))
            if score_a is not None and score_b is not None:
                result[item] = (score_a > score_b) - (score_a < score_b)
        return result


def read_scores(session: Session, row: EvaluationRow) -> LogScores:
    """Read the scores of an evaluation; `names` is empty where it has none."""
    models = stored.models(session, row.id)
    questions: list[int] = annotation_columns.item_columns(session, row.id)["question"].tolist()
    result = LogScores(questions, [model.id for model in models])
    for scorer, model, question, value in stored.scores(session, row.id):
        result.scorers[scorer][model, question] = value
    result.names = {model.id: model.name for model in models} if result.scorers else {}
    return result


def _human_preferences(log: ReportColumns) -> dict[int, int]:
    """The answer that more people prefer on each judged pair: 1 the first, -1 the second, 0 neither."""
    mask = log.is_judged & ~log.repeat & (log.second[log.item] >= 0)
    votes = defaultdict[int, Counter[int]](Counter)
    sides = {Outcome.A.value: 1, Outcome.B.value: -1}
    items: list[int] = log.item[mask].tolist()
    codes: list[int] = log.code[mask].tolist()
    for item, code in zip(items, codes, strict=True):
        votes[item][sides.get(log.values[code], 0)] += 1
    return {item: (counts[1] > counts[-1]) - (counts[1] < counts[-1]) for item, counts in votes.items()}


def _agreement(scorer: str, preferences: dict[int, int], human: dict[int, int]) -> LogAgreementView:
    rows = [(preferences[item], preference) for item, preference in human.items() if item in preferences]
    matches = [log == people for log, people in rows if log and people]
    estimate = share(sum(matches), len(matches))
    ends = {"agreement": estimate.value, "low": estimate.low, "high": estimate.high}
    return LogAgreementView(scorer=scorer, items=len(matches), undecided=len(rows) - len(matches), **ends)


def _mean(scorer: str, model: str, values: list[float]) -> LogScoreView:
    estimate = mean(values)
    ends = {"mean": estimate.value, "low": estimate.low, "high": estimate.high}
    return LogScoreView(scorer=scorer, model=model, answers=estimate.n, **ends)
