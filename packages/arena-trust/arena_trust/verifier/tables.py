"""Further published numbers, computed again from verified votes: the grounded table and comparisons of two models."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from arena_rating import RatingError
from arena_rating.pair_difference import PairErrors, pair_difference
from arena_rating.research.grounded import grounded_table
from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.leaves import JsonObject
from arena_trust.verifier.board import check_end, check_leaf, counted_votes, parameters_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from arena_rating import Comparisons, LeaderboardParameters
    from arena_trust.verifier.published_leaves import PublishedLeaves
    from arena_trust.verifier.verification_report import VerificationReport
    from arena_trust.verifier.votes import VerifiedVotes

_Table = dict[str, object] | None
NEAR: Final = 1e-9
"""Largest difference of two numbers that are not rounded: the last bits of a logarithm."""


def check(files: Sequence[Path], votes: VerifiedVotes, leaves: PublishedLeaves, findings: VerificationReport) -> None:
    """Add a finding for whatever of these files is not what the votes give.

    Raises:
        Unsound: A file is neither the method of a leaderboard nor a comparison of two models.
    """
    for file in files:
        published, whole = _read(file), "grounded" in _read(file)
        snapshot = published["tables" if whole else "snapshot"]
        if snapshot is None:
            findings.open.append(f"{file.name} was saved before the first tables were computed")
            continue
        check_end(votes, leaves, snapshot, findings)
        check_leaf(leaves, snapshot, findings)
        try:
            log, how = counted_votes(votes, leaves, snapshot), parameters_of(snapshot["parameters"])
            name, *tables = _grounded(published, log, how) if whole else _comparison(published, log, how)
        except (RatingError, KeyError, TypeError) as error:
            raise Unsound(f"{file.name} cannot be computed again: {error}.") from None
        if different := _differing(*tables):
            findings.fault(f"{name} has another {different}")
        else:
            findings.right.append(f"{name} was computed again from these votes")


def _read(file: Path) -> JsonObject:
    published: JsonObject = {}
    try:
        published = json.loads(file.read_bytes())
        fits = any(fields <= published.keys() for fields in ({"grounded", "tables"}, {"a", "b", "boards", "snapshot"}))
    except (OSError, ValueError, AttributeError):
        fits = False
    if not fits:
        raise Unsound(f"{file} is neither the method of a leaderboard nor a comparison of two models.")
    return published


def _grounded(published: JsonObject, log: Comparisons, how: LeaderboardParameters) -> tuple[str, _Table, _Table]:
    table = grounded_table(log, how)
    return "the grounded table", published["grounded"], asdict(table) if table else None


def _comparison(published: JsonObject, log: Comparisons, how: LeaderboardParameters) -> tuple[str, _Table, _Table]:
    names = [published[side]["name"] for side in ("a", "b")]
    shown = next((board for board in published["boards"] if not (board["category"] or board["language"])), None)
    errors = PairErrors.of_log(log, how).published()
    computed = asdict(pair_difference(errors, *names)) if errors.connects(*names) else None
    return f"the comparison of {' and '.join(names)}", shown, computed


def _differing(shown: _Table, expected: _Table) -> str:
    """The name of the first number that is another one, empty if none is."""
    if shown is None or expected is None:
        return "" if shown is expected else "value"
    return next((name for name, value in expected.items() if not _same(shown.get(name), value)), "")


def _same(shown: object, expected: object) -> bool:
    if isinstance(shown, float) and isinstance(expected, float):
        return math.isclose(shown, expected, rel_tol=NEAR, abs_tol=NEAR)
    return shown == expected
