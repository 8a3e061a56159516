"""Headers of a request as they arrived, for middleware: Starlette's own type encodes and searches for each look-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope


def first_values(scope: Scope) -> dict[bytes, bytes]:
    """The first value of each header by its lower-case name."""
    return dict(reversed(scope["headers"]))
