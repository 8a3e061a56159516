"""Routes of the leaderboard: JSON, CSV, further tables, and the ids of the newest snapshot."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Query, Response

from arena.api.boards.documents import BoardDocument
from arena.api.contract import BASE, NOT_MODIFIED, CsvResponse, Responses, refusals
from arena.api.dependencies import BoardsDep
from arena.api.http.caching import ConditionsDep
from arena.domain.errors import NoBoard, Unavailable
from arena.domain.http_documents import Document
from arena.domain.schemas.board_details import HistoryView, OrdersView, StyleView
from arena.domain.schemas.leaderboard import LeaderboardView, MethodView, NewestView, RankedBy
from arena.domain.schemas.overview import OverviewView

router = APIRouter(prefix=f"{BASE}/leaderboard", tags=["leaderboard"])

Word = Annotated[str, Query(max_length=40)]
Hosts = Literal["apart", "merged"]
"""Whether hosts of one model count each, or once."""
PUBLISHED: Final[Responses] = NOT_MODIFIED | refusals(NoBoard, Unavailable)


async def _choose_board(
    boards: BoardsDep, category: Word = "", language: Word = "", by: RankedBy = "bt", hosts: Hosts = "apart"
) -> BoardDocument[LeaderboardView]:
    return await boards.leaderboard(category, language, by, merged=hosts == "merged")


ChosenBoardDep = Annotated[BoardDocument[LeaderboardView], Depends(_choose_board)]


@router.get("", response_model=LeaderboardView, responses=PUBLISHED)
async def get_leaderboard(board: ChosenBoardDep, conditions: ConditionsDep) -> Response:
    """Return the newest snapshot, or its board of one category or language, ranked by a score of its rows.

    With `hosts=merged` the hosts of one model, where any are confirmed, count once, without the votes between them.
    """
    return conditions.answer(board.document)


@router.get(".csv", response_class=CsvResponse, responses=PUBLISHED)
async def get_leaderboard_csv(board: ChosenBoardDep, conditions: ConditionsDep) -> Response:
    """Return the rows of the newest snapshot, or of another board as above, as CSV."""
    return conditions.answer(board.csv, "text/csv; charset=utf-8")


@router.get("/style", response_model=StyleView, responses=PUBLISHED)
async def get_style_effects(boards: BoardsDep, conditions: ConditionsDep) -> Response:
    """Return style-controlled Bradley-Terry ratings, and the effect of each style feature on votes."""
    return conditions.answer((await boards.style()).document)


@router.get("/orders", response_model=OrdersView, responses=PUBLISHED)
async def get_elo_orders(boards: BoardsDep, conditions: ConditionsDep) -> Response:
    """Return the effect of the order of votes on ratings and ranks."""
    return conditions.answer((await boards.orders()).document)


@router.get("/history", response_model=HistoryView, responses=PUBLISHED)
async def get_leaderboard_history(boards: BoardsDep, conditions: ConditionsDep) -> Response:
    """Return ratings over time from the snapshots that are kept."""
    return conditions.answer((await boards.history()).document)


@router.get("/overview", response_model=OverviewView, responses=PUBLISHED)
async def get_leaderboard_overview(boards: BoardsDep, conditions: ConditionsDep) -> Response:
    """Return the ranks of all models on all boards, and their ranks of a week ago."""
    return conditions.answer((await boards.overview()).document)


@router.get("/method", response_model=MethodView, responses=PUBLISHED)
async def get_method(boards: BoardsDep, conditions: ConditionsDep) -> Response:
    """Return the method of the newest snapshot, and the numbers of votes left out by reason."""
    return conditions.answer((await boards.method()).document)


@router.get("/newest", response_model=NewestView, responses=PUBLISHED)
async def get_newest_snapshot(boards: BoardsDep, conditions: ConditionsDep) -> Response:
    """Return the ids of the newest leaderboard and of its further tables, by which open pages notice a new one."""
    ids = await boards.newest()
    return conditions.answer(Document({"": ids.model_dump_json().encode()}, f'"{ids.snapshot}-{ids.tables}"'))
