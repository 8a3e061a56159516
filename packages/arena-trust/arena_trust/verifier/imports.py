"""Imports: files of votes that are older than the arena, each compared with its leaves."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from arena_trust.amounts import amount
from arena_trust.tlog.leaves import HashedVotes, JsonObject
from arena_trust.verifier.verification_report import VerificationReport

Pair = tuple[str, str]
"""Two models by name, in alphabetical order."""


@dataclass(slots=True)
class Import:
    """The leaf of an import, with the votes of it in the export.

    `logged_pairs` has number and digest of the votes between two models that were listed then; imports before version
    0.3 have none, so that one with missing votes is known by its numbers alone.
    """

    leaf: JsonObject
    logged_pairs: dict[Pair, tuple[int, str]] = field(default_factory=dict[Pair, tuple[int, str]])
    all_votes: HashedVotes = field(default_factory=HashedVotes)
    pairs: dict[Pair, HashedVotes] = field(default_factory=dict[Pair, HashedVotes])

    def take(self, canonical: bytes) -> None:
        """Add a vote of the export."""
        self.all_votes.add(canonical)
        if self.logged_pairs:
            self.pairs.setdefault(_pair(*json.loads(canonical)[3:5]), HashedVotes()).add(canonical)

    def check(self, findings: VerificationReport, unlisted: set[str]) -> None:
        """Report if the export does not have the votes of the import; those on `unlisted` models may be missing."""
        leaf, votes = self.leaf, self.all_votes.votes
        if self.all_votes.is_exactly(leaf["votes"], leaf["rows"]):
            return
        subject = f"the import of votes {leaf['first']} to {leaf['last']}"
        faults = [f"{subject} is not the one that the log names"]
        if votes < leaf["votes"]:
            faults = [f"{subject} had {fault}" for fault in self._find_faults(unlisted)]
            findings.unchecked.append(
                f"{subject} has {amount(leaf['votes'] - votes, 'vote')} that the export does not have"
            )
        for fault in faults:
            findings.fault(fault)

    def _find_faults(self, unlisted: set[str]) -> Iterator[str]:
        listed, votes = self.leaf["listed"], self.all_votes.votes
        if not self.logged_pairs and votes < listed and not unlisted:
            yield f"{amount(listed, 'vote')} on listed models; the export has {votes}"
        for pair, (count, digest) in self.logged_pairs.items():
            exported = self.pairs.get(pair, HashedVotes())
            subject = f"{amount(count, 'vote')} between {pair[0]} and {pair[1]}"
            if exported.votes >= count and not exported.is_exactly(count, digest):
                yield f"{subject}, which are others in the export"
            elif exported.votes < count and unlisted.isdisjoint(pair):
                yield f"{subject}; the export has {exported.votes}"


class Imports:
    """All imports of a log, sorted by their first vote."""

    def __init__(self, leaves: list[JsonObject], pairs: list[JsonObject]) -> None:
        """`leaves` are those of imports, `pairs` those of the pairs of models in them."""
        self.entries = [Import(leaf) for leaf in sorted(leaves, key=itemgetter("first"))]
        self.firsts = [entry.leaf["first"] for entry in self.entries]
        by_first = {entry.leaf["first"]: entry for entry in self.entries}
        for leaf in pairs:
            if entry := by_first.get(leaf["first"]):
                entry.logged_pairs |= {_pair(a, b): (votes, digest) for a, b, votes, digest in leaf["pairs"]}

    def take(self, number: int, canonical: bytes) -> bool:
        """Add a vote of the export; returns whether it belongs to an import."""
        place = bisect_right(self.firsts, number) - 1
        if place < 0 or number > self.entries[place].leaf["last"]:
            return False
        self.entries[place].take(canonical)
        return True


def _pair(a: str, b: str) -> Pair:
    return (a, b) if a <= b else (b, a)
