"""The page of two models against each other, and the choice of two."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from arena.domain.schemas.models import ModelView
from arena.domain.schemas.pairs import PairResultsView
from arena.domain.shown_intervals import readable
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.charts.history import history
from arena_frontend.charts.intervals import Ends
from arena_frontend.contents import Content
from arena_frontend.figures import share
from arena_frontend.pages.pair.address import pair_address, pair_named
from arena_frontend.pages.pair.cheaper import cheaper_sentences
from arena_frontend.pages.pair.hosts import host_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.domain.schemas.pairs import PairChanceView
    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_PAIR: Final = TypeAdapter(PairResultsView)
_MODELS: Final = TypeAdapter(list[ModelView])
_CHANCES: Final = Ends(0.0, 1.0)
_EVEN: Final = 0.5
LEAST_VOTES: Final = 300
LEAST_VOTERS: Final = 20
"""Votes of a board and voters of each model that a verdict needs, as in `arena_rating`."""


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page of a pair, which `rest` of the path names, `x` and `y` of a form, or `a` and `b` as in the API."""
    slug = query.get("rest", "")
    names = pair_named(slug) if slug else (query.get("x") or query.get("a", ""), query.get("y") or query.get("b", ""))
    if names is None or not all(names) or names[0] == names[1]:
        return await _choice(reading, names or (slug, ""))
    address = pair_address(*names)
    if address != f"/pairs/{quote(slug)}":
        return Content("pair/choice.html", lambda _: {}, HTTPStatus.PERMANENT_REDIRECT, key=None, location=address)
    try:
        pair = await reading.view(f"/pairs?{urlencode(dict(zip('ab', names, strict=True)))}", _PAIR)
    except ApiRefusal as refused:
        if refused.status == HTTPStatus.NOT_FOUND:
            return await _choice(reading, names, HTTPStatus.NOT_FOUND)
        values = {"refused": refused, "own": address}
        return Content("pair/trouble.html", lambda _: values, refused.page_status, key=None)
    return Content("pair/pair.html", lambda words: _values(words, pair, address), key=address)


async def _choice(reading: Reading, names: tuple[str, str], status: HTTPStatus = HTTPStatus.OK) -> Content:
    """The choice of two models, and what is wrong with those that were named."""
    models = sorted((model.name for model in await reading.view("/models", _MODELS)), key=str.lower)
    unknown = [name for name in names if name and name not in models]
    same = bool(names[0]) and names[0] == names[1]
    values = {"models": models, "chosen": names, "unknown": unknown, "same": same and not unknown}
    return Content("pair/choice.html", lambda _: values, HTTPStatus.NOT_FOUND if unknown else status, key=None)


def _values(words: Texts, pair: PairResultsView, address: str) -> dict[str, object]:
    a, b = pair.a.name, pair.b.name
    a_row, b_row = (row and readable(row) for row in (pair.a_row, pair.b_row))
    whole = next((board for board in pair.boards if not board.category and not board.language), None)
    title, sentence = words.fill("pair.title", a=a, b=b), _sentence(words, pair, whole)
    return {
        "title": f"{title} – {words['brand']}",
        "description": sentence,
        "preview_picture": f"/card.png?{urlencode({'x': a, 'y': b, 'lang': words.language})}",
        "own": address,
        "heading": title,
        "sentence": sentence,
        "pair": pair,
        "whole": whole,
        "hosts": host_sentences(words, pair, whole),
        "cheaper": cheaper_sentences(words, pair, whole),
        "ends": _CHANCES,
        "rows": [(pair.a, a_row), (pair.b, b_row)],
        "a_row": a_row,
        "b_row": b_row,
        "past": history(pair.history, [a, b]) if pair.history.courses else None,
    }


def _sentence(words: Texts, pair: PairResultsView, whole: PairChanceView | None) -> str:
    """Say what the votes do of the two, from the side of the one that they are for."""
    if whole is None:
        return words["pair.computing" if pair.computing else "pair.unmet"]
    leads = whole.chance >= _EVEN
    name = (pair.a if leads else pair.b).name
    chance = share(whole.chance if leads else 1 - whole.chance)
    if whole.low is None or whole.high is None:
        return words.fill("pair.guess", name=name, chance=chance)
    by_look, by_path = (whole.low, whole.high), (whole.claim_low, whole.claim_high)
    ends = [0.0 if end is None else end for end in (by_look if whole.claim_low is None else by_path)]
    low, high = map(share, ends if leads else (1 - ends[1], 1 - ends[0]))
    if whole.claim_low is None:
        limits = {"votes": LEAST_VOTES, "voters": LEAST_VOTERS}
        return words.fill("pair.early", name=name, chance=chance, low=low, high=high, **limits)
    key = "pair.unsure" if whole.more != 0 else "pair.sure"
    return words.fill(key, name=name, chance=chance, low=low, high=high)
