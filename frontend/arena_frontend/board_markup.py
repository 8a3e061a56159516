"""Markup of the arena's figures in the first bytes of the start page."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from arena.domain.answers.blocks import answer_html
from arena.domain.terms import JsonObject
from arena_frontend.pages.leaderboard.lines import Line, sort_by_rank
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES, goal_votes
from arena_frontend.texts import BASES, FOLDER

if TYPE_CHECKING:
    from collections.abc import Collection

    from arena.domain.schemas.leaderboard import LeaderboardRowView, LeaderboardView
    from arena_frontend.texts import Texts

_PODIUM: Final = 3


def figures(words: Texts, board: LeaderboardView | None, drawn: Collection[str] = (), *, gradio: bool = False) -> str:
    """Build the arena's figures and its three best models, and below them a battle to read.

    `drawn` has the names of the models in battles. With `gradio` the last line leads to the Gradio app.
    """
    counts, app = _counts(words, board, drawn) if board else "", _gradio(words) if gradio else ""
    return f'<section class="a-life">{counts}{_example(words)}{app}</section>'


def _gradio(words: Texts) -> str:
    return f'<p>{escape(words["life.gradio"])} <a href="/gradio">{escape(words["nav.gradio"])}</a></p>'


def _counts(words: Texts, board: LeaderboardView, drawn: Collection[str]) -> str:
    votes = board.snapshot.votes if board.snapshot else 0
    goal = goal_votes(board, drawn)
    numbers = (
        _goal(words, votes, goal, len(drawn)) if votes and goal > votes else _totals(words, votes, len(board.rows))
    )
    best = [line.row for line in sort_by_rank(map(Line, board.rows)) if line.row.component == 0][:_PODIUM]
    podium = "".join(f'<li value="{row.rank}">{_model(row)} {_score(row)}</li>' for row in best)
    preliminary = f" · {escape(words['board.preliminary'])}" if board.preliminary else ""
    return (
        f"<p>{numbers}{preliminary}{_updated(words, board)}</p>"
        f'<ol>{podium}</ol><p><a href="/leaderboard">{escape(words["life.whole"])}</a></p>'
    )


def _goal(words: Texts, votes: int, goal: int, models: int) -> str:
    text = words.fill("life.goal", votes=f"{votes:,}", goal=f"{goal:,}", few=PROVISIONAL_BATTLES)
    bar = f'<progress max="{goal}" value="{votes}"></progress>'
    return f"{escape(text)} {bar} · {_number(words, 'life.models', models)}"


def _totals(words: Texts, votes: int, models: int) -> str:
    return f"{_number(words, 'board.votes', votes)} · {_number(words, 'board.models', models)}"


def _number(words: Texts, noun: str, count: int) -> str:
    return f"<b>{count:,}</b> {escape(words.form(noun, count))}"


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
        f"<div><h3>{side}: {escape(name)}</h3>{_answer(text)}</div>"
        for side, (name, text) in zip("AB", battle["answers"].items(), strict=True)
    )
    return (
        f'<details class="a-example"><summary>{escape(words["example.open"])}</summary><div lang="{battle["lang"]}">'
        f"<blockquote>{escape(battle['prompt'])}</blockquote><div>{sides}</div></div>"
        f"<p>{escape(words['example.vote'])}</p></details>"
    )


@cache
def _answer(text: str) -> str:
    return answer_html(text)


@cache
def _examples() -> JsonObject:
    return json.loads((FOLDER / "example_battles.json").read_text(encoding="utf-8"))


def _model(row: LeaderboardRowView) -> str:
    return f'<a href="/model?{urlencode({"name": row.name})}">{escape(row.name)}</a>'


def _score(row: LeaderboardRowView) -> str:
    return "–" if row.bt is None else f"{row.bt:,.0f}"
