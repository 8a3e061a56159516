"""Audit files, the published origins of each week's votes, and their join with the votes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import nan
from typing import TYPE_CHECKING, Final

from arena_trust.integrity.cast_votes import HOUR, UNTOLD
from arena_trust.integrity.gate import GATES
from arena_trust.integrity.vote_rows import VoteWithOrigin, columns_of
from arena_trust.tlog.leaves import JsonObject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.verdicts import VoteWeights

MERGED: Final = "other"
"""Name of the value that merges values with too few voters."""
JudgedVote = tuple[int, str, str, int, float | None]
"""Number, both models, outcome and reading time of a vote."""


@dataclass(frozen=True, slots=True)
class AuditFile:
    """The header of an audit file, and the origins of its votes by number."""

    week: str
    method: str
    last_vote: int
    last_decision: int
    unlisted: frozenset[str]
    origins: dict[int, JsonObject]

    @classmethod
    def parse(cls, lines: Iterable[bytes]) -> AuditFile:
        """Parse the lines of a file.

        Raises:
            ValueError: They are no audit file.
        """
        head, *rows = [json.loads(line) for line in lines] or [{}]
        try:
            if (head["format"], head["version"]) != ("arena-audit", 1):
                raise ValueError
            origins = {row["number"]: row for row in rows}
            unlisted = frozenset(head["unlisted"])
            return cls(head["week"], head["method"], head["last_vote"], head["last_decision"], unlisted, origins)
        except (KeyError, TypeError):
            raise ValueError from None


class Audits:
    """The audit files of all weeks up to that of `newest`."""

    def __init__(self, files: Sequence[AuditFile]) -> None:
        self.files = sorted(files, key=lambda file: file.week)
        self.newest = self.files[-1]
        self.origins = {number: (file.week, row) for file in files for number, row in file.origins.items()}

    def joined(self, votes: Iterable[JudgedVote]) -> CastVotes:
        """The published form of the votes that the gate judged when it closed the newest week.

        Raises:
            KeyError, TypeError, ValueError: An origin has a missing or wrong field.
        """
        unlisted = self.newest.unlisted
        rows = [
            _join(vote, *self.origins[vote[0]])
            for vote in votes
            if vote[0] in self.origins and vote[1] not in unlisted and vote[2] not in unlisted
        ]
        return columns_of(sorted(rows))

    def verdict(self, log: CastVotes) -> VoteWeights:
        """The verdict on joined votes of the gate that closed the newest week.

        Raises:
            ValueError: That gate is not known to this release.
        """
        if self.newest.method not in GATES:
            raise ValueError(f"the gate {self.newest.method} is not known here; another release may know it")
        return GATES[self.newest.method](log)

    def absent_weeks(self) -> list[str]:
        """Weeks between the first and the newest file without a file here; a week without votes never has one."""
        first, last = (date.fromisoformat(f"{file.week}-1") for file in (self.files[0], self.newest))
        weeks = (first + timedelta(weeks=number) for number in range((last - first).days // 7))
        return [name for name in (f"{week:%G-W%V}" for week in weeks) if name not in {file.week for file in self.files}]


def _join(vote: JudgedVote, week: str, origin: JsonObject) -> VoteWithOrigin:
    number, a, b, outcome, seconds = vote
    day = datetime.fromisoformat(origin["day"]).replace(tzinfo=UTC).timestamp()
    network = origin["network"]
    return (
        number,
        day + (UNTOLD if origin["hour"] is None else HOUR * origin["hour"]),
        a,
        b,
        outcome,
        f"{origin['day']} {origin['voter']}",
        None if network is None else f"{week} {network}",
        origin["since"],
        origin["language"],
        origin["check"],
        origin["client"],
        nan if origin["age"] is None else float(origin["age"]),
        nan if seconds is None else float(seconds),
    )
