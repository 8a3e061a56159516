"""An owner's feedback on one endpoint as a table of groups of five people or more, so that no row is about a person."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from arena.adapters.row_files.csv_rows import csv_table
from arena.adapters.store import votes as stored
from arena.domain.privacy.crowds import Traits, generalised, traits_of
from arena.domain.terms import Criterion, Outcome, Reason

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.conversations import RemarkRow, VoteRow

RESULTS: Final = ("won", "lost", *(outcome.value for outcome in (Outcome.TIE, Outcome.BOTH_BAD)))
STARS: Final = tuple(f"{criterion}_stars" for criterion in Criterion)
COLUMNS: Final = ("period", "language", "category", "people", "votes", *RESULTS, *Reason, *STARS)
"""A period is a day, ISO week, month or year; `*_stars` are means of 1 to 3 stars, other numbers are counts."""


def feedback_table(session: Session, endpoint_id: int) -> str:
    """The counted votes on an endpoint as CSV, by the finest period, language and category that five people share."""
    log = stored.of_endpoint(session, endpoint_id, after=0, limit=None)
    votes = {vote.number: vote for vote, _, _, exclusion, _ in log if vote.not_counted is None and exclusion is None}
    remarks = stored.remarks_between(session, min(votes), max(votes)) if votes else {}
    exact = {n: traits_of(vote.created_at.date(), vote.language, vote.category, 0) for n, vote in votes.items()}
    people = {number: vote.voter_key for number, vote in votes.items()}
    groups = defaultdict[Traits, list[int]](list)
    for number, traits in generalised(people, exact, lambda _number, _traits: True).items():
        groups[traits].append(number)
    rows: list[tuple[object, ...]] = []
    for traits, numbers in sorted(groups.items(), key=lambda group: group[0].period, reverse=True):
        counts = _counts([_side(votes[n], endpoint_id) for n in numbers], [remarks.get(n, {}) for n in numbers])
        crowd = len({people[n] for n in numbers})
        rows.append((traits.period, traits.language or "", traits.category or "", crowd, len(numbers), *counts))
    return csv_table(COLUMNS, rows)


def _side(vote: VoteRow, endpoint_id: int) -> tuple[str, str]:
    """The side of the endpoint, and its result."""
    side = "a" if vote.endpoint_a_id == endpoint_id else "b"
    outcome = vote.outcome.value
    return side, outcome if outcome in RESULTS else "won" if outcome == side else "lost"


def _counts(sides: list[tuple[str, str]], remarks: list[dict[str, RemarkRow]]) -> tuple[object, ...]:
    results = Counter(result for _, result in sides)
    remarks_on_side = [row for (side, _), rows in zip(sides, remarks, strict=True) if (row := rows.get(side))]
    reasons = Counter(reason for row in remarks_on_side for reason in row.reasons)
    stars = [[row.stars[criterion] for row in remarks_on_side if criterion in row.stars] for criterion in Criterion]
    means = (round(sum(ratings) / len(ratings), 2) if ratings else "" for ratings in stars)
    return (*(results[name] for name in RESULTS), *(reasons[reason] for reason in Reason), *means)
