"""Models that an operator adds by a preset: the request, its result, and the servers of this machine."""

from __future__ import annotations

from typing import Annotated

from arena.domain.schemas import endpoint_fields as fields
from arena.domain.schemas.base import Wire
from arena.domain.schemas.discovery import OfferedModelView
from arena.domain.terms import UNNAMED_OWNER, JsonObject


class AddRequest(Wire):
    """A model of a preset, which is asked before it is added; local presets need no key."""

    name: Annotated[str, fields.public_name(72)]
    preset: str
    wire_model: fields.WireModel
    key: fields.Key | None = None
    owner: Annotated[str, fields.public_name(80)] = UNNAMED_OWNER


class AddedView(Wire):
    """Whether a model was added; `problems` are those of its test, in the form of a probe's."""

    name: str
    added: bool
    problems: list[JsonObject]


class LocalServerView(Wire):
    """A server of this machine with its models; `preset` is the name by which they are added."""

    preset: str
    url: str
    models: list[OfferedModelView]
