"""Labels by people: the items of a sample to read, and what the readings say of each labeller."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from arena.domain.schemas.base import Wire

SetName = Literal["areas", "capabilities", "flags"]
Reader = Annotated[str, Field(pattern="^[a-z0-9-]{1,30}$")]
"""A name of the reader's own choice; it is published with the labels."""
Pass = Annotated[int, Field(ge=1, le=2)]


class LabelItemView(Wire):
    """A conversation of the sample: the prompts of its author."""

    number: int
    prompts: list[str]


class LabelTaskView(Wire):
    """The next item for a reader, if there is one, the labels with their meanings, and how far the sample is.

    `items` have two readings each when the sample is done; `readings` are those so far.
    """

    item: LabelItemView | None
    labels: dict[str, str]
    items: int
    readings: int


class LabelReadingRequest(Wire):
    """Labels that a reader gives an item, the most fitting label first; none of them is an answer, too."""

    set: SetName
    number: int = Field(ge=1, le=1_000_000)
    reader: Reader
    reading: Pass
    values: list[Annotated[str, Field(max_length=40)]] = Field(max_length=10)


class LabelCountsView(Wire):
    """How many readings have a label by people, by the labeller, and by both."""

    label: str
    people: int
    labeller: int
    both: int


class LabellerView(Wire):
    """A labeller against people: the number of readings, the share of equal first labels, and both tables.

    `matrix` has people's first label in its rows and the labeller's in its columns, no label as the last.
    """

    labeller: str
    readings: int
    same: float
    matrix: list[list[int]]
    labels: list[LabelCountsView]


class LabellersView(Wire):
    """All labellers of a set against the readings of its sample; people are there against each other, too."""

    set: str
    items: int
    readings: int
    labellers: list[LabellerView]
