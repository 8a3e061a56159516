"""Acts on votes: cast one, see who was who, exclude one. The names of a battle leave only through here."""

from __future__ import annotations

from arena.votes.acts import cast_vote, crowd, exclude, reasoning, reveal_again
from arena.votes.ballots import Ballot

__all__ = ["Ballot", "cast_vote", "crowd", "exclude", "reasoning", "reveal_again"]
