"""Statistics of the people behind a file of answers, as one record; it advises, and excludes nobody."""

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
    from arena.evaluations.usecases.people.annotation_file import AnnotationFile

LEAST_RATERS: Final = 3
"""Answers of an item from which its agreement enters the mean (TencentLLMEval)."""
DIGITS: Final = 6


def report(file: AnnotationFile) -> JsonObject:
    """All statistics as JSON values; None where there is nothing to say."""
    answers = file.answers
    counts, agreed = answers.counts().sum(axis=1), consensus(answers)
    gsb, listed, model = lean(answers), tencent_disqualified(answers), dawid_skene(answers)
    shared = counts >= LEAST_RATERS
    return {
        "answers": len(answers.person),
        "items": answers.items,
        "labels": list(answers.labels),
        "consensus_items": int((agreed >= 0).sum()),
        "agreement": _value(np.mean(item_agreement(answers)[shared])) if shared.any() else None,
        "agreement_items": int(shared.sum()),
        "areas": dict(zip(answers.areas, map(_value, area_agreement(answers)), strict=True)),
        "gsb": {"mean": _value(gsb.mean), "deviation": _value(gsb.deviation)},
        "tencent": {
            "wrong_overlap": _names(answers.people, listed.by_overlap),
            "gsb": _names(answers.people, listed.by_lean),
            "disqualified": _names(answers.people, listed.both),
        },
        "dawid_skene": {"converged": model.converged, "rounds": model.rounds},
        "people": _people(file, agreed, model.accuracy),
    }


def _people(file: AnnotationFile, agreed: Any, skene: Any) -> list[JsonObject]:  # noqa: ANN401 - arrays
    answers, people = file.answers, len(file.answers.people)
    wrong, golden = wrong_answers(answers, agreed), wrong_answers(answers, file.key)
    gsb, rest, (same, repeats) = lean(answers), leave_one_out(answers), consistency(answers)
    scored = ~np.isnan(file.scores)
    right, judged = score_accuracy(answers.person[scored], answers.item[scored], file.scores[scored], people)
    columns: JsonObject = {
        "answers": np.bincount(answers.person, minlength=people),
        "overlap_answers": wrong.judged,
        "wrong": wrong.wrong,
        "wrong_low": wrong.low,
        "wrong_high": wrong.high,
        "golden_answers": golden.judged,
        "golden_wrong": golden.wrong,
        "gsb": gsb.score,
        "gsb_z": gsb.z,
        "gsb_sampled_z": gsb.sampled_z,
        "shared": rest.shared,
        "agreement": rest.agreement,
        "agreement_expected": rest.expected,
        "agreement_z": rest.z,
        "evidence": rest.evidence,
        "doubtful": rest.doubtful,
        "repeats": repeats,
        "consistency": same,
        "dawid_skene": skene,
        "scores": judged,
        "score_accuracy": right,
    }
    return [
        {"person": name, **{column: _value(values[number]) for column, values in columns.items()}}
        for number, name in enumerate(answers.people)
    ]


def _names(people: tuple[str, ...], listed: Any) -> list[str]:  # noqa: ANN401 - an array
    return [people[number] for number in np.flatnonzero(listed)]


def _value(value: object) -> object:
    plain = cast("Any", value.item() if isinstance(value, np.generic) else value)
    if isinstance(plain, float):
        return round(plain, DIGITS) if math.isfinite(plain) else None
    return plain
