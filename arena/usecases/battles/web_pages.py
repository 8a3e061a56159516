"""The web pages of a battle: all versions with their addresses, and the source of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arena.adapters.store import conversations as stored
from arena.adapters.store import shares
from arena.adapters.store.conversations import BATTLES
from arena.adapters.store.engine.transactions import read_transaction
from arena.adapters.store.tables.conversations import BattleRow
from arena.domain.errors import BattleNotFound, NotFound
from arena.domain.schemas.battles import PagesView, PageVersionView, PageView
from arena.domain.terms import BattleKind, Side, TurnState
from arena.domain.web_pages.document import Missing, find_page
from arena.domain.web_pages.wanted_files import wanted_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.conversations import TurnRow
    from arena.domain.terms import Voter


class PagePlace(NamedTuple):
    """The place of one page: battle, number and generation of its turn, and side."""

    battle: str
    number: int
    generation: int
    side: Side


if TYPE_CHECKING:
    Address = Callable[[PagePlace], str]
    """A function from the place of a page to its address."""


@read_transaction
def own_pages(session: Session, voter: Voter, battle_id: str, address: Address) -> PagesView:
    """The pages of a battle, for its voter; a battle of texts has none.

    Raises:
        BattleNotFound: Unknown, or another voter's.
    """
    return _pages(stored.owned(session, BATTLES, battle_id, voter.key), address)


@read_transaction
def shared_pages(session: Session, token: str, address: Address) -> PagesView:
    """The pages of a shared battle, for everybody with the link.

    Raises:
        BattleNotFound: There is no such link, or it was withdrawn or taken down.
    """
    battle = shares.battle(session, token)
    if battle is None or shares.is_blocked(session, shares.digest(battle)):
        raise BattleNotFound
    return _pages(battle, address)


@read_transaction
def source(session: Session, place: PagePlace) -> str:
    """The source of a page.

    Raises:
        NotFound: There is no such answer, or no page in it.
    """
    battle = session.get(BattleRow, place.battle)
    turns = [turn for turn in battle.turns if turn.number == place.number] if battle else []
    texts = [
        reply.text
        for turn in turns
        for reply in turn.replies
        if (reply.generation, reply.side) == (place.generation, place.side)
    ]
    page = find_page(texts[0]) if texts else Missing.NONE
    if isinstance(page, Missing):
        raise NotFound
    return page.source


def _pages(battle: BattleRow, address: Address) -> PagesView:
    ready = [turn for turn in battle.turns if turn.state is TurnState.READY and battle.kind is BattleKind.WEB_PAGE]
    return PagesView(versions=[_version(battle.id, turn, address) for turn in ready])


def _version(battle_id: str, turn: TurnRow, address: Address) -> PageVersionView:
    return PageVersionView(
        number=turn.number,
        pages={
            reply.side: _page(PagePlace(battle_id, turn.number, turn.generation, reply.side), reply.text, address)
            for reply in stored.current(turn)
        },
    )


def _page(place: PagePlace, answer: str, address: Address) -> PageView:
    page = find_page(answer)
    if isinstance(page, Missing):
        return PageView(missing=page)
    return PageView(address=address(place), wants=wanted_files(page.source), cut=page.cut)
