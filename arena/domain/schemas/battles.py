"""Blind battles, chats and their web pages: requests, views, and the events of their stream."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, StrictBool, StrictInt

from arena.domain.schemas.base import Prompt, Wire, documented
from arena.domain.schemas.votes import CompetitorView, ShownAnswers
from arena.domain.terms import (
    IMAGE_LIMIT,
    BattleKind,
    BattleState,
    Opinion,
    Outcome,
    Side,
    TurnState,
)
from arena.domain.web_pages.document import Missing


class PromptRequest(Wire):
    """A prompt and the ids of its images; `sure` sends it in spite of the arena's warning."""

    prompt: Prompt
    images: Annotated[list[str], documented(maxItems=IMAGE_LIMIT)] = Field(default=[])
    sure: StrictBool = False


class OpenRequest(PromptRequest):
    """The first prompt of a battle and its kind; `terms` is the version that its sender accepts."""

    terms: StrictInt | None = None
    kind: BattleKind = BattleKind.TEXT


def is_empty(value: object) -> bool:
    """Whether it has no items; views leave such a field out."""
    return not value


def is_missing(value: object) -> bool:
    """Whether there is none; views leave such a field out."""
    return value is None


class TurnView(Wire):
    """One prompt with the two answers as far as they are released; its images may be deleted since.

    `failure` is the code of the event with which a failed turn ended; `html` has the answers as safe HTML if it was
    asked for. `stopped`: the visitor stopped an answer. `cut` has the sides whose answers ended at a limit of their
    length. A blind battle says so only after the vote: limits are set by owners, and some servers never state them,
    so a mark before it would tell models apart.
    """

    number: int
    prompt: str
    images: list[str] = Field(default=[])
    state: TurnState
    generation: int = 0
    answers: dict[Side, str] = Field(default={})
    html: dict[Side, str] | None = Field(default=None, exclude_if=is_missing)
    failure: str | None = Field(default=None, exclude_if=is_missing)
    stopped: bool = Field(default=False, exclude_if=is_empty)
    cut: list[Side] = Field(default=[], exclude_if=is_empty)


def is_text(kind: BattleKind) -> bool:
    """Whether a battle is of texts; views leave this default out."""
    return kind is BattleKind.TEXT


class BattleView(Wire):
    """Everything a voter may know before the vote; `kind` is left out for battles of texts."""

    id: str
    state: BattleState
    kind: BattleKind = Field(default=BattleKind.TEXT, exclude_if=is_text)
    turns: list[TurnView]
    outcome: Outcome | None = None


class DeltaEvent(Wire):
    """The next piece of one side's answer."""

    side: Side
    text: str


class BlocksEvent(Wire):
    """Blocks of one side's answer as safe HTML, from the number `from` on, in place of its `delta` events.

    `html` has the closed blocks, which never change; `open` the one that still grows, which replaces the last one.
    """

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    side: Side
    first: int = Field(alias="from")
    html: list[str]
    open: str


class SideDoneEvent(Wire):
    side: Side


class TurnReadyEvent(Wire):
    number: int


class TurnFailedEvent(Wire):
    """A turn has failed; `failed` has the sides of the models that did, and is left out where names are hidden."""

    code: str
    title: str
    failed: list[Side] = Field(default=[], exclude_if=is_empty)


class ClosingEvent(Wire):
    """The server is shutting down; reconnect after `retry_ms` milliseconds."""

    retry_ms: int


BattleEvent = DeltaEvent | BlocksEvent | SideDoneEvent | TurnReadyEvent | TurnFailedEvent | ClosingEvent
"""The events of a stream; the SSE event name is the class name in snake case without `Event`."""


class UploadView(Wire):
    """An uploaded image; its `id` is valid for its voter only."""

    id: str


class ChatRequest(OpenRequest):
    """The first prompt of a chat with one or two models of these names."""

    models: Annotated[list[str], documented(minItems=1, maxItems=2)]


class OpinionRequest(ShownAnswers):
    """A judgement of the last answers of a chat: as in a battle for two models, `good` or `bad` for one."""

    outcome: Opinion


class ChatTurnView(TurnView):
    """One prompt of a chat, with the voter's judgement of its answers, and the sides of models that `failed`."""

    outcome: Opinion | None = None
    failed: list[Side] = Field(default=[], exclude_if=is_empty)


class ChatView(Wire):
    """A conversation with models chosen by name; never rated."""

    id: str
    state: BattleState
    models: dict[Side, CompetitorView]
    turns: list[ChatTurnView]


class PageView(Wire):
    """The page of one side: its `address`, which is valid for some minutes, or the reason why it is `missing`.

    `wants` counts remote files that it would load, which the arena blocks; `cut`: its end is missing.
    """

    address: str | None = None
    missing: Missing | None = None
    wants: int = 0
    cut: bool = False


class PageVersionView(Wire):
    """Both pages after one prompt."""

    number: int
    pages: dict[Side, PageView]


class PagesView(Wire):
    """All versions of both pages, oldest first."""

    versions: list[PageVersionView] = Field(default=[])
