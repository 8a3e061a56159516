"""Answers as safe HTML in what the API returns, for those who ask for it by `?as=html`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal, TypeVar

from fastapi import Query

from arena.domain.answers.blocks import answer_html
from arena.domain.schemas.battles import TurnView

T = TypeVar("T", bound=TurnView)

AnswerFormat = Annotated[Literal["text", "html"], Query(alias="as")]
"""The form of answers: as the models wrote them, or as HTML, too."""


async def with_html(turns: Sequence[T], form: str) -> list[T]:
    """The turns with their answers as HTML if the form is that; made in a thread, since many may be long."""
    return await asyncio.to_thread(lambda: [_with_html(turn) for turn in turns]) if form == "html" else list(turns)


def _with_html(turn: T) -> T:
    return turn.model_copy(update={"html": {side: answer_html(text) for side, text in turn.answers.items()}})
