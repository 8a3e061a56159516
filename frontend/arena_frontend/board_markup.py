"""Markup of the arena's figures in the first bytes of the start page."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from arena.domain.terms import JsonObject
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES
from arena_frontend.texts import BASES, FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.domain.schemas.leaderboard import LeaderboardRowView, LeaderboardView
    from arena_frontend.texts import Texts

_PODIUM: Final = 3


def figures(words: Texts, board: LeaderboardView | None, *, gradio: bool = False) -> str:
    """Build the arena's figures and its three best models, and below them a battle to read.

    With `gradio` the last line leads to the Gradio app.
    """
    counts, app = _counts(words, board) if board else "", _gradio(words) if gradio else ""
    return f'<section class="a-life">{counts}{_example(words)}{app}</section>'


def _gradio(words: Texts) -> str:
    return f'<p>{escape(words["life.gradio"])} <a href="/gradio">{escape(words["nav.gradio"])}</a></p>'


def missing_votes(board: LeaderboardView) -> int:
    """Fewest further votes after which no model of a board is a newcomer, each vote being a battle of two models."""
    lacking = [max(0, PROVISIONAL_BATTLES - row.battles) for row in board.rows]
    return max(max(lacking, default=0), (sum(lacking) + 1) // 2)


def _counts(words: Texts, board: LeaderboardView) -> str:
    counted = board.snapshot.votes if board.snapshot else 0
    missing = missing_votes(board)
    models = f"<b>{len(board.rows):,}</b> {escape(words.form('board.models', len(board.rows)))}"
    votes = f"<b>{counted:,}</b> {escape(words.form('board.votes', counted))}"
    if counted and missing:
        goal = escape(
            words.fill("life.goal", votes=f"{counted:,}", goal=f"{counted + missing:,}", few=PROVISIONAL_BATTLES)
        )
        votes = f'{goal} <progress max="{counted + missing}" value="{counted}"></progress>'
    podium = "".join(f"<li>{_model(row)} {_score(row)}</li>" for row in islice(_best_first(board), _PODIUM))
    preliminary = f" · {escape(words['board.preliminary'])}" if board.preliminary else ""
    return (
        f"<p>{votes} · {models}{preliminary}{_updated(words, board)}</p>"
        f'<ol>{podium}</ol><p><a href="/leaderboard">{escape(words["life.whole"])}</a></p>'
    )


def _updated(words: Texts, board: LeaderboardView) -> str:
    if board.snapshot is None:
        return ""
    date = board.snapshot.created_at
    time = f'<time datetime="{date.isoformat()}">{date:%Y-%m-%d %H:%M} UTC</time>'
    return f" · <span>{escape(words['board.updated'])} {time}</span>"


def _example(words: Texts) -> str:
    """Build a finished battle of two practice models, whose Chinese is written in simplified characters."""
    battle = _examples()[BASES.get(words.language, words.language)]
    sides = "".join(
        f"<div><h3>{side}: {escape(name)}</h3><p>{escape(text)}</p></div>"
        for side, (name, text) in zip("AB", battle["answers"].items(), strict=True)
    )
    return (
        f'<details class="a-example"><summary>{escape(words["example.open"])}</summary><div lang="{battle["lang"]}">'
        f"<blockquote>{escape(battle['prompt'])}</blockquote><div>{sides}</div></div>"
        f"<p>{escape(words['example.vote'])}</p></details>"
    )


@cache
def _examples() -> JsonObject:
    return json.loads((FOLDER / "example_battles.json").read_text(encoding="utf-8"))


def _best_first(board: LeaderboardView) -> Iterator[LeaderboardRowView]:
    """Yield the rows of the largest group of models that have met, best first."""
    return iter(sorted((row for row in board.rows if row.component == 0), key=lambda row: (row.rank, -row.elo)))


def _model(row: LeaderboardRowView) -> str:
    return f'<a href="/model?{urlencode({"name": row.name})}">{escape(row.name)}</a>'


def _score(row: LeaderboardRowView) -> str:
    return "–" if row.bt is None else f"{row.bt:,.0f}"
