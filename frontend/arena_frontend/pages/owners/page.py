"""The owners' page: requirements and rules, around the part that its script fills for whoever has signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.status import StatusView
from arena.domain.terms import Part
from arena_frontend.api_reader import ApiNotReady, ApiRefusal
from arena_frontend.contents import Content
from arena_frontend.pages.providers import providers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading

STEPS: Final = ("own.step.signup", "own.step.register", "own.step.probe", "own.step.approval", "own.step.battle")
RULES: Final = (
    "own.rule.unlisted",
    "own.rule.withdrawal",
    "own.rule.version",
    "own.rule.host",
    "own.rule.health",
    "own.rule.figures",
    "own.rule.server",
    "own.rule.cap",
    "own.rule.key",
)
_STATUS: Final = TypeAdapter(StatusView)


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page, whose own part has no data of the arena."""
    fixed = {"texts": "own", "place": "owners", "steps": STEPS, "rules": RULES, "ways": "own.ways"}
    values = {**fixed, "providers": await providers(reading), "closed": await takes_no_models(reading)}
    return Content("owners/owners.html", lambda _: values)


async def takes_no_models(reading: Reading) -> bool:
    """Whether the operator has closed the part for new owners and models."""
    try:
        return Part.REGISTRATION in (await reading.view("/status", _STATUS)).closed
    except (ApiRefusal, ApiNotReady):
        return False
