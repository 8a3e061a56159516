"""Where an endpoint would have answered: the same server asked in other dialects and at the usual base addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from arena.endpoints.asking import ask
from arena.providers.registry import WIRE
from arena.terms import Message, Role

if TYPE_CHECKING:
    from arena.calls import Caller
    from arena.providers.base import Target

TELLING: Final = frozenset(
    {"not_found", "wrong_form", "web_page", "no_stream", "cut_short", "empty", "request_refused", "server_error"}
)
"""Faults that a wrong dialect or base address has."""
_VERSION: Final = "/v1"


async def better(caller: Caller, target: Target, question: str) -> Target | None:
    """The first that answers, if any; asked once each, and given little time."""
    limits = caller.times
    quick = replace(caller, times=replace(limits, first_token=min(limits.first_token, 10), total=30))
    for other in _others(target):
        if (await ask(quick, "en", other, (Message(Role.USER, question),))).ok:
            return other
    return None


def _others(target: Target) -> Iterator[Target]:
    base = target.url.rstrip("/")
    urls = [base, base.removesuffix(_VERSION) if base.endswith(_VERSION) else base + _VERSION]
    for dialect in dict.fromkeys([target.dialect, *WIRE]):
        for url in urls:
            if (dialect, url) != (target.dialect, base):
                yield replace(target, dialect=dialect, url=url)
