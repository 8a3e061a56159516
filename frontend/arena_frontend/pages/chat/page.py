"""The pages of chats with one or two chosen models; all of it is in the HTML, and a script follows the conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.models import ModelView
from arena.domain.terms import EndpointState, Side
from arena_frontend.api_reader import ApiNotReady, ApiRefusal
from arena_frontend.contents import Content
from arena_frontend.markup import IMAGES
from arena_frontend.pages.battle.page import IDEAS, OUTCOMES, SHOWN, STATUS
from arena_frontend.template_pages import CONVERSATION_POLICY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_MODELS: Final = TypeAdapter(list[ModelView])
_TOOLS: Final = ("regenerate", "new_round")


@dataclass(frozen=True, slots=True)
class ChatKind:
    """A kind of chat: the name of its page, its sides, and outcomes with their signs."""

    name: str
    sides: tuple[Side, ...]
    outcomes: Mapping[str, str]


_SIDE_BY_SIDE: Final = ChatKind("side_by_side", tuple(Side), OUTCOMES)
_DIRECT: Final = ChatKind("direct", (Side.A,), {"good": "✓", "bad": "✕"})


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page that the last part of the path names.

    Raises:
        ApiNotReady: The models cannot be read; without them there is nobody to choose.
    """
    kind = _DIRECT if query["path"].endswith("/direct") else _SIDE_BY_SIDE
    try:
        models = await reading.view("/models", _MODELS)
        status = await reading.view("/status", STATUS)
    except ApiRefusal as refused:
        raise ApiNotReady from refused
    return Content(
        "chat/chat.html",
        lambda words: _values(kind, words, _in_order(models), status.model_dump(include=SHOWN)),
        policy=CONVERSATION_POLICY,
        name=kind.name,
    )


def _in_order(models: Sequence[ModelView]) -> list[ModelView]:
    """The models that can be asked, by name."""
    return sorted((model for model in models if model.state is EndpointState.ACTIVE), key=lambda m: m.name.casefold())


def _values(kind: ChatKind, words: Texts, models: list[ModelView], status: dict[str, object]) -> dict[str, object]:
    return {
        "kind": kind.name,
        "sides": kind.sides,
        "outcomes": kind.outcomes,
        "models": models,
        "language": words.language.split("-")[0],
        "status": status,
        "takes_images": all(model.vision for model in models),
        "tools": _TOOLS,
        "ideas": IDEAS,
        "image_types": IMAGES,
        "kinds": (),
    }
