"""Imports: files of votes that are older than the arena, each compared with its leaf."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from hashlib import sha256
from operator import itemgetter
from typing import Any

from arena_trust.amounts import amount
from arena_trust.tlog.leaves import JsonObject
from arena_trust.verifier.verification_report import VerificationReport


@dataclass(slots=True)
class Import:
    """The leaf of an import, with the hash and number of its votes in the export."""

    leaf: JsonObject
    rows: Any = field(default_factory=sha256)
    votes: int = 0

    def check(self, findings: VerificationReport) -> None:
        """Report if the export does not have the votes of the import."""
        leaf = self.leaf
        subject = f"the import of votes {leaf['first']} to {leaf['last']}"
        if self.votes < leaf["listed"]:
            findings.fault(
                f"{subject} had {amount(leaf['listed'], 'vote')} on listed models; the export has {self.votes}"
            )
        elif self.votes < leaf["votes"]:
            findings.open.append(
                f"{subject} has {amount(leaf['votes'] - self.votes, 'vote')} that the export does not have"
            )
        elif self.votes > leaf["votes"] or self.rows.hexdigest() != leaf["rows"]:
            findings.fault(f"{subject} is not the one that the log names")


class Imports:
    """All imports of a log, sorted by their first vote."""

    def __init__(self, leaves: list[JsonObject]) -> None:
        self.every = [Import(leaf) for leaf in sorted(leaves, key=itemgetter("first"))]
        self.firsts = [entry.leaf["first"] for entry in self.every]

    def take(self, number: int, canonical: bytes) -> bool:
        """Add a vote of the export; returns whether it belongs to an import."""
        place = bisect_right(self.firsts, number) - 1
        if place < 0 or number > self.every[place].leaf["last"]:
            return False
        self.every[place].rows.update(canonical + b"\n")
        self.every[place].votes += 1
        return True
