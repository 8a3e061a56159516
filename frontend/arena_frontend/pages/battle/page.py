"""The battle page: all of it is in the HTML, and its script follows the conversation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from markupsafe import Markup
from pydantic import TypeAdapter

from arena.domain.schemas.leaderboard import LeaderboardView
from arena.domain.schemas.models import ModelView
from arena.domain.schemas.status import StatusView
from arena.domain.terms import EndpointState, Side
from arena_frontend.api_reader import ApiNotReady, ApiRefusal, View
from arena_frontend.board_markup import figures
from arena_frontend.contents import Content
from arena_frontend.markup import IMAGES
from arena_frontend.template_pages import CONVERSATION_POLICY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_BOARD: Final = TypeAdapter(LeaderboardView)
_MODELS: Final = TypeAdapter(list[ModelView])
STATUS: Final = TypeAdapter(StatusView)
SHOWN: Final = {"endpoints", "accepting", "closed", "terms", "practice", "mixed", "vision", "vision_endpoints"}
"""The part of the status that the script of a conversation needs."""
OUTCOMES: Final = {"a": "←", "tie": "=", "both_bad": "✕", "b": "→"}
"""Outcomes and their signs in reading order: left, the two in the middle, right."""
TOOLS: Final = ("regenerate", "skip", "same_prompt", "new_round")
KINDS: Final = ("text", "web_page")
"""Kinds of a battle: texts to read, or web pages to run."""
IDEAS: Final = 2
"""Places for ideas, which a script chooses."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of the arena on the page: its newest board, the models in battles, and what the script needs of its status.

    Without a status, as before the arena is ready, the script asks for it.
    """

    board: LeaderboardView | None = None
    drawn: tuple[str, ...] = ()
    status: dict[str, object] | None = None


async def read(reading: Reading, _: Mapping[str, str]) -> Content:
    """Read the page; what cannot be read of the arena is left out of it."""
    facts = await _facts(reading)
    policy = CONVERSATION_POLICY
    return Content("battle/battle.html", lambda words: _values(words, facts), policy=policy, is_framing=True)


async def _facts(reading: Reading) -> Facts:
    board = await _view_if_any(reading, "/leaderboard", _BOARD)
    models = await _view_if_any(reading, "/models", _MODELS)
    status = await _view_if_any(reading, "/status", STATUS)
    drawn = tuple(model.name for model in models or () if model.state is EndpointState.ACTIVE)
    return Facts(board if board and board.rows else None, drawn, status and status.model_dump(include=SHOWN))


async def _view_if_any(reading: Reading, path: str, kind: TypeAdapter[View]) -> View | None:
    try:
        return await reading.view(path, kind)
    except (ApiRefusal, ApiNotReady):
        return None


def _values(words: Texts, facts: Facts) -> dict[str, object]:
    return {
        "kind": "battle",
        "status": facts.status,
        "takes_images": facts.status and facts.status["vision"],
        "sides": tuple(Side),
        "outcomes": OUTCOMES,
        "tools": TOOLS,
        "ideas": IDEAS,
        "image_types": IMAGES,
        "kinds": KINDS,
        "figures": partial(_figures, words, facts),
    }


def _figures(words: Texts, facts: Facts, gradio: bool) -> Markup:  # noqa: FBT001 - a template's value
    return Markup(figures(words, facts.board, facts.drawn, gradio=gradio))  # noqa: S704 - made of escaped texts
