"""Labels by people: the items of a sample, and the agreement of each labeller with the readings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from arena.domain.schemas.base import Wire

SetName = Literal["areas", "capabilities", "flags"]
Reader = Annotated[str, Field(pattern="^[a-z0-9-]{1,30}$")]
"""A name that the reader chooses; it is published with the labels."""
Pass = Annotated[int, Field(ge=1, le=2)]


class LabelItemView(Wire):
    """A conversation of the sample: the prompts of its author."""

    number: int
    prompts: list[str]


class LabelTaskView(Wire):
    """The next item for a reader, or null, the labels with their meanings, and the progress of the sample.

    `readings` is their number so far; each of the `items` needs two.
    """

    item: LabelItemView | None
    labels: dict[str, str]
    items: int
    readings: int


class LabelReadingRequest(Wire):
    """A reader's labels of an item, the most fitting first; an empty list means that none holds."""

    set: SetName
    number: int = Field(ge=1, le=1_000_000)
    reader: Reader
    reading: Pass
    values: list[Annotated[str, Field(max_length=40)]] = Field(max_length=10)


class LabelCountsView(Wire):
    """The number of readings with a label by people, by the labeller, and by both."""

    label: str
    people: int
    labeller: int
    both: int


class LabellerView(Wire):
    """A labeller compared with people: number of readings, share of equal first labels, and both tables.

    `matrix` has people's first label in its rows and the labeller's in its columns, the last ones for no label.
    """

    labeller: str
    readings: int
    same: float
    matrix: list[list[int]]
    labels: list[LabelCountsView]


class LabellersView(Wire):
    """All labellers of a set compared with the readings of its sample; one row compares people with each other."""

    set: str
    items: int
    readings: int
    labellers: list[LabellerView]
