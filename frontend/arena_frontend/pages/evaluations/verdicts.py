"""Verdicts on the cheaper of two models in sentences: quality, cost, speed, failures, each as far as it is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.figures import dollars, times
from arena_frontend.figures import plain, share, tenth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena.evaluations.domain.schemas.evaluation_reports import VerdictView
    from arena_frontend.texts import Texts


def sentences(words: Texts, verdicts: Sequence[VerdictView]) -> list[list[str]]:
    """The sentences of each verdict, the statement on quality first."""
    return [[_statement(words, verdict), *_details(words, verdict)] for verdict in verdicts]


def _statement(words: Texts, verdict: VerdictView) -> str:
    names = {"model": verdict.model, "against": verdict.against}
    return words.fill(f"evaluations.verdict.{verdict.state}", **names, margin=plain(verdict.margin, 3))


def _details(words: Texts, verdict: VerdictView) -> Iterator[str]:
    if verdict.more:  # only an open one needs any
        yield words.fill("evaluations.verdict.more", more=verdict.more)
    if verdict.more_questions:
        yield words.fill("evaluations.verdict.questions", more=verdict.more_questions)
    if verdict.missing_questions:
        yield words.fill("evaluations.verdict.missing", missing=verdict.missing_questions)
    if verdict.cheaper is not None and verdict.cost is not None and verdict.cost_against is not None:
        cost, other = dollars(verdict.cost), dollars(verdict.cost_against)
        values = {"cost": cost, "other": other, "day": str(verdict.priced_on)}
        if cost == other:
            yield words.fill("evaluations.verdict.same_cost", **values)
        else:
            yield _saving(words, verdict.cheaper, "cheaper", "dearer", **values)
    if verdict.faster is not None and verdict.seconds is not None and verdict.seconds_against is not None:
        seconds, other = _seconds(verdict.seconds, verdict.seconds_against)
        if tenth(verdict.seconds) == tenth(verdict.seconds_against):
            yield words.fill("evaluations.verdict.same_time", seconds=tenth(verdict.seconds))
        else:
            yield _saving(words, verdict.faster, "faster", "slower", seconds=seconds, other=other)
    if verdict.failed or verdict.failed_against:
        counts = {"failed": verdict.failed, "answers": verdict.answers}
        others = {"other": verdict.failed_against, "others": verdict.answers_against}
        yield words.fill("evaluations.verdict.failed", **counts, **others)
    if not verdict.by_people:
        yield words["evaluations.verdict.models"]


def _seconds(seconds: float, against: float) -> tuple[str, str]:
    """Both medians with as many digits as the share between them needs to be right for who computes it from them."""
    for digits in (1, 2):
        shown, other = round(seconds, digits), round(against, digits)
        if other and share(abs(1 - shown / other)) == share(abs(1 - seconds / against)):
            return f"{shown:.{digits}f}", f"{other:.{digits}f}"
    return f"{seconds:.3f}", f"{against:.3f}"


def _saving(words: Texts, saved: float, better: str, worse: str, **values: str) -> str:
    """The saved part of an expense, or how much more it is; what is more than doubled is so many times as much."""
    key = better if saved >= 0 else worse if saved >= -1 else f"{worse}.times"
    return words.fill(f"evaluations.verdict.{key}", share=share(abs(saved)), times=times(1 - saved), **values)
