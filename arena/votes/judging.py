"""What a vote is about, judged from its texts before the write, so that no writer waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.categories import category_of
from arena.errors import BattleNotFound
from arena.identity import exposed
from arena.rating.markup import style_of
from arena.store import casting
from arena.terms import NotCounted, Side
from arena.votes.ballots import Judged, answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena.store.casting import Face, Shown
    from arena.votes.ballots import Ballot


@dataclass(frozen=True, slots=True)
class Seen:
    """What the voter has seen, and of whom."""

    shown: Shown
    faces: tuple[Face, Face]


def see(session: Session, ballots: Sequence[Ballot]) -> list[Seen | BattleNotFound]:
    """What each of these votes is about; a battle that is unknown or another voter's is not found."""
    shown = casting.shown(session, [ballot.battle_id for ballot in ballots])
    faces = casting.faces(session, {number for battle in shown.values() for number in battle.sides})
    found: list[Seen | BattleNotFound] = []
    for ballot in ballots:
        battle = shown.get(ballot.battle_id)
        if battle is None or battle.voter_key != ballot.voter.key:
            found.append(BattleNotFound())
        else:
            found.append(Seen(battle, (faces[battle.sides[0]], faces[battle.sides[1]])))
    return found


def judge(seen: Seen) -> Judged:
    """Whether the answers tell who gave them, what was asked for, and how the answers are dressed up."""
    shown, faces = seen.shown, seen.faces
    names = [name for face in faces for name in face.names]
    owners = [face.competitor.owner for face in faces]
    found = exposed(shown.prompts, [text for _, text in shown.replies], names, owners)
    return Judged(
        answers=answers(*shown.last),
        not_counted=found or (NotCounted.STOPPED if shown.stopped else None),
        category=category_of(shown.prompts),
        style=[count for side in Side for count in style_of(text for who, text in shown.replies if who is side)],
    )
