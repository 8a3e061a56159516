"""TencentLLMEval's rule (section 2.4.2) as a preset: annotators on both of its lists are left out.

If they made more than 15 % of all judgements, 30 % of an area's, or 15 % of those of important tasks, reviewers judge
their items again, else other annotators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.adapters.store.engine.transactions import read_transaction
from arena.evaluations.domain.annotators.quality import tencent_disqualified
from arena.evaluations.domain.schemas.evaluation_reports import EXCLUSIONS
from arena.evaluations.usecases.definition import evaluation_row
from arena.evaluations.usecases.people.annotators import take_back
from arena.evaluations.usecases.reports import report_columns
from arena.evaluations.usecases.reports.columns import ReportColumns
from arena.evaluations.usecases.reports.people import answers_of

MOST_REMOVED: Final = 0.15
MOST_OF_AREA: Final = 0.30
IMPORTANT: Final = (
    *("Dialogue", "Reasoning", "Coding", "Mathematics", "Safety"),
    *("对话", "推理", "代码", "数学", "安全"),
)
"""Areas of important tasks, unless others are named."""
REASON: Final = EXCLUSIONS["lists"]


@dataclass(frozen=True, slots=True)
class TencentVerdict:
    """Labels of people on each list and on both; `panel` has the reasons for which reviewers judge again, if any."""

    by_overlap: list[str]
    by_lean: list[str]
    both: list[str]
    panel: list[str]


@read_transaction
def tencent_verdict(session: Session, name: str, important: Sequence[str] = IMPORTANT) -> TencentVerdict:
    """Apply the rule to the annotators of an evaluation.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    log = report_columns.read_columns(session, evaluation_row(session, name))
    disqualified = tencent_disqualified(answers_of(log, log.is_judged & ~log.repeat))
    return TencentVerdict(
        *(
            [log.people[place] for place in np.flatnonzero(names)]
            for names in (disqualified.by_overlap, disqualified.by_lean, disqualified.by_both)
        ),
        panel=list(_reasons(log, disqualified.by_both, set(important))),
    )


async def disqualify(
    database: Database, name: str, verdict: TencentVerdict, now: datetime
) -> list[tuple[str, str, int]]:
    """Leave out people on both lists: label, reason, and number of withdrawn annotations.

    Raises:
        EvaluationNotFound: There is none of this name.
        EvaluationClosed: It is closed.
    """
    panel = bool(verdict.panel)
    return [(label, REASON, await take_back(database, name, label, REASON, now, panel=panel)) for label in verdict.both]


def _reasons(log: ReportColumns, left_out: NDArray[np.bool_], important: set[str]) -> Iterator[str]:
    is_removed, area = left_out[log.person], log.area[log.item]
    shares = [
        (f"of {name}", MOST_OF_AREA, area == place) for place, name in enumerate(log.areas) if (area == place).any()
    ]
    is_important = np.isin(area, [place for place, name in enumerate(log.areas) if name in important])
    for scope, limit, groups in (
        ("of all", MOST_REMOVED, area >= 0),
        *shares,
        ("of important tasks", MOST_REMOVED, is_important),
    ):
        share = float(is_removed[groups].mean()) if groups.any() else 0.0
        if share > limit:
            yield f"{share:.0%} {scope} above {limit:.0%}"
