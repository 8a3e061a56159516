"""Discovery: the models of a proxy, and registration of several of them in one step."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StrictBool

from arena.domain.schemas import endpoint_fields as fields
from arena.domain.schemas.base import Wire
from arena.domain.schemas.problems import ProblemView

JOINS: Final = 100
"""Most models in one registration."""


class DiscoveryRequest(Wire):
    """The address of a proxy, and the key for its models."""

    url: fields.Url
    key: fields.Key | None = None


class OfferedModelView(Wire):
    """A model of the list; `name` is its name here if it is `registered`, else a free one, or None.

    Facts are None without a plausible value from the proxy; prices are US dollars per million tokens.
    """

    wire_model: str
    name: str | None
    registered: bool
    context_tokens: int | None
    modalities: list[str]
    price_in: float | None
    price_out: float | None


class ListRemarkView(Wire):
    """A remark about a list: code, English sentence, and its numbers as text."""

    code: str
    title: str
    count: str | None = None
    most: str | None = None


class TwinsView(Wire):
    """Two names with the same last part, context and price, which may be one model."""

    first: str
    second: str


class DiscoveryView(Wire):
    """The models of a proxy; `gone` are the owner's endpoints at this address that it no longer lists.

    `calls` is the number of calls for the comparison of one pair of twins.
    """

    url: str
    models: list[OfferedModelView]
    gone: list[str]
    twins: list[TwinsView]
    remarks: list[ListRemarkView]
    calls: int = 0


class TwinsRequest(DiscoveryRequest):
    """Two names of a proxy, to compare their answers."""

    first: fields.WireModel
    second: fields.WireModel


class TwinsComparedView(Wire):
    """The p-value of the answers' difference if both names are one model; `differ` if it is low.

    Without a p-value, `problem` is the code of the error.
    """

    p_value: float | None
    differ: bool
    problem: str | None


class JoinRequest(Wire):
    """A model to register, with the facts that the proxy states."""

    name: Annotated[str, fields.public_name(72)]
    wire_model: fields.WireModel
    context_tokens: fields.ContextTokens | None = None
    price_in: fields.PerMillion | None = None
    price_out: fields.PerMillion | None = None
    vision: StrictBool = False


class JoinManyRequest(Wire):
    """The models to register, and their common key."""

    url: fields.Url
    key: fields.Key | None = None
    models: Annotated[list[JoinRequest], Field(min_length=1, max_length=JOINS)]


class JoinedView(Wire):
    """A model of the request: the number of its new endpoint, which is probed now, or the problem."""

    name: str
    wire_model: str
    endpoint: int | None
    problem: ProblemView | None
