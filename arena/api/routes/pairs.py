"""The route of two models against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Query

from arena.adapters.store import endpoints, shares
from arena.api.contract import BASE, refusals
from arena.api.dependencies import BoardsDep, DatabaseDep, KeysDep
from arena.api.public_models import model_view
from arena.api.routes.models import meeting
from arena.domain.errors import Invalid, ModelNotFound
from arena.domain.pair_errors import chance_of
from arena.domain.schemas.board_details import HistoryView
from arena.domain.schemas.pairs import PairResultsView, SharedOpponentView
from arena.domain.schemas.shares import ListedBattleView
from arena.domain.text import first_line
from arena.usecases.endpoints.figures import published
from arena.usecases.endpoints.same_weights import same_models

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.calls.targets import Keys
    from arena.domain.schemas.models import MeetingView, ModelView

router = APIRouter(prefix=BASE, tags=["models"])

Name = Annotated[str, Query(max_length=300)]
_MAX_OPPONENTS: Final = 8
"""Maximum number of opponents of both models in a response."""
_EXAMPLES: Final = 3
"""Maximum number of battles between the two in a response."""
_QUESTION: Final = 160
"""Maximum length of a question in characters."""


@router.get("/pairs", responses=refusals(ModelNotFound))
async def get_pair(a: Name, b: Name, database: DatabaseDep, keys: KeysDep, boards: BoardsDep) -> PairResultsView:
    """Compare two models: chances by board, battles between them and through others, history and facts."""
    if a == b:
        raise Invalid(rule="same")
    models, examples, same_weights = await database.read(_models, a, b, keys)
    board, history = await boards.leaderboard(), (await boards.history()).view
    tables = await boards.differences()
    rows = {row.name: row for row in board.view.rows}
    chances = [chance_of(table, a, b, *key) for key, table in tables.items()]
    by_model = ([meeting(name, pair) for pair in board.pairs.get(name, [])] for name in (a, b))
    first, second = ({view.opponent: view for view in meetings} for meetings in by_model)
    opponents = sorted(
        first.keys() & second.keys(),
        key=lambda name: (-min(first[name].battles, second[name].battles), name),
    )
    return PairResultsView(
        a=models[0],
        b=models[1],
        a_row=rows.get(a),
        b_row=rows.get(b),
        computing=not tables,
        boards=[chance for chance in chances if chance],
        met=first.get(b),
        opponents=len(opponents),
        shared=[_shared(first[name], second[name]) for name in opponents[:_MAX_OPPONENTS]],
        examples=examples,
        history=HistoryView(moments=history.moments, courses=[row for row in history.courses if row.name in {a, b}]),
        snapshot=(await boards.method()).view.tables,
        same_weights=same_weights,
    )


def _models(session: Session, a: str, b: str, keys: Keys) -> tuple[list[ModelView], list[ListedBattleView], bool]:
    first, second = (endpoints.public_by_name(session, name) for name in (a, b))
    if first is None or second is None:
        raise ModelNotFound
    battles = shares.listed(session, (first.id, second.id), _EXAMPLES)
    examples = [ListedBattleView(token=token, question=first_line(prompt, _QUESTION)) for token, prompt in battles]
    keyless, pair = keys.lost(session), (first, second)
    models = [model_view(session, row, keyless, week=published(session, row.id).week) for row in pair]
    return models, examples, b in same_models(session, first.id)


def _shared(first: MeetingView, second: MeetingView) -> SharedOpponentView:
    return SharedOpponentView(
        opponent=first.opponent,
        a_battles=first.battles,
        b_battles=second.battles,
        a_share=_share(first),
        b_share=_share(second),
        a_decided=_decided(first),
        b_decided=_decided(second),
    )


def _share(meeting: MeetingView) -> float | None:
    decided = _decided(meeting)
    return meeting.wins / decided if decided else None


def _decided(meeting: MeetingView) -> int:
    return meeting.wins + meeting.losses
