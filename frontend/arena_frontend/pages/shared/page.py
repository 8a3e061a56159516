"""The page of a shared battle: both answers, the vote and the names, by the token of the link."""

from __future__ import annotations

import math
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from arena.domain.labels.categories import WEB
from arena.domain.schemas.models import ModelResultsView
from arena.domain.schemas.shares import SharedView
from arena.domain.shown_intervals import readable
from arena.domain.terms import BattleKind, Side
from arena.domain.text import first_line
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_SHARED: Final = TypeAdapter(SharedView)
_MODEL: Final = TypeAdapter(ModelResultsView)
_LOW, _DECADES = 0.01, 4
"""The least amount that a bar of costs shows, and the decades from there to a full one."""
_LEAST_SHARE: Final = 0.04
MAX_QUESTION: Final = 160
"""Most characters of the question in a link preview."""
REASONS: Final = ("illegal", "private", "hateful", "other")


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the battle of the token `b`; nothing of it is kept, since its voter may withdraw the link at any time."""
    token = query.get("b", "")
    try:
        battle = await reading.private(f"/shared/{quote(token, safe='')}?as=html", _SHARED) if token else None
    except ApiRefusal as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            values = {"hidden": True, "refused": refused, "own": f"/shared?b={quote(token, safe='')}"}
            return _content("trouble", lambda _: values, refused.page_status)
        battle = None
    if battle is None:
        return _content("gone", lambda _: {"hidden": True}, HTTPStatus.NOT_FOUND)
    models = {side: await _model(reading, getattr(battle.reveal, side).name) for side in Side}
    values = partial(_values, token=token, battle=battle, models=models)
    return _content("shared", values, HTTPStatus.OK, is_framing=battle.kind is BattleKind.WEB_PAGE)


def _content(
    template: str,
    values: Callable[[Texts], Mapping[str, object]],
    status: HTTPStatus,
    *,
    is_framing: bool = False,
) -> Content:
    return Content(f"shared/{template}.html", values, status, key=None, caching="no-store", is_framing=is_framing)


async def _model(reading: Reading, name: str) -> ModelResultsView | None:
    """The results of a model, if it still has a page."""
    try:
        return await reading.view(f"/models/{quote(name)}", _MODEL)
    except ApiRefusal:
        return None


def _values(
    words: Texts, token: str, battle: SharedView, models: Mapping[Side, ModelResultsView | None]
) -> dict[str, object]:
    reveal = battle.reveal
    winner = getattr(reveal, reveal.outcome).name if reveal.outcome in set(Side) else ""
    return {
        "hidden": True,
        "description": words.fill("shared.lead", turns=len(battle.turns)),
        "preview_title": first_line(battle.turns[0].prompt, MAX_QUESTION),
        "preview_picture": f"/card.png?{urlencode({'b': token, 'lang': words.language})}",
        "token": token,
        "battle": battle,
        "sides": tuple(Side),
        "faces": {side: getattr(reveal, side) for side in Side},
        "verdict": words.fill(f"shared.chose.{reveal.outcome}", name=winner),
        "standings": {side: _standing(model, battle.kind) for side, model in models.items()},
        "costs": {side: _costs(words, model) for side, model in models.items()},
        "has_stage": battle.kind is BattleKind.WEB_PAGE,
        "reasons": REASONS,
    }


def _standing(model: ModelResultsView | None, kind: BattleKind) -> object:
    """The place on the board on which votes of this kind count, once the model has a rating there."""
    board = (WEB if kind is BattleKind.WEB_PAGE else "", "")
    places = (place for place in model.standings if (place.category, place.language) == board) if model else ()
    place = next((place for place in places if place.row.bt is not None), None)
    return place and place.model_copy(update={"row": readable(place.row)})


def _costs(words: Texts, model: ModelResultsView | None) -> list[tuple[str, float, str]]:
    """Price and energy of a million tokens: title, share of the bar, text."""
    if model is None:
        return []
    costs: list[tuple[str, float, str]] = []
    if model.price_in is not None and model.price_out is not None:
        price = (3 * model.price_in + model.price_out) / 4
        costs.append((words["reveal.price"], _share(price), f"$ {price:,.2f}"))
    if model.energy is not None:
        # A kilowatt-hour for a million tokens is ten watts for six minutes for a thousand.
        lamp = words.fill("energy.lamp", minutes=f"{6 * model.energy:,.1f}")
        costs.append((f"{words['reveal.energy']}: {lamp}", _share(model.energy), f"{model.energy:,.1f} kWh"))
    return costs


def _share(amount: float) -> float:
    """Length of a bar on a logarithmic scale from a hundredth to a hundred."""
    return min(1, max(_LEAST_SHARE, math.log10(max(amount, _LOW) / _LOW) / _DECADES))
