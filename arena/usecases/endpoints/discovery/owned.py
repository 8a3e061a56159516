"""Discovery by an owner: the models of a proxy compared with the owner's endpoints, and the registration of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.errors import ArenaError
from arena.domain.fingerprint import odd
from arena.domain.schemas.discovery import (
    DiscoveryView,
    JoinedView,
    ListRemarkView,
    OfferedModelView,
    TwinsComparedView,
    TwinsView,
)
from arena.domain.schemas.endpoints import RegisterRequest
from arena.domain.schemas.problems import ProblemView
from arena.usecases.endpoints.definition import check_public
from arena.usecases.endpoints.discovery import sync
from arena.usecases.endpoints.discovery.listing import DIALECT, Proxy, list_models
from arena.usecases.endpoints.discovery.twins import CALLS, compare_answers
from arena.usecases.endpoints.registration import register_as_owner
from arena_providers.base import Target
from arena_providers.transport.http_client import HttpClient

if TYPE_CHECKING:
    from pydantic import SecretStr

    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.domain.schemas.discovery import DiscoveryRequest, JoinManyRequest, JoinRequest, TwinsRequest
    from arena.usecases.endpoints.discovery.sync import Offer
    from arena.usecases.endpoints.ownership import By


async def discover(database: Database, by: By, request: DiscoveryRequest) -> DiscoveryView:
    """List the models of a proxy; if the list cannot be read, the view has a remark and no models.

    Raises:
        Invalid: The address is not public, and the operator has not opened it.
    """
    check_public(request.url, by.rules.policy)
    async with HttpClient(policy=by.rules.policy) as client:
        listing = await list_models(client, Proxy(request.url, _bare(request.key)))
    state = await database.read(sync.compare, listing, by.owner)
    return DiscoveryView(
        url=listing.proxy.url,
        models=list(map(offered_view, state.offers)),
        gone=list(state.gone),
        twins=[TwinsView(first=pair.first, second=pair.second) for pair in state.twins],
        calls=CALLS,
        remarks=[ListRemarkView.model_validate(problem) for problem in listing.problems],
    )


async def compare_twins(caller: Caller, by: By, request: TwinsRequest) -> TwinsComparedView:
    """Ask two models of a proxy the same prompts and compare their answers; this costs `CALLS` calls.

    Raises:
        Invalid: The address is not public, and the operator has not opened it.
    """
    import numpy as np

    check_public(request.url, by.rules.policy)
    key = _bare(request.key)
    first, second = (Target(DIALECT, request.url, name, key=key) for name in (request.first, request.second))
    result = await compare_answers(caller, (first, second), np.random.default_rng(), lambda: None)
    return TwinsComparedView(p_value=result.p_value, differ=odd(result.p_value), problem=result.code)


async def register_many(database: Database, by: By, request: JoinManyRequest) -> list[JoinedView]:
    """Register the chosen models, one after the other; a refused one does not stop the others.

    Raises:
        Invalid: The address is not public, and the operator has not opened it.
    """
    check_public(request.url, by.rules.policy)
    return [await _join(database, by, request, model) for model in request.models]


async def _join(database: Database, by: By, request: JoinManyRequest, model: JoinRequest) -> JoinedView:
    whole = RegisterRequest(url=request.url, dialect=DIALECT, key=request.key, **model.model_dump())
    try:
        view = await register_as_owner(database, by, whole)
    except ArenaError as error:
        problem = ProblemView(
            title=error.title, status=error.status, code=error.code, detail=error.detail, params=error.params or None
        )
        return JoinedView(name=model.name, wire_model=model.wire_model, endpoint=None, problem=problem)
    return JoinedView(name=view.name, wire_model=view.wire_model, endpoint=view.id, problem=None)


def _bare(key: SecretStr | None) -> str | None:
    return key.get_secret_value() if key else None


def offered_view(offer: Offer) -> OfferedModelView:
    """Return what is shown of an offer."""
    return OfferedModelView.from_row(offer.model, name=offer.name, registered=offer.registered)
