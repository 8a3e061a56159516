"""Statistics of the people behind a file of answers, as one record; it excludes nobody."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from arena.domain.terms import JsonObject
from arena.evaluations.domain.annotators.agreement import area_agreement, item_agreement, leave_one_out
from arena.evaluations.domain.annotators.dawid_skene import dawid_skene
from arena.evaluations.domain.annotators.quality import (
    consensus,
    consistency,
    lean,
    score_accuracy,
    tencent_disqualified,
    wrong_answers,
)

if TYPE_CHECKING:
    from arena.evaluations.domain.annotators.answers import AnswerTable
    from arena.evaluations.usecases.people.annotation_file import AnnotationFile

LEAST_RATERS: Final = 3
"""Fewest answers of an item whose agreement enters the mean (TencentLLMEval)."""
DIGITS: Final = 6


def report(file: AnnotationFile) -> JsonObject:
    """All statistics as JSON values; None where they are not defined.

    Of a person's answers to one item the first counts, and all of them for consistency.
    """
    answers = file.answers.where(file.answers.is_first())
    counts, labels = np.bincount(answers.item, minlength=answers.items), consensus(answers)
    gsb, disqualified, model = lean(answers), tencent_disqualified(answers), dawid_skene(answers)
    is_shared = counts >= LEAST_RATERS
    return {
        "answers": len(file.answers.person),
        "items": answers.items,
        "labels": list(answers.labels),
        "consensus_items": int((labels >= 0).sum()),
        "agreement": _value(np.mean(item_agreement(answers)[is_shared])) if is_shared.any() else None,
        "agreement_items": int(is_shared.sum()),
        "areas": dict(zip(answers.areas, map(_value, area_agreement(answers)), strict=True)),
        "gsb": {"mean": _value(gsb.mean), "deviation": _value(gsb.deviation)},
        "tencent": {
            "wrong_overlap": _names(answers.people, disqualified.by_overlap),
            "gsb": _names(answers.people, disqualified.by_lean),
            "disqualified": _names(answers.people, disqualified.by_both),
        },
        "dawid_skene": {"converged": model.converged, "rounds": model.rounds},
        "people": _people(file, answers, labels, model.accuracy),
    }


def _people(file: AnnotationFile, answers: AnswerTable, labels: Any, skene: Any) -> list[JsonObject]:  # noqa: ANN401 - arrays
    people = len(answers.people)
    overlap, golden = wrong_answers(answers, labels), wrong_answers(answers, file.key)
    gsb, others, (share, repeats) = lean(answers), leave_one_out(answers), consistency(file.answers)
    scores = file.scores[file.answers.is_first()]
    scored = answers.where(~np.isnan(scores))
    accuracy, number = score_accuracy(scored.person, scored.item, scores[~np.isnan(scores)], people)
    columns: JsonObject = {
        "answers": np.bincount(file.answers.person, minlength=people),
        "overlap_answers": overlap.judged,
        "wrong": overlap.wrong,
        "wrong_low": overlap.low,
        "wrong_high": overlap.high,
        "golden_answers": golden.judged,
        "golden_wrong": golden.wrong,
        "gsb": gsb.score,
        "gsb_z": gsb.z,
        "gsb_sampled_z": gsb.sampled_z,
        "shared": others.shared,
        "agreement": others.agreement,
        "agreement_expected": others.expected,
        "agreement_z": others.z,
        "evidence": others.evidence,
        "doubtful": others.doubtful,
        "repeats": repeats,
        "consistency": share,
        "dawid_skene": skene,
        "scores": number,
        "score_accuracy": accuracy,
    }
    return [
        {"person": name, **{column: _value(values[number]) for column, values in columns.items()}}
        for number, name in enumerate(answers.people)
    ]


def _names(people: tuple[str, ...], mask: Any) -> list[str]:  # noqa: ANN401 - an array
    return [people[number] for number in np.flatnonzero(mask)]


def _value(value: object) -> object:
    number = cast("Any", value.item() if isinstance(value, np.generic) else value)
    if isinstance(number, float):
        return round(number, DIGITS) if math.isfinite(number) else None
    return number
