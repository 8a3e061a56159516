"""What one request leads to, as spans: the request, its turns, the calls of models, what was committed, and the fits.

Nothing is imported and nothing kept unless a door has said who takes them (`taken_by`). No span names a prompt, an
answer, a voter, an address, a key or a model; `endpoint` is an endpoint's number. None is told to a model's server
either: it would know which other server is in its battle.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

Fact = str | int


class Spans(Protocol):
    """Makes spans; each lasts as long as its context, inside the one that was open when it began."""

    def __call__(self, name: str, facts: dict[str, Fact]) -> AbstractContextManager[Callable[[str, Fact], None]]: ...


def _unheard(_name: str, _fact: Fact) -> None:
    """Takes a fact where nobody takes spans."""


_NONE: Final = nullcontext(_unheard)


class _Taker:
    """Who takes the spans of this process, if anybody does."""

    spans: Spans | None = None


def taken_by(spans: Spans | None) -> None:
    """Say who takes the spans of this process from now on; None is nobody."""
    _Taker.spans = spans


def span(name: str, **facts: Fact) -> AbstractContextManager[Callable[[str, Fact], None]]:
    """A span around what is done in it; the context gives a function that adds a fact."""
    return _NONE if _Taker.spans is None else _Taker.spans(name, facts)
