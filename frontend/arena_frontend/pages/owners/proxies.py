"""Views of a proxy: its models, whether two of them are one, and the registration of the chosen ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from arena.domain.schemas.discovery import JOINS, DiscoveryView, JoinedView, TwinsComparedView
from arena.domain.schemas.endpoints import EndpointView
from arena.domain.terms import EndpointState
from arena_frontend.pages.owners.endpoint import ENDPOINT
from arena_frontend.pages.sentences import fault, problem_text

if TYPE_CHECKING:
    from arena_frontend.api_reader import Reading

_DISCOVERY: Final = TypeAdapter(DiscoveryView)
_TWINS: Final = TypeAdapter(TwinsComparedView)
_OUTCOMES: Final = TypeAdapter(list[JoinedView])
_ENDPOINTS: Final = TypeAdapter(list[EndpointView])
Values = dict[str, Any]


async def models(reading: Reading, _number: str) -> Values:
    """Return the list of a proxy."""
    return {"discovery": await reading.post("/endpoints/discoveries", _DISCOVERY), "most": JOINS, "fault": fault}


async def twins(reading: Reading, _number: str) -> Values:
    """Compare two models, which calls both."""
    return {"pair": await reading.post("/endpoints/twins", _TWINS), "fault": fault}


async def batch(reading: Reading, _number: str) -> Values:
    """Register the models that were chosen."""
    return {"outcomes": await reading.post("/endpoints/batch", _OUTCOMES), "problem_text": problem_text}


async def progress(reading: Reading, numbers: str) -> Values:
    """Return the states of endpoints; `numbers` is how many models were refused, and the endpoints' ids."""
    refused, *ids = map(int, numbers.split("."))
    views = {view.id: view for view in await reading.private("/endpoints", _ENDPOINTS)}
    lines = [(number, views.get(number), await _fault(reading, views.get(number))) for number in dict.fromkeys(ids)]
    running = sum(view is not None and view.state is EndpointState.PROBING for _, view, _ in lines)
    return {"outcomes": lines, "all": refused + len(lines), "done": refused + len(lines) - running, "fault": fault}


async def _fault(reading: Reading, view: EndpointView | None) -> dict[str, Any] | None:
    """The first problem of an endpoint whose test has failed."""
    if view is None or view.state is not EndpointState.DRAFT:
        return None
    probes = (await reading.private(f"/endpoints/{view.id}", ENDPOINT)).probes
    return next(iter(probes[-1].report["problems"]), None) if probes else None
