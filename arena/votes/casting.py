"""Votes that come at the same time are cast together: a few statements and one flush for all of them.

What needs a second thought (a second vote on a battle, a key that was used, an answer that is being asked again) is
left to be cast alone; so no vote can keep another from being saved.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from arena.store import casting, flags
from arena.terms import Part, TurnState
from arena.votes import judging
from arena.votes.ballots import Done, Judged, answers, new_ids, row
from arena.votes.judging import Seen
from arena.wire import Reveal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena.errors import BattleNotFound
    from arena.store.casting import Face, Standing
    from arena.store.engine import Database
    from arena.votes.ballots import Ballot


@dataclass(frozen=True, slots=True)
class Case:
    """A vote of which all is known but how its battle stands when it is written."""

    ballot: Ballot
    faces: tuple[Face, Face]
    judged: Judged

    @property
    def key(self) -> tuple[str, str] | None:
        """Whose idempotency key it comes with."""
        return (self.ballot.voter.key, self.ballot.key) if self.ballot.key else None

    def is_plain(self, battle: Standing) -> bool:
        """Whether the battle is open, this voter's still, and ready with the answers that were judged."""
        ready = battle.last[2] is TurnState.READY and answers(*battle.last) == self.judged.answers
        return ready and battle.voter_key == self.ballot.voter.key

    def done(self) -> Done:
        """What the voter is told once it is saved."""
        a, b = (face.competitor for face in self.faces)
        reason = self.judged.not_counted
        reveal = Reveal(outcome=self.ballot.outcome, a=a, b=b, counted=reason is None, reason=reason)
        return Done(reveal, own=True, new=True)


async def cast(database: Database, ballots: Sequence[Ballot]) -> Sequence[Done | Judged | Exception]:
    """Cast those that are as plain as nearly all are.

    A vote that is to be cast alone comes back as it was judged, one that cannot be cast as its error.
    """
    seen = await database.read(judging.see, ballots)
    results: list[Done | Judged | Exception] = list(await asyncio.to_thread(_judge, seen))
    cases = {
        place: Case(ballots[place], sight.faces, judged)
        for place, (sight, judged) in enumerate(zip(seen, results, strict=True))
        if isinstance(sight, Seen) and isinstance(judged, Judged)
    }
    # One that another process was faster with gets alone what it deserves, and so do its neighbours.
    with suppress(IntegrityError):
        done = await database.write(_cast, list(cases.values())) if cases else []
        for place, each in zip(cases, done, strict=True):
            results[place] = each
    return results


def _judge(seen: Sequence[Seen | BattleNotFound]) -> list[Judged | BattleNotFound]:
    return [judging.judge(each) if isinstance(each, Seen) else each for each in seen]


def _cast(session: Session, cases: Sequence[Case]) -> list[Done | Judged]:
    plain = _plain(session, cases) if flags.is_open(session, Part.VOTING) else {}
    rows = [
        row(case.ballot, case.judged, vote_id, battle)
        for (case, battle), vote_id in zip(plain.values(), new_ids(len(plain)), strict=True)
    ]
    if rows:
        casting.add(session, rows)
    return [case.done() if place in plain else case.judged for place, case in enumerate(cases)]


def _plain(session: Session, cases: Sequence[Case]) -> dict[int, tuple[Case, Standing]]:
    """Those that can be saved as they are, by their place; of two on one battle or with one key, the first."""
    standing = casting.standing(session, [case.ballot.battle_id for case in cases])
    used: set[tuple[str, str] | None] = {*casting.used(session, [case.key for case in cases if case.key])}
    plain: dict[int, tuple[Case, Standing]] = {}
    for place, case in enumerate(cases):
        battle = standing.pop(case.ballot.battle_id, None)
        if battle is not None and case.key not in used and case.is_plain(battle):
            plain[place] = (case, battle)
            used |= {case.key} - {None}
    return plain
