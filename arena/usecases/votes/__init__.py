"""Acts on votes: cast, reveal again, exclude, erase. The names of a battle leave only through here."""

from __future__ import annotations

from arena.usecases.votes.ballot import Ballot
from arena.usecases.votes.erasure import erase
from arena.usecases.votes.votes import cast_vote, crowd, exclude, reasoning, reveal_again

__all__ = ["Ballot", "cast_vote", "crowd", "erase", "exclude", "reasoning", "reveal_again"]
