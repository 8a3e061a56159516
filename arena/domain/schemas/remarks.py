"""A voter's remarks on the answers after the vote."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from arena.domain.schemas.base import Wire
from arena.domain.terms import (
    Criterion,
    Reason,
)


class RemarkView(Wire):
    """A voter's remarks on one answer."""

    reasons: list[Reason] = Field(default=[])
    stars: dict[Criterion, Annotated[StrictInt, Field(ge=1, le=3)]] = Field(default={})


class RemarksView(Wire):
    """Remarks on one or both sides, as sent and as stored."""

    a: RemarkView | None = None
    b: RemarkView | None = None
