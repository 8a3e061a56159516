"""Reader of a public export with audit files: the votes as the gate reads them, and the gate's verdict on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arena.adapters.row_files.limits import TEXT_ROWS
from arena.adapters.row_files.row_file import open_rows
from arena.adapters.row_files.rows import Unusable, mapping
from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject
from arena_rating import OUTCOME_CODES
from arena_trust.integrity.audits import AuditFile, Audits, JudgedVote
from arena_trust.integrity.verdicts import REASONS, VoteWeights
from arena_trust.integrity.weights_in_force import FULL_QUARTERS, GATE, WeightsInForce

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from arena_trust.integrity.cast_votes import CastVotes


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """Votes up to the end of the last audited week, in their published form.

    `later` is the number of counted votes that are in no audit file: later ones, and those without an origin.
    """

    log: CastVotes
    audits: Audits
    later: int

    @property
    def week(self) -> str:
        """The name of the last week."""
        return self.audits.newest.week

    def verdict(self) -> VoteWeights:
        """The gate's verdict, computed by the method of the run that closed the last week.

        Raises:
            Invalid: This version does not know that method.
        """
        try:
            return self.audits.verdict(self.log)
        except ValueError as error:
            raise Invalid(f"{self.week}: {error}.") from None

    def differing(self, verdict: VoteWeights, decisions: Path) -> list[int]:
        """Numbers of votes whose published decision differs from `verdict`, without those that an operator decided.

        Raises:
            Invalid: The file of decisions cannot be read.
        """
        weights = read_decisions(decisions, self.audits.newest.last_decision)
        quarters = np.rint(FULL_QUARTERS * verdict.weight).astype(np.int64)
        rows = weights.differing(self.log.number, quarters, verdict.reason, REASONS)
        return self.log.number[rows].tolist()


def read_decisions(path: Path, last: int | None = None) -> WeightsInForce:
    """The weights in force after decision `last` of a file, by default after all of its decisions.

    Raises:
        Invalid: The file cannot be read, or lacks that decision.
    """
    weights = WeightsInForce()
    for row in _rows(path):
        if last is not None and row.get("number", 0) > last:
            break
        try:
            by = GATE if row["by"] == GATE else "operator"
            weights.apply(row["number"], round(FULL_QUARTERS * row["weight"]), row["reason"], row["votes"], by)
        except (KeyError, TypeError, ValueError):
            raise Invalid(f"{path}: not a file of decisions.") from None
    if last is not None and weights.last < last:
        raise Invalid(f"{path}: decision {last} is missing; get the file again.")
    return weights


def read_audited(export: Path, audits: Sequence[Path]) -> Audited:
    """Join a public export with the audit files of all weeks up to one.

    Raises:
        Invalid: A file cannot be read or has another form.
    """
    origins = Audits([_audit(path) for path in audits])
    votes: list[JudgedVote] = []
    later = 0
    try:
        for row in _rows(export):
            if row.get("number") in origins.origins:
                votes.append((row["number"], row["a"], row["b"], OUTCOME_CODES[row["outcome"]], row["seconds"]))
            else:
                later += bool(row.get("counted"))
        return Audited(origins.joined(votes), origins, later)
    except (KeyError, TypeError, ValueError):
        raise Invalid(f"{export}: not an export of this arena's votes.") from None


def _audit(path: Path) -> AuditFile:
    try:
        with open_rows(path) as file:
            return AuditFile.parse(list(file.stream))
    except ValueError:
        raise Invalid(f"{path}: not an audit file.") from None


def _rows(path: Path) -> Iterator[JsonObject]:
    with open_rows(path, TEXT_ROWS) as file:
        for _, value in file.json_lines():
            try:
                yield mapping(value)
            except Unusable as error:
                raise Invalid(f"{path}: not JSON lines: {error}.") from None
