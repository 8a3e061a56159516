"""Votes that come at the same time are cast together: a few statements and one flush for all of them.

What needs a second thought (a second vote on a battle, a key that was used, an answer that is being asked again) is
left to be cast alone; so no vote can keep another from being saved.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy.exc import IntegrityError

from arena.errors import Closed
from arena.store import casting, flags
from arena.terms import Part, TurnState
from arena.votes import judging
from arena.votes.ballots import Done, Judged, answers, row
from arena.votes.judging import Seen
from arena.wire import Reveal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena.store.casting import Face, Standing
    from arena.store.engine import Database
    from arena.votes.ballots import Ballot

Result: TypeAlias = Done | Judged | Exception
"""What was done; or with which judgement the vote is to be cast alone; or why it cannot be."""


async def cast(database: Database, ballots: Sequence[Ballot]) -> Sequence[Result]:
    """Cast those that are as plain as nearly all are."""
    seen = await database.read(judging.see, ballots)
    judged = await asyncio.to_thread(_judge, seen)
    if not any(isinstance(each, Judged) for each in judged):
        return judged
    try:
        return await database.write(_cast, ballots, seen, judged)
    except IntegrityError:
        # Another process was faster with one of them; alone, each gets what it deserves.
        return judged


def _judge(seen: Sequence[Seen | Exception]) -> list[Judged | Exception]:
    return [judging.judge(each) if isinstance(each, Seen) else each for each in seen]


def _cast(
    session: Session,
    ballots: Sequence[Ballot],
    seen: Sequence[Seen | Exception],
    judged: Sequence[Judged | Exception],
) -> list[Result]:
    results: list[Result] = list(judged)
    try:
        flags.check_open(session, Part.VOTING)
    except Closed:
        return results
    ready = [ballot.battle_id for ballot, each in zip(ballots, judged, strict=True) if isinstance(each, Judged)]
    standing = casting.standing(session, ready)
    used = casting.used(session, [key for ballot in ballots if (key := _key(ballot))])
    rows: list[dict[str, Any]] = []
    for place, (ballot, sight, judgement) in enumerate(zip(ballots, seen, judged, strict=True)):
        if not isinstance(sight, Seen) or not isinstance(judgement, Judged):
            continue
        battle = standing.pop(ballot.battle_id, None)
        key = _key(ballot)
        if battle is None or key in used or not _plain(battle, ballot, judgement):
            continue
        if key:
            used.add(key)
        line = row(
            ballot,
            judgement,
            sides=battle.sides,
            language=battle.language,
            turns=battle.turns,
            ready_at=battle.ready_at,
        )
        rows.append(line)
        results[place] = Done(_reveal(ballot, judgement, sight.faces), own=True, new=True)
    if rows:
        casting.add(session, rows)
    return results


def _key(ballot: Ballot) -> tuple[str, str] | None:
    return (ballot.voter.key, ballot.key) if ballot.key else None


def _plain(battle: Standing, ballot: Ballot, judged: Judged) -> bool:
    """Whether it is this voter's still, and ready with the answers that were judged."""
    ready = battle.last[2] is TurnState.READY
    return ready and battle.voter_key == ballot.voter.key and answers(*battle.last) == judged.answers


def _reveal(ballot: Ballot, judged: Judged, faces: tuple[Face, Face]) -> Reveal:
    a, b = (face.competitor for face in faces)
    reason = judged.not_counted
    return Reveal(outcome=ballot.outcome, a=a, b=b, counted=reason is None, reason=reason)
