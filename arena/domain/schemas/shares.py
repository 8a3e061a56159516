"""Links to voted battles that their voter shares."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from arena.domain.schemas.base import Wire, text_field
from arena.domain.schemas.battles import TurnView, is_text
from arena.domain.schemas.votes import RevealView
from arena.domain.terms import BattleKind


class ShareView(Wire):
    """The link of a shared battle, `/shared?b=` and this token; `listed` on the page of the two models or not."""

    token: str
    created_at: datetime
    listed: bool = False


class ListedBattleView(Wire):
    """A listed battle: the token of its link, and the beginning of its question."""

    token: str
    question: str


class SharedView(Wire):
    """A voted battle shared by its voter."""

    turns: list[TurnView]
    kind: BattleKind = Field(default=BattleKind.TEXT, exclude_if=is_text)
    images: int = 0
    """Number of images in the prompts; only the voter and the two models see them."""
    reveal: RevealView
    voted_at: datetime


class ReportRequest(Wire):
    """A reader's reason for an objection to a shared battle."""

    reason: Literal["illegal", "private", "hateful", "other"]


class ReportedShareView(Wire):
    """A reported link with its first prompt, shortened, and the number of reports by reason."""

    token: str
    prompt: str
    reports: dict[str, int]
    created_at: datetime


class TakedownRequest(Wire):
    """The operator's reason for taking a link down."""

    reason: Annotated[str, text_field(200)]
