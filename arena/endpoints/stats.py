"""How an endpoint does, as its owner is told."""

from __future__ import annotations

from collections import Counter
from math import ceil, sqrt
from typing import TYPE_CHECKING, Final

from arena.store import records
from arena.terms import Outcome
from arena.wire import Percentiles, StatsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

CALLS: Final = 1_000
"""The newest answers that error rate and times are taken from."""
_Z: Final = 1.959964
"""Of a 95 % interval."""


def stats(session: Session, endpoint_id: int) -> StatsView:
    """Votes, errors and times of one endpoint."""
    outcomes = records.outcomes(session, endpoint_id)
    votes = outcomes.total()
    won = outcomes[Outcome.A] + outcomes[Outcome.TIE] / 2
    low, high = wilson(won, votes) if votes else (None, None)
    answers = records.answers(session, endpoint_id, CALLS)
    errors = Counter(answer.error for answer in answers if answer.error)
    good = [answer for answer in answers if not answer.error]
    return StatsView(
        battles=records.battles(session, endpoint_id),
        votes=votes,
        win_rate=won / votes if votes else None,
        win_rate_low=low,
        win_rate_high=high,
        calls=len(answers),
        error_rate=errors.total() / len(answers) if answers else None,
        errors=dict(errors.most_common()),
        first_token_ms=percentiles([answer.first_token_ms for answer in good if answer.first_token_ms is not None]),
        total_ms=percentiles([answer.total_ms for answer in good]),
    )


def wilson(won: float, votes: int) -> tuple[float, float]:
    """The 95 % interval of a share of `votes`, which is at least one (Wilson 1927).

    A tie enters as half a success, which makes the interval a little wider than it had to be, never narrower.
    """
    share, spread = won / votes, _Z * _Z / votes
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def percentiles(milliseconds: Sequence[int]) -> Percentiles | None:
    """Median and 95th percentile, both values that occurred; None of nothing."""
    if not milliseconds:
        return None
    ordered = sorted(milliseconds)
    p50, p95 = (ordered[ceil(share * len(ordered)) - 1] for share in (0.5, 0.95))
    return Percentiles(p50=p50, p95=p95)
