"""The part of the fake API about leaderboards: slice boards, style, orders, history, models and pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from arena.domain import errors
from arena.domain.board_methods import rank_by
from arena.domain.schemas.board_details import (
    CourseView,
    HistoryView,
    MomentView,
    OrderSensitivityView,
    OrdersView,
    RatingPathView,
    StyleFeatureView,
    StyleView,
)
from arena.domain.schemas.further_fits import GroundedRowView, GroundedView, MajoritiesView, RefitView, TieModelView
from arena.domain.schemas.integrity import IntegrityView
from arena.domain.schemas.leaderboard import (
    BoardView,
    LeaderboardRowView,
    LeaderboardView,
    MethodView,
    RankedBy,
    SnapshotView,
)
from arena.domain.schemas.models import MeetingView, ModelResultsView, ModelView, PlacementView, VersionView
from arena.domain.schemas.overview import OverviewBoardView, OverviewPlaceView, OverviewRowView, OverviewView
from arena.domain.schemas.pairs import PairChanceView, PairResultsView, SharedOpponentView
from arena.domain.schemas.shares import ListedBattleView
from arena.domain.schemas.status import PaceView, SustainedRateView
from arena.domain.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

Key = tuple[str, str]


PACE = PaceView(
    rate=180,
    start=1.2,
    segment=0,
    by_hand=False,
    sustained=[SustainedRateView(rate=rate, share=share) for rate, share in ((60, 1), (180, 0.82), (320, 0.4))],
    slow=["wren"],
)


@dataclass
class BoardData:
    """Settings and data of the leaderboards; `boards` is by category and language."""

    boards: dict[Key, LeaderboardView] = field(default_factory=dict)
    imported: int = 0
    left_out: dict[str, int] = field(default_factory=lambda: {"identity_told": 12, "spam of one evening": 3})
    styled: bool = False
    moments: int = 1
    before: dict[str, int] = field(default_factory=dict)
    battles_before: dict[str, int] = field(default_factory=dict)
    moved: dict[str, int] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    gate: IntegrityView = field(default_factory=IntegrityView)
    versions: dict[str, list[VersionView]] = field(default_factory=dict)
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    examples: list[ListedBattleView] = field(default_factory=list)
    same_weights: dict[str, str] = field(default_factory=dict)
    """Another model with the same weights by a model's name, both ways round."""
    chances: list[PairChanceView] = field(
        default_factory=lambda: [
            PairChanceView(
                category=category, chance=0.62, low=low, high=0.7, better=0.99, claim_low=0.52, claim_high=0.72, more=0
            )
            for category, low in (("", 0.55), ("code", 0.45))
        ]
    )
    computing: bool = False
    merged: LeaderboardView | None = None
    """The board on which hosts of one model count once."""
    pace: PaceView = PACE

    def models(self, board: LeaderboardView | None) -> list[ModelView]:
        """The models on a board with the facts that their owners give."""
        return [
            ModelView(
                name=row.name,
                owner=row.owner,
                licence=row.licence,
                joined_at=datetime(2026, 1, 2, tzinfo=UTC),
                **{"state": EndpointState.ACTIVE, **self.facts.get(row.name, {})},
            )
            for row in (board.rows if board else [])
        ]

    def add(self, whole: LeaderboardView, *keys: Key) -> LeaderboardView:
        """Create boards of these categories and languages; returns the overall board, which lists them."""
        views = [
            BoardView(category=c, language=lang, votes=90 - n, digest="d" * 64) for n, (c, lang) in enumerate(keys)
        ]
        whole = whole.model_copy(update={"boards": views})
        for (category, language), view in zip(keys, views, strict=True):
            shown = whole.snapshot.model_copy(update={"votes": view.votes})
            rows = list(reversed(whole.rows))[:4]
            rows = [
                row.model_copy(
                    update={"rank": n + 1, "bt": (bt := 1100.0 - 20 * n), "bt_low": bt - 25, "bt_high": bt + 25}
                )
                for n, row in enumerate(rows)
            ]
            fields = {"category": category, "language": language, "snapshot": shown, "rows": rows, "pairs": []}
            self.boards[category, language] = whole.model_copy(update=fields)
        return whole


def rank(board: LeaderboardView, by: RankedBy) -> LeaderboardView:
    """The board ranked by one of its scores."""
    return board.model_copy(update={"by": by, "rows": rank_by(board.rows, by)})


def place_of(row: LeaderboardRowView) -> OverviewPlaceView:
    """The place of a row in the overview."""
    return OverviewPlaceView(
        rank=row.rank, low=row.rank_low, high=row.rank_high, battles=row.battles, component=row.component
    )


def install(app: FastAPI, data: BoardData, newest: Callable[[], LeaderboardView | None]) -> None:  # noqa: C901, PLR0915 - a list of routes
    """Add the routes; `newest` returns the overall board or None."""

    def whole() -> LeaderboardView:
        return newest() or LeaderboardView(snapshot=None, rows=[], pairs=[])

    def published() -> tuple[LeaderboardView, SnapshotView]:
        board = whole()
        if board.snapshot is None:
            raise errors.NoBoard
        return board, board.snapshot

    @app.get("/api/v1/leaderboard")
    async def leaderboard(
        category: str = "", language: str = "", by: RankedBy = "bt", hosts: str = "apart"
    ) -> LeaderboardView:
        data.requests.append(f"{category}/{language}")
        board = whole()
        if not category and not language:
            tables = [*(["style"] if data.styled else []), "orders", *(["history"] if data.moments > 1 else [])]
            tables += ["hosts"] if data.merged else []
            if hosts == "merged":
                if data.merged is None:
                    raise errors.NoBoard
                board = data.merged
            return rank(board.model_copy(update={"beside": tables}), by)
        if (category, language) not in data.boards:
            raise errors.NoBoard
        return rank(data.boards[category, language], by)

    @app.get("/api/v1/leaderboard/overview")
    async def overview() -> OverviewView:
        board = whole()
        if board.snapshot is None:
            return OverviewView(snapshot=None, boards=[], rows=[])
        keyed = {("", ""): board, **data.boards}
        shown = {key: shown_board for key, shown_board in keyed.items() if not all(key)}
        places = [{row.name: place_of(row) for row in shown_board.rows} for shown_board in shown.values()]
        return OverviewView(
            snapshot=board.snapshot,
            since=datetime(2026, 1, 2, tzinfo=UTC) if data.before else None,
            boards=[
                OverviewBoardView(category=category, language=language, votes=shown_board.snapshot.votes)
                for (category, language), shown_board in shown.items()
            ],
            rows=[
                OverviewRowView(
                    name=row.name,
                    owner=row.owner,
                    before=data.before.get(row.name),
                    battles_before=data.battles_before.get(row.name),
                    moved=data.moved.get(row.name, 0),
                    places=[column.get(row.name) for column in places],
                )
                for row in board.rows
            ],
        )

    @app.get("/api/v1/leaderboard/style")
    async def style() -> StyleView:
        board, snapshot = published()
        if not data.styled:
            raise errors.NoBoard
        order = list(reversed(board.rows))
        rows = [
            RefitView(
                name=row.name,
                component=0,
                rank=n + 1,
                rank_low=n + 1,
                rank_high=n + 1,
                bt=1200.0 - n,
                bt_low=1190.0 - n,
                bt_high=1210.0 - n,
                plain=1000.0,
                plain_rank=row.rank,
            )
            for n, row in enumerate(order)
        ]
        feature = StyleFeatureView(name="length", coefficient=0.31, error=0.02, spread=0.4)
        return StyleView(snapshot=snapshot, votes=100, features=[feature], dropped=["bold"], rows=rows)

    @app.get("/api/v1/leaderboard/orders")
    async def orders() -> OrdersView:
        board, snapshot = published()
        rows = [
            OrderSensitivityView(
                name=row.name,
                component=row.component,
                mean=row.elo,
                spread=9.0,
                low=row.elo - 20,
                high=row.elo + 20,
                rank_best=row.rank,
                rank_worst=min(row.rank + 1, len(board.rows)),
                rank_share=[0.75, 0.25] if row.rank < len(board.rows) else [1.0],
                points_rank=row.rank,
                bt_rank=row.rank + 1,
            )
            for row in board.rows
        ]
        paths = [
            RatingPathView(
                name=row.name,
                elo=[None, row.elo],
                points=[None, 0.5],
                bt=[None, row.bt],
                elo_rank=[None, row.rank],
                points_rank=[None, row.rank],
                bt_rank=[None, row.rank],
            )
            for row in board.rows
        ]
        return OrdersView(snapshot=snapshot, votes=snapshot.votes, orders=1000, rows=rows, ends=[10, 20], paths=paths)

    @app.get("/api/v1/leaderboard/history")
    async def history() -> HistoryView:
        board = whole()
        now = datetime.now(UTC)
        moments = [
            MomentView(snapshot=n + 1, votes=10 * n, created_at=now - timedelta(hours=data.moments - n))
            for n in range(data.moments)
        ]
        courses = [
            CourseView(
                name=row.name,
                elo=[row.elo] * data.moments,
                bt=[None if row.bt is None else row.bt + n for n in range(data.moments)],
                rank=[row.rank] * data.moments,
            )
            for row in board.rows
        ]
        return HistoryView(moments=moments, courses=courses)

    @app.get("/api/v1/leaderboard/method")
    async def method() -> MethodView:
        board = whole()
        return MethodView(
            snapshot=board.snapshot,
            log=board.snapshot.last_vote,
            imported=data.imported,
            left_out=data.left_out,
            boards=board.boards,
            grounded=GroundedView(
                votes=90,
                bar=912.4,
                threshold=1.8,
                loss=1.31,
                rows=[
                    GroundedRowView(name="heron", strength=0.8, error=0.1),
                    GroundedRowView(name="wren", strength=-0.2, error=0.1),
                ],
            ),
            ties=[
                TieModelView(
                    model="davidson",
                    both_bad=True,
                    votes=90,
                    ties=0.25,
                    parameter=0.7,
                    error=0.1,
                    even=0.26,
                    apart=0.22,
                    loss=1.0412,
                )
            ],
            weighted=[
                RefitView(
                    name="heron",
                    component=0,
                    rank=1,
                    rank_low=1,
                    rank_high=2,
                    bt=1012.25,
                    bt_low=1003.0,
                    bt_high=1021.5,
                    plain=1016.75,
                    plain_rank=1,
                )
            ],
            majorities=MajoritiesView(
                votes=90, winner=None, loser="wren", decided=26, even=1, unmet=1, triples=1_050, cycles=12
            ),
        )

    @app.get("/api/v1/pace")
    async def pace() -> PaceView:
        return data.pace

    @app.get("/api/v1/integrity")
    async def integrity() -> IntegrityView:
        return data.gate

    @app.get("/api/v1/models/{name:path}")
    async def model(name: str) -> ModelResultsView:
        board = newest()
        rows = {row.name: row for row in board.rows} if board else {}
        if name not in rows and name != "quiet/newcomer":
            raise errors.ModelNotFound
        keyed = {("", ""): board, **data.boards}
        standings = [
            PlacementView(category=category, language=language, row=row, count=len(keyed_board.rows))
            for (category, language), keyed_board in keyed.items()
            for row in (keyed_board.rows if keyed_board else [])
            if row.name == name
        ]
        meetings = [
            MeetingView(
                opponent=pair.b,
                battles=pair.battles,
                wins=pair.a_wins,
                losses=pair.b_wins,
                ties=pair.ties,
                both_bad=pair.both_bad,
            )
            for pair in (board.pairs if board else [])
            if pair.a == name
        ]
        return ModelResultsView(
            name=name,
            owner="Heron Labs",
            licence="MIT",
            link="https://example.org/m",
            description_en="A calm bird.",
            description_zh="一只安静的鸟。",
            joined_at=datetime(2026, 1, 2, tzinfo=UTC),
            versions=data.versions.get(name, []),
            standings=standings,
            meetings=meetings,
            answered=200 if standings else 0,
            failed=3 if standings else 0,
            same_as=[data.same_weights[name]] if name in data.same_weights else [],
            **{"state": EndpointState.ACTIVE, **data.facts.get(name, {})},
        )

    @app.get("/api/v1/pairs")
    async def pair(a: str, b: str) -> PairResultsView:
        board = whole()
        models = {model.name: model for model in data.models(board)}
        if not {a, b} <= models.keys():
            raise errors.ModelNotFound
        rows = {row.name: row for row in board.rows}
        meeting = next((pair for pair in board.pairs if {pair.a, pair.b} == {a, b}), None)
        counts = meeting.model_dump(include={"battles", "ties", "both_bad"}) if meeting else {}
        others = [name for name in models if name not in {a, b}][:2] if data.chances else []
        return PairResultsView(
            a=models[a],
            b=models[b],
            a_row=rows[a],
            b_row=rows[b],
            computing=data.computing,
            boards=data.chances,
            met=MeetingView(opponent=b, wins=meeting.a_wins, losses=meeting.b_wins, **counts) if meeting else None,
            opponents=len(others),
            shared=[
                SharedOpponentView(opponent=name, a_battles=30, b_battles=20, a_share=0.6, b_share=None, a_decided=10)
                for name in others
            ],
            history=await history(),
            examples=data.examples,
            same_weights=data.same_weights.get(a) == b,
        )
