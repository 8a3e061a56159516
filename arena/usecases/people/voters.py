"""A voter's own data: history, personal board, and deletion."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from arena.adapters.store import conversations
from arena.adapters.store import voters as stored
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.schemas.voters import MyBattlesView, MyBoardView, MyModelView
from arena.domain.terms import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.terms import Voter

BOARD_FROM: Final = 10
"""Minimum number of counted votes for a personal board."""


@read_transaction
def history(session: Session, voter: Voter, *, before: str | None, limit: int) -> MyBattlesView:
    """A page of the voter's battles, newest first; those that are older than the battle `before`, if it is not None.

    Raises:
        BattleNotFound: `before` is unknown, or another voter's.
    """
    last = conversations.owned(session, conversations.BATTLES, before, voter.key) if before else None
    result = stored.history(session, voter.key, before=last, limit=limit + 1)
    page = result[:limit]
    return MyBattlesView(battles=page, next=page[-1].id if len(result) > limit else None)


async def board(database: Database, voter: Voter) -> MyBoardView:
    """The personal board of this voter."""
    return tally(await database.read(stored.ballots, voter.key))


async def forget(database: Database, voter: Voter, new_key: Callable[[], str]) -> None:
    """Anonymise this voter's battles, withdraw share links and delete the acceptance of the terms; votes stay."""
    await database.write(stored.forget, voter.key, new_key)


def tally(ballots: Iterable[tuple[str, str, Outcome]]) -> MyBoardView:
    """The personal board of these votes, best points per battle first."""
    records: defaultdict[str, Counter[str]] = defaultdict(Counter)
    count = 0
    for count, (a, b, outcome) in enumerate(ballots, 1):  # noqa: B007 - the last number is the sum
        for name, win, loss in ((a, Outcome.A, Outcome.B), (b, Outcome.B, Outcome.A)):
            columns = {win: "wins", loss: "losses", Outcome.TIE: "ties", Outcome.BOTH_BAD: "both_bad"}
            records[name][columns[outcome]] += 1
    rows = [_model(name, record) for name, record in records.items()] if count >= BOARD_FROM else []
    rows.sort(key=lambda row: (-row.points / row.battles, -row.battles, row.name))
    return MyBoardView(votes=count, needed=BOARD_FROM, rows=rows)


def _model(name: str, record: Counter[str]) -> MyModelView:
    return MyModelView(
        name=name,
        battles=record.total(),
        wins=record["wins"],
        ties=record["ties"],
        losses=record["losses"],
        both_bad=record["both_bad"],
        points=record["wins"] + (record["ties"] + record["both_bad"]) / 2,
    )
