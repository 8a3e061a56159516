"""A vote's canonical form is what an encoder of JSON writes, whatever its names are."""

from __future__ import annotations

import json
from datetime import date

import pytest

from arena.domain.terms import NotCounted, Outcome
from arena_trust.tlog.leaves import CommittedVote

FULL = CommittedVote(7, date(2026, 3, 1), 'a "b"', "模型\n\\", Outcome.TIE, None, "zh", 2, [1, 20, 0], 0.1)


@pytest.mark.parametrize(
    "vote",
    [
        FULL,
        CommittedVote(8, date(2026, 3, 1), "a", "b", Outcome.BOTH_BAD, NotCounted.TOO_FAST, None, None, None, None),
        CommittedVote(2**62, date(2026, 3, 1), "a", "b", "a", "bought", "en", 1, [], 1 / 3),
    ],
)
def test_the_canonical_vote_is_compact_json(vote):
    fields = (
        *("arena-vote/1", vote.number, "2026-03-01", vote.a, vote.b, vote.outcome, vote.reason, vote.language),
        *(vote.turns, vote.style, None if vote.chance is None else f"{vote.chance:.9f}"),
    )
    assert vote.canonical == json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
