"""Discovery: what a proxy offers, and the registration of many of its models in one step."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StrictBool

from arena.domain.schemas import endpoint_fields as fields
from arena.domain.schemas.base import Wire
from arena.domain.schemas.problems import ProblemView

JOINS: Final = 100
"""Models that are registered by one request."""


class DiscoveryRequest(Wire):
    """The address of a proxy, with the key of its models."""

    url: fields.Url
    key: fields.Key | None = None


class OfferedModelView(Wire):
    """A model of the list: `name` is its own here if it is registered, or else one that is free; None if none is.

    Facts are None where the proxy says nothing that can be true; prices are US dollars per million tokens.
    """

    wire_model: str
    name: str | None
    registered: bool
    context_tokens: int | None
    modalities: list[str]
    price_in: float | None
    price_out: float | None


class ListRemarkView(Wire):
    """A sentence about a list, with its code and the numbers in it as text."""

    code: str
    title: str
    count: str | None = None
    most: str | None = None


class TwinsView(Wire):
    """Two names that agree in last part, context and price; one model may be behind both."""

    first: str
    second: str


class DiscoveryView(Wire):
    """The models of a proxy beside the owner's endpoints at the same address; `gone` are those it lists no longer.

    `calls` is what the comparison of one pair of twins costs.
    """

    url: str
    models: list[OfferedModelView]
    gone: list[str]
    twins: list[TwinsView]
    remarks: list[ListRemarkView]
    calls: int = 0


class TwinsRequest(DiscoveryRequest):
    """Two names of a proxy whose answers are to be compared."""

    first: fields.WireModel
    second: fields.WireModel


class TwinsComparedView(Wire):
    """How likely answers are as far apart as these if one model is behind both names; `differ` where hardly.

    Without a p-value `problem` is the code of what kept them from being asked.
    """

    p_value: float | None
    differ: bool
    problem: str | None


class JoinRequest(Wire):
    """One of the models to register, with the facts that the proxy states."""

    name: Annotated[str, fields.public_name(72)]
    wire_model: fields.WireModel
    context_tokens: fields.ContextTokens | None = None
    price_in: fields.PerMillion | None = None
    price_out: fields.PerMillion | None = None
    vision: StrictBool = False


class JoinManyRequest(Wire):
    """The chosen models of a proxy, and the one key of all."""

    url: fields.Url
    key: fields.Key | None = None
    models: Annotated[list[JoinRequest], Field(min_length=1, max_length=JOINS)]


class JoinedView(Wire):
    """One of them: the number of its endpoint, which is probed now, or the problem that kept it out."""

    name: str
    wire_model: str
    endpoint: int | None
    problem: ProblemView | None
