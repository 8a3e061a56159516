"""Errors as RFC 9457 problem details."""

from __future__ import annotations

from typing import Literal

from arena.domain.schemas.base import Params, Wire
from arena.domain.schemas.votes import RevealView


class ProblemView(Wire):
    """An error as RFC 9457 problem details."""

    type: Literal["about:blank"] = "about:blank"
    title: str
    status: int
    code: str
    detail: str | None = None
    params: Params | None = None
    """Parameters of the message in `detail`, for translation; `rule` selects the message."""
    problems: list[Params] | None = None
    """Parameters for each of several invalid fields."""
    retry_after: int | None = None
    reveal: RevealView | None = None
    terms: int | None = None
