"""The report on the judges of an evaluation: how they decide, how far people agree, and what order they give."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.domain.errors import Invalid
from arena.domain.statistics.proportions import share
from arena.evaluations.domain.judges.merging import mean_panel, panel, settled
from arena.evaluations.domain.judges.statistics import agreement, length_table
from arena.evaluations.domain.schemas.judges import JudgeAgreementView, JudgesView, JudgeView, LengthView
from arena.evaluations.store import judgements
from arena.evaluations.usecases.definition import found
from arena.evaluations.usecases.judges.judged_models import coefficient, estimate, models_of
from arena.evaluations.usecases.judges.judged_pairs import read_pairs
from arena.evaluations.usecases.judges.judged_scores import RULES, means

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.evaluations.domain.judges.merging import Merged
    from arena.evaluations.usecases.judges.judged_pairs import Judged, Pairs

DEFAULT_RULE: Final = "symmetric"
PANELS: Final = {"panel, majority": panel, "panel, mean": mean_panel}
"""Names of the panels of all judges with one rubric, and how they decide."""
_NOTHING: Final = estimate(share(0, 0))
_NOBODY: Final[dict[str, Any]] = {
    "judgements": 0,
    "unreadable": 0,
    "tokens": None,
    "flips": _NOTHING,
    "shown_first": _NOTHING,
}
"""A panel asks nobody."""


async def judges_report(database: Database, name: str, rule: str = DEFAULT_RULE) -> JudgesView:
    """Report on all judges of an evaluation, and on the panels of those with the same rubric.

    `rule` makes outcomes of scores.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: There is no such rule.
    """
    if rule not in RULES:
        raise Invalid(f"There is no rule {rule!r}; there are: {', '.join(RULES)}.")
    judged, pairs = await database.read(_read, name, rule)
    return JudgesView(evaluation=name, judges=_judges(judged, pairs))


async def publish_judges(database: Database, name: str, now: datetime, rule: str = DEFAULT_RULE) -> JudgesView:
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


def _read(session: Session, name: str, rule: str) -> tuple[list[Judged], Pairs]:
    return read_pairs(session, found(session, name), rule)


def _judges(judged: list[Judged], pairs: Pairs) -> list[JudgeView]:
    views: list[JudgeView] = []
    for (rubric, version), group in groupby(judged, key=lambda each: (each.by.rubric, each.by.version)):
        alike = list(group)
        views += [_judge(each, pairs) for each in alike]
        if len(alike) > 1:
            said = np.stack([each.merged.outcome for each in alike], axis=1)
            views += [
                JudgeView(judge=title, rubric=rubric, version=version, **_NOBODY, **_figures(panelled, pairs))
                for title, panelled in ((title, settled(decide(said))) for title, decide in PANELS.items())
            ]
    return views


def _judge(judged: Judged, pairs: Pairs) -> JudgeView:
    by, merged = judged.by, judged.merged
    known = int((merged.outcome >= 0).sum())
    return JudgeView(
        judge=by.judge,
        rubric=by.rubric,
        version=by.version,
        judgements=by.judgements,
        unreadable=by.unreadable,
        flips=_NOTHING if judged.single else estimate(share(int(merged.flip.sum()), known)),
        shown_first=estimate(share(int(judged.preferred.sum()), len(judged.preferred))),
        tokens=by.tokens / by.judgements,
        cost=1_000 * by.cost / by.priced if by.priced else None,
        scores=means(judged.model, judged.score, judged.words, by.rubric, pairs.models) if judged.single else [],
        **_figures(merged, pairs),
    )


def _figures(merged: Merged, pairs: Pairs) -> dict[str, Any]:
    """Figures of judges and of panels alike."""
    return {
        "pairs": int((merged.outcome >= 0).sum()),
        "agreement": _agreement(merged.outcome, pairs),
        "lengths": [
            LengthView(least=row.least, longer=row.longer, tie=row.tie, shorter=row.shorter)
            for row in length_table(merged.outcome, pairs.longer_by)
        ],
        "models": models_of(merged, pairs),
    }


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
