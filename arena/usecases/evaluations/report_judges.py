"""The report on the judges of an evaluation: how they decide, how far people agree, and what order they give."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.adapters.store import judgements
from arena.domain.errors import Invalid
from arena.domain.judging.merging import Merged, mean_panel, merge, panel
from arena.domain.judging.statistics import agreement, length_table
from arena.domain.schemas.judges import (
    JudgeAgreementView,
    JudgesReport,
    JudgeView,
    LengthView,
)
from arena.domain.statistics.proportions import share
from arena.usecases.evaluations.definition import found
from arena.usecases.evaluations.judged_models import coefficient, estimate, models_of
from arena.usecases.evaluations.judged_pairs import CODES, read_pairs
from arena.usecases.evaluations.judged_scores import RULES, is_single, means

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.judgements import JudgementFacts
    from arena.usecases.evaluations.judged_pairs import Pairs

DEFAULT_RULE: Final = "symmetric"
PANELS: Final = {"panel, majority": panel, "panel, mean": mean_panel}
"""Names of the panels of all judges with one rubric, and how they decide."""


async def judges_report(database: Database, name: str, rule: str = DEFAULT_RULE) -> JudgesReport:
    """Report on all judges of an evaluation, and on the panels of those with the same rubric.

    `rule` makes outcomes of scores.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: There is no such rule.
    """
    if rule not in RULES:
        raise Invalid(f"There is no rule {rule!r}; there are: {', '.join(RULES)}.")
    rows, pairs = await database.read(_read, name, rule)
    return JudgesReport(evaluation=name, judges=_judges(rows, pairs))


async def publish_judges(database: Database, name: str, now: datetime, rule: str = DEFAULT_RULE) -> JudgesReport:
    """Show the report on the judges of an evaluation to everybody.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: Nobody has judged it, or there is no such rule.
    """
    report = await judges_report(database, name, rule)
    if not report.judges:
        raise Invalid(f"Nobody has judged {name}.")
    content = report.model_dump(mode="json")
    await database.write(lambda session: judgements.put_report(session, found(session, name).id, content, now))
    return report


def _read(session: Session, name: str, rule: str) -> tuple[list[JudgementFacts], Pairs]:
    return read_pairs(session, found(session, name), rule)


def _judges(rows: list[JudgementFacts], pairs: Pairs) -> list[JudgeView]:
    views: list[JudgeView] = []
    ordered = sorted(rows, key=lambda row: (row.rubric, row.version, row.judge))
    for (rubric, version), group in groupby(ordered, key=lambda row: (row.rubric, row.version)):
        outcomes: list[NDArray[np.int64]] = []
        for judge, mine in groupby(group, key=lambda row: row.judge):
            own = list(mine)
            merged = _merged(own, pairs)
            outcomes.append(merged.outcome)
            views.append(_view(judge, rubric, version, own, merged, pairs))
        if len(outcomes) > 1:
            said = np.stack(outcomes, axis=1)
            for title, decide in PANELS.items():
                word = decide(said)
                together = Merged(word, np.zeros(len(word), np.bool_), np.ones(len(word)))
                views.append(_view(title, rubric, version, [], together, pairs))
    return views


def _merged(rows: Sequence[JudgementFacts], pairs: Pairs) -> Merged:
    place = {key: number for number, key in enumerate(pairs.keys)}
    compared = [row for row in rows if not is_single(row)]
    return merge(
        np.array([place[row.question_id, row.turn, row.first_id, row.second_id] for row in compared], np.int64),
        np.array([row.swapped for row in compared], np.bool_),
        np.array([CODES.get(row.outcome or "", -1) for row in compared], np.int64),
        np.array([row.strong for row in compared], np.bool_),
        len(pairs.keys),
    )


def _view(
    judge: str, rubric: str, version: int, rows: Sequence[JudgementFacts], merged: Merged, pairs: Pairs
) -> JudgeView:
    known, singles = merged.outcome >= 0, [row for row in rows if is_single(row)]
    made, compared = singles or rows, rows and not singles
    preferred = [(row.outcome == "b") == row.swapped for row in rows if compared and row.outcome in ("a", "b")]
    return JudgeView(
        judge=judge,
        rubric=rubric,
        version=version,
        judgements=len(made),
        unreadable=sum(row.outcome is None and row.scores is None for row in made),
        pairs=int(known.sum()),
        flips=estimate(share(int(merged.flip.sum()), int(known.sum()) if compared else 0)),
        shown_first=estimate(share(sum(preferred), len(preferred))),
        tokens=sum(row.tokens for row in made) / len(made) if made else None,
        cost=_cost(made),
        agreement=_agreement(merged.outcome, pairs),
        lengths=[
            LengthView(least=row.least, longer=row.longer, tie=row.tie, shorter=row.shorter)
            for row in length_table(merged.outcome, pairs.longer_by)
        ],
        models=models_of(merged, pairs),
        scores=means(singles, pairs.names) if singles else [],
    )


def _cost(rows: Sequence[JudgementFacts]) -> float | None:
    """US dollars of 1,000 judgements, from those whose cost is known."""
    known = [row.cost for row in rows if row.cost is not None]
    return 1_000 * sum(known) / len(known) if known else None


def _agreement(outcome: NDArray[np.int64], pairs: Pairs) -> list[JudgeAgreementView]:
    """Agreement in all, then by area; areas that people have not judged are left out."""
    masks = {"": np.ones(len(outcome), np.bool_)}
    masks |= {area: pairs.area == number for number, area in enumerate(pairs.areas) if area}
    measured = {area: agreement(outcome[mask], pairs.people[mask]) for area, mask in masks.items()}
    return [
        JudgeAgreementView(area=area, raw=estimate(each.raw), kappa=coefficient(each.kappa), ac1=coefficient(each.ac1))
        for area, each in measured.items()
        if each.raw.total
    ]
