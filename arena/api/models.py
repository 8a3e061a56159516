"""Routes about endpoints as the public sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fastapi import APIRouter

from arena.api.deps import OnBoard, OnDatabase, OnStage
from arena.errors import ModelNotFound, NotFound
from arena.store import endpoints, records, snapshots, votes
from arena.wire import Meeting, ModelRecord, ModelView, Standing, StatusView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena.api.board import Board
    from arena.store.records import Answer
    from arena.store.tables import EndpointRow
    from arena.wire import LeaderboardView, PairRow

RECENT: Final = 1_000
"""Newest answers of a model by which its failures are counted."""

router = APIRouter(tags=["models"])


@router.get("/models")
async def every(database: OnDatabase) -> list[ModelView]:
    """All models that take or took part."""
    return await database.read(_every)


@router.get("/models/{name:path}")
async def one(name: str, database: OnDatabase, board: OnBoard) -> ModelRecord:
    """One model and how it has done, as far as there are votes."""
    face, answers = await database.read(_one, name)
    pages = await _boards(board)
    return ModelRecord(
        **face.model_dump(),
        standings=[
            Standing(category=page.category, language=page.language, row=row)
            for page in pages
            for row in page.rows
            if row.name == name
        ],
        meetings=[_meeting(name, pair) for page in pages[:1] for pair in page.pairs if name in {pair.a, pair.b}],
        answered=len(answers),
        failed=sum(answer.error is not None for answer in answers),
    )


@router.get("/status")
async def status(stage: OnStage) -> StatusView:
    """How many models can be drawn, how long the vote log is, and whether battles may start."""
    active, count, newest = await stage.database.read(_status)
    return StatusView(
        endpoints=active,
        votes=count,
        accepting=active > 1 and not stage.closing,
        terms=stage.terms,
        board=newest > 0,
    )


async def _boards(board: Board) -> list[LeaderboardView]:
    """The board of everything and then those of categories and languages; none before the first snapshot."""
    try:
        whole = (await board.page()).view
        return [whole, *[(await board.page(each.category, each.language)).view for each in whole.boards]]
    except NotFound:
        return []


def _meeting(name: str, pair: PairRow) -> Meeting:
    won, lost = (pair.a_wins, pair.b_wins) if pair.a == name else (pair.b_wins, pair.a_wins)
    return Meeting(
        opponent=pair.b if pair.a == name else pair.a,
        battles=pair.battles,
        wins=won,
        losses=lost,
        ties=pair.ties,
        both_bad=pair.both_bad,
    )


def _every(session: Session) -> list[ModelView]:
    return [_view(row) for row in endpoints.public(session)]


def _one(session: Session, name: str) -> tuple[ModelView, Sequence[Answer]]:
    row = endpoints.public_by_name(session, name)
    if row is None:
        raise ModelNotFound
    return _view(row), records.answers(session, row.id, RECENT)


def _status(session: Session) -> tuple[int, int, int]:
    return endpoints.count_active(session), votes.last_number(session), snapshots.newest_id(session)


def _view(row: EndpointRow) -> ModelView:
    return ModelView(
        name=row.name,
        owner=row.owner.name,
        licence=row.licence,
        link=row.link,
        demo=row.demo,
        open_weights=row.open_weights,
        billions=row.billions,
        description_en=row.description_en,
        description_zh=row.description_zh,
        state=row.state,
        joined_at=row.created_at,
    )
