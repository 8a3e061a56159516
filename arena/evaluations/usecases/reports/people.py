"""Statistics of annotators: agreement, consistency, accuracy and time."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import Outcome
from arena.evaluations.domain.annotators.agreement import area_agreement, item_agreement, leave_one_out
from arena.evaluations.domain.annotators.answers import AnswerTable
from arena.evaluations.domain.annotators.coefficients import cohen, fleiss, gwet, krippendorff
from arena.evaluations.domain.annotators.quality import consensus, consistency, lean, score_accuracy, wrong_answers
from arena.evaluations.domain.people.protocols import protocol
from arena.evaluations.domain.schemas.evaluation_reports import AgreementView, AnnotatorView, AreaView
from arena.evaluations.usecases.reports.scores import criterion_scores, rated_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from arena.domain.statistics.proportions import Estimate
    from arena.evaluations.usecases.reports.columns import ReportColumns

_PAIR_OF_RATERS: Final = 2
MAX_PEOPLE: Final = 10
"""Most people for whom Cohen's kappa of each pair is listed."""


def agreement_of(name: str, log: ReportColumns) -> list[AgreementView]:
    """The coefficients of outcomes, or of each criterion's scores, without hidden repeats; none without an item."""
    is_first, result = ~log.repeat, list[AgreementView]()
    for criterion, labels, answers in _answer_tables(name, log, is_first):
        counts = answers.counts()
        rows = counts[counts.sum(axis=1) > 1]
        if not len(rows):
            continue  # nobody has judged what somebody else has
        shares = item_agreement(answers)
        mean = _without_interval(float(np.nanmean(shares)))
        result.append(AgreementView(criterion=criterion, method="raw", **mean, items=len(rows)))
        methods = {"fleiss": fleiss(rows), "gwet": gwet(rows), "krippendorff": krippendorff(rows)}
        if criterion:
            methods["krippendorff_ordinal"] = krippendorff(rows, ordinal=True)
        methods |= _cohens(answers, labels)
        result += [_record(criterion, method, value) for method, value in methods.items() if value.n]
    return result


def areas_of(log: ReportColumns) -> list[AreaView]:
    """Agreement by area after TencentLLMEval, on the values of annotations, and of all if questions lack an area."""
    answers = answers_of(log, log.is_judged & ~log.repeat)
    whole = replace(answers, area=np.zeros_like(answers.area), areas=("",))
    agreement = [
        area_agreement(whole)[0] if not area else by_area
        for area, by_area in zip(log.areas, area_agreement(answers), strict=True)
    ]
    values = zip(log.areas, agreement, strict=True)
    return [AreaView(area=area, agreement=_value(value)) for area, value in values if not math.isnan(value)]


def annotators_of(name: str, log: ReportColumns) -> list[AnnotatorView]:
    """Statistics of each annotator; with several criteria, labels are all scores of an item together."""
    is_judged, people = log.is_judged, len(log.people)
    answers = answers_of(log, is_judged)
    first_answers = answers_of(log, is_judged & ~log.repeat)
    consistencies, repeats = consistency(answers)
    errors = wrong_answers(first_answers, consensus(first_answers, answers_needed=3))
    others, gsb = leave_one_out(first_answers), lean(answers)
    doubtful = _doubtful(name, log)
    accuracy, seconds = _accuracy(name, log), _median_seconds(log)
    number, skips = np.bincount(log.person, minlength=people), np.bincount(log.person[~is_judged], minlength=people)
    return [
        AnnotatorView(
            label=label,
            annotations=int(number[place]),
            skipped=int(skips[place]),
            repeats=int(repeats[place]),
            consistency=_value(consistencies[place]),
            judged=int(errors.judged[place]),
            wrong=int(errors.wrong[place]),
            accuracy=_value(accuracy[place]),
            agreement=_value(others.agreement[place]),
            lean=_value(gsb.score[place]) if protocol(name).pairwise else None,
            doubtful=bool(doubtful[place]),
            median_seconds=seconds[place],
        )
        for place, label in enumerate(log.people)
    ]


def _doubtful(name: str, log: ReportColumns) -> NDArray[np.bool_]:
    """People who answer like a random clicker on every criterion, [people]; five scores together hardly agree."""
    tables = [table for _, _, table in _answer_tables(name, log, log.is_judged & ~log.repeat)]
    doubts = np.array([leave_one_out(table).doubtful for table in tables] or [[False] * len(log.people)])
    return np.logical_and.reduce(doubts, axis=0)


def _accuracy(name: str, log: ReportColumns) -> NDArray[np.float64]:
    """Share of right scores by LLMEval's equation 5, over all criteria, [people]; outcomes score 1, 1/2 and 0."""
    people, sums, totals = len(log.people), np.zeros(len(log.people)), np.zeros(len(log.people))
    for _title, column in rated_columns(name, log):
        mask = ~np.isnan(column) & ~log.repeat
        share, number = score_accuracy(log.person[mask], log.item[mask], column[mask], people)
        sums, totals = sums + np.nan_to_num(share) * number, totals + number
    return np.divide(sums, totals, out=np.full(people, np.nan), where=totals > 0)


def has_few_raters(log: ReportColumns) -> bool:
    """Whether scores have at most two raters; if two differ, equation 5 of LLMEval calls both wrong."""
    mask = log.is_judged & ~log.repeat
    raters = np.bincount(log.item[mask], minlength=1)
    return raters.max() == _PAIR_OF_RATERS


def _answer_tables(name: str, log: ReportColumns, mask: NDArray[np.bool_]) -> Iterator[tuple[str, int, AnswerTable]]:
    """Criterion, number of labels and answers in the order of the labels: outcomes, or scores of each criterion."""
    if protocol(name).pairwise:
        place = {word.value: number for number, word in enumerate(Outcome)}
        label = np.array([place.get(value, 0) for value in log.values] or [0])[log.code]
        yield "", len(Outcome), _answers(log, mask & log.is_judged, label, len(Outcome))
        return
    for form, criterion, column in criterion_scores(name, log):
        labels = criterion.high - criterion.low + 1
        is_labelled = mask & ~np.isnan(column)
        title = f"{form.name} {criterion.id}".strip()
        yield title, labels, _answers(log, is_labelled, np.nan_to_num(column - criterion.low).astype(np.int32), labels)


def answers_of(log: ReportColumns, mask: NDArray[np.bool_]) -> AnswerTable:
    """The annotations of a mask [n], labelled by their values."""
    return _answers(log, mask, log.code, len(log.values))


def _answers(log: ReportColumns, mask: NDArray[np.bool_], label: NDArray[np.signedinteger], labels: int) -> AnswerTable:
    """The annotations of a mask [n] with labels [n]."""
    sign = np.array([{"a": 1, "b": -1}.get(value, 0) for value in log.values] or [0], np.int8)[log.code]
    return AnswerTable(
        person=log.person[mask],
        item=log.item[mask],
        label=label[mask].astype(np.int32),
        lean=np.where(log.swapped, -sign, sign)[mask].astype(np.int8),
        area=log.area[log.item[mask]],
        people=log.people,
        labels=tuple(map(str, range(max(1, labels)))),
        areas=log.areas,
        items=len(log.first),
    )


def _cohens(answers: AnswerTable, labels: int) -> dict[str, Estimate]:
    """Cohen's kappa of each pair of up to `MAX_PEOPLE` annotators."""
    if not 1 < len(answers.people) <= MAX_PEOPLE:
        return {}
    table = np.full((len(answers.people), answers.items), -1, np.int64)
    table[answers.person, answers.item] = answers.label
    pairs = combinations(range(len(answers.people)), 2)
    return {f"cohen {answers.people[a]} {answers.people[b]}": cohen(table[a], table[b], labels) for a, b in pairs}


def _record(criterion: str, method: str, estimate: Estimate) -> AgreementView:
    ends = {"value": _value(estimate.value), "low": _value(estimate.low), "high": _value(estimate.high)}
    return AgreementView(criterion=criterion, method=method, **ends, items=estimate.n)


def _without_interval(value: float) -> dict[str, float | None]:
    return {"value": _value(value), "low": None, "high": None}


def _median_seconds(log: ReportColumns) -> list[float | None]:
    """The median time of each annotator in seconds, None without times."""
    is_timed = ~np.isnan(log.milliseconds)
    person, span = log.person[is_timed].astype(np.int64), int(np.nanmax(log.milliseconds, initial=0)) + 1
    ordered_seconds = np.sort(person * span + log.milliseconds[is_timed].astype(np.int64)) % span
    by_person = np.split(ordered_seconds, np.cumsum(np.bincount(person, minlength=len(log.people)))[:-1])
    return [round(float(np.median(times)) / 1000, 2) if len(times) else None for times in by_person]


def _value(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), 6) + 0.0  # no -0
