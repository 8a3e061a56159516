"""The page of one model: its facts, ratings by board, opponents, history, and its neighbours on the leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pydantic import TypeAdapter

from arena.domain.schemas.board_details import HistoryView
from arena.domain.schemas.leaderboard import LeaderboardView
from arena.domain.schemas.models import ModelResultsView
from arena.domain.schemas.overview import OverviewView
from arena.domain.shown_intervals import readable
from arena.evaluations.domain.schemas.predictors import PredictorsView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.charts.history import history
from arena_frontend.charts.intervals import ends
from arena_frontend.charts.radar import radar
from arena_frontend.contents import Content
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES, board_query
from arena_frontend.pages.model.glance import battles_of_week, contested, strengths, summary, version_change
from arena_frontend.pages.pair.address import pair_address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena.domain.schemas.models import PlacementView
    from arena.evaluations.domain.schemas.predictors import ExpectedView
    from arena_frontend.api_reader import Reading
    from arena_frontend.charts.intervals import Ends
    from arena_frontend.texts import Texts

_MODEL: Final = TypeAdapter(ModelResultsView)
_HISTORY: Final = TypeAdapter(HistoryView)
_BOARD: Final = TypeAdapter(LeaderboardView)
_OVERVIEW: Final = TypeAdapter(OverviewView)
_PREDICTORS: Final = TypeAdapter(PredictorsView)
_BESIDE: Final = 2
"""Neighbours above and below."""
_DECIDED: Final = 5
"""Decided battles below which an opponent says too little."""
_MAX_OPPONENTS: Final = 3
"""Opponents among the best and the worst."""
_SPOKES: Final = 3


@dataclass(frozen=True)
class Results:
    """A model with its results; before its first vote only with forecasts."""

    model: ModelResultsView
    board: LeaderboardView | None = None
    past: HistoryView | None = None
    expected: tuple[ExpectedView, ...] = ()
    table: OverviewView | None = None


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page of the model that is named in the query."""
    name = query.get("name", "")
    try:
        model = await reading.view(f"/models/{quote(name)}", _MODEL) if name else None
    except ApiRefusal as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            values = {"refused": refused, "name": name}
            return Content("model/trouble.html", lambda _: values, refused.page_status, key=None)
        model = None
    if model is None:
        return Content("model/unknown.html", lambda _: {"name": name}, HTTPStatus.NOT_FOUND, key=None)
    results = await _results(reading, model)
    return Content("model/model.html", lambda words: _values(words, results), key=name)


async def _results(reading: Reading, model: ModelResultsView) -> Results:
    if not model.standings:
        return Results(model, expected=tuple(await _forecasts(reading, model.name)))
    board = await reading.view("/leaderboard", _BOARD)
    table = await reading.view("/leaderboard/overview", _OVERVIEW)
    return Results(model, board, await reading.view("/leaderboard/history", _HISTORY), table=table)


async def _forecasts(reading: Reading, name: str) -> list[ExpectedView]:
    """Expected ratings of a model without votes, which stand apart from all that is a rating."""
    try:
        view = await reading.view("/predictors", _PREDICTORS)
    except ApiRefusal:
        return []
    return [expected for expected in view.expected if expected.model == name]


def _values(words: Texts, results: Results) -> dict[str, object]:
    model = results.model
    whole = next((readable(place.row) for place in model.standings if not place.category and not place.language), None)
    wheel = [
        (words.board(place.category, ""), (place.row.bt,))
        for place in model.standings
        if place.category and not place.language and place.row.bt is not None
    ]
    ordered = ("zh", "en") if words.language.startswith("zh") else ("en", "zh")
    descriptions = {"en": model.description_en, "zh": model.description_zh}
    place = _neighbours([readable(row) for row in results.board.rows], model.name) if results.board else None
    best = strengths(words, results.table, model.name)
    about = descriptions[ordered[0]] or descriptions[ordered[1]]
    sentence = summary(words, whole, place.count if place else 1, best)
    return {
        "title": f"{model.name} – {words['brand']}",
        "description": sentence or about or words["model.undescribed"],
        "sentence": sentence,
        "strengths": best,
        "week": battles_of_week(results.table, whole),
        "change": version_change(model, results.board),
        "model": model,
        "row": whole,
        "about": about or ("" if sentence else words["model.undescribed"]),
        "link": model.link if (model.link or "").startswith(("https://", "http://")) else None,
        "languages": words.languages(model.languages),
        "expected": results.expected,
        "place": place,
        "contested": contested(words, results.board, model.name),
        "standings": sorted((p for p in model.standings if not p.category or not p.language), key=_order),
        "board_query": board_query,
        "pair_address": pair_address,
        "meetings": sorted(model.meetings, key=lambda meeting: (-meeting.battles, meeting.opponent)),
        "extremes": _extremes(model),
        "past": history(results.past, [model.name]) if results.past else None,
        "wheel": radar(wheel) if len(wheel) >= _SPOKES else None,
    }


def _order(place: PlacementView) -> tuple[int, str, str]:
    return (2 if place.category else int(bool(place.language)), place.category, place.language)


@dataclass(frozen=True)
class Neighbours:
    """A model's row, how many are in its group, and the rows right above and below, on one scale."""

    row: LeaderboardRowView
    count: int
    rows: list[LeaderboardRowView]
    ends: Ends


def _neighbours(rows: list[LeaderboardRowView], name: str) -> Neighbours | None:
    position = next((row for row in rows if row.name == name and row.bt is not None), None)
    if position is None or position.component:
        return None
    group = [row for row in rows if not row.component and row.bt is not None]
    group.sort(key=lambda row: (row.rank, -(row.bt or 0)))
    place = group.index(position)
    shown = group[max(0, place - _BESIDE) : place + _BESIDE + 1]
    ranked = [row for row in shown if row.battles >= PROVISIONAL_BATTLES]
    return Neighbours(position, len(group), shown, ends(ranked or shown)) if len(group) > 1 else None


@dataclass(frozen=True)
class Rival:
    """An opponent, the battles against it that were decided, and the share of them that were won."""

    opponent: str
    decided: int
    share: float


def _extremes(model: ModelResultsView) -> dict[str, list[Rival]]:
    """Whom it beats most often and who beats it most often, among those it met often enough."""
    opponents = [
        Rival(meeting.opponent, decided, meeting.wins / decided)
        for meeting in model.meetings
        if (decided := meeting.wins + meeting.losses) >= _DECIDED
    ]
    opponents.sort(key=lambda rival: (-rival.share, -rival.decided))
    best = [rival for rival in opponents if rival.share > 0.5][:_MAX_OPPONENTS]  # wins as often as it loses
    worst = [rival for rival in opponents if rival.share < 0.5][::-1][:_MAX_OPPONENTS]  # as above
    return {kind: rivals for kind, rivals in (("best", best), ("worst", worst)) if rivals}
