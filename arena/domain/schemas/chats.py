"""Chats with models chosen by name."""

from __future__ import annotations

from typing import Annotated

from arena.domain.schemas.base import Wire, documented
from arena.domain.schemas.battles import OpenRequest, TurnView
from arena.domain.schemas.votes import CompetitorView
from arena.domain.terms import (
    BattleState,
    Opinion,
    Side,
)


class ChatRequest(OpenRequest):
    """The first prompt of a chat with one or two models of these names."""

    models: Annotated[list[str], documented(minItems=1, maxItems=2)]


class OpinionRequest(Wire):
    """A judgement of the last answers of a chat: on two models as in a battle, on one `good` or `bad`."""

    outcome: Opinion


class ChatTurnView(TurnView):
    """One prompt of a chat, with the voter's judgement of its answers."""

    outcome: Opinion | None = None


class ChatView(Wire):
    """A conversation with models chosen by name; it is never rated."""

    id: str
    state: BattleState
    models: dict[Side, CompetitorView]
    turns: list[ChatTurnView]
