"""Acts on shared battles that somebody objects to: report, list reports, and take down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import images, shares
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.adapters.store.tables.conversations import BattleRow
from arena.domain.errors import BattleNotFound
from arena.domain.schemas.shares import ReportedShareView
from arena.domain.text import one_line

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

MAX_LINKS: Final = 200
"""Maximum number of reported links in a list."""
REASON_LIMIT: Final = 200
PROMPT_SHOWN: Final = 200
"""Characters of the first prompt in a list."""


async def report(database: Database, token: str, reason: str, now: datetime) -> None:
    """Count a report of a shared battle.

    Raises:
        BattleNotFound: There is no such link, or it was withdrawn.
    """
    try:
        await database.write(_report, token, reason, now)
    except IntegrityError:
        # Another report for this reason was faster; the second attempt finds its row.
        await database.write(_report, token, reason, now)


@read_transaction
def reported(session: Session) -> list[ReportedShareView]:
    """Reported links, the most reported first."""
    return [
        ReportedShareView(
            token=row.token,
            prompt=session.get_one(BattleRow, row.battle_id).turns[0].prompt[:PROMPT_SHOWN],
            reports=shares.report_reasons(session, row.token),
            created_at=row.created_at,
        )
        for row in shares.reported(session, MAX_LINKS)
    ]


@write_transaction
def take_down(session: Session, token: str, reason: str, now: datetime) -> None:
    """Withdraw a link and block its prompts, answers and images, which no link shows any more.

    Raises:
        BattleNotFound: There is no such link, or it was withdrawn.
        Invalid: The reason does not fit.
    """
    one_line("reason", reason, REASON_LIMIT)
    battle = shares.battle(session, token)
    if battle is None:
        raise BattleNotFound
    shares.block(session, shares.digest(battle), reason, now)
    shares.forget_reports(session, token)
    shares.withdraw(session, battle.id)
    if image_ids := [image for turn in battle.turns for image in turn.images or ()]:
        images.block(session, images.marks(session, image_ids), reason, now)


def _report(session: Session, token: str, reason: str, now: datetime) -> None:
    if shares.battle(session, token) is None:
        raise BattleNotFound
    shares.count_report(session, token, reason, now)
