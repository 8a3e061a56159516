"""A listing compared with the registered endpoints: new models with their names, known ones, and those that are gone.

A competitor is never renamed: a name belongs to a wire model at an address, and a new model gets a free name.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoints
from arena.domain.blinding.identity import skeleton
from arena.domain.errors import Invalid
from arena.domain.terms import EndpointState
from arena.domain.text import name_line
from arena.usecases.endpoints.discovery.twins import Twins, twins

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.domain.model_lists import OfferedModel
    from arena.usecases.endpoints.discovery.listing import Listing

NAME_LIMIT: Final = 72
"""Maximum characters of a name, as in `RegisterRequest`, which leaves room for the number of a version."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model of a listing, with the name of its endpoint, or a free name if it is not `registered`.

    `name` is None if the wire model gives no valid free name; an operator can still add it under another one.
    """

    model: OfferedModel
    name: str | None
    registered: bool


@dataclass(frozen=True, slots=True)
class Sync:
    """The models of a proxy compared with those registered at its address.

    `gone` has the registered names that it no longer offers, `twins` the pairs that may be one model.
    """

    offers: tuple[Offer, ...]
    gone: tuple[str, ...]
    twins: tuple[Twins, ...]

    @property
    def new(self) -> list[Offer]:
        """Offers that are not registered and have a free name."""
        return [offer for offer in self.offers if not offer.registered and offer.name is not None]


def compare(session: Session, listing: Listing, owner_id: int | None = None) -> Sync:
    """Compare a listing with the endpoints at its address, of one owner or all; retired ones do not count as gone."""
    rows = [row for row in _at(session, listing.proxy.url) if owner_id is None or row.owner_id == owner_id]
    names = {row.wire_model: row.name for row in sorted(rows, key=lambda row: row.version)}
    offered = {model.wire_model for model in listing.offer.models}
    absent = [row.name for row in rows if row.wire_model not in offered and row.state is not EndpointState.RETIRED]
    offers = tuple(_offers(listing.offer.models, names, endpoints.names(session)))
    return Sync(offers, tuple(sorted(absent)) if offered else (), tuple(twins(listing.offer.models)))


def matches(sync: Sync, patterns: Sequence[str]) -> list[Offer]:
    """The new models whose wire model or name matches a pattern, as for files (`qwen*`).

    Raises:
        Invalid: A pattern matches no model of the list.
    """
    for pattern in patterns:
        if not any(_fits(offer, pattern) for offer in sync.offers):
            raise Invalid(f"--choose: no model of the list fits {pattern!r}")
    return [offer for offer in sync.new if any(_fits(offer, pattern) for pattern in patterns)]


def _fits(offer: Offer, pattern: str) -> bool:
    return any(fnmatchcase(text, pattern) for text in (offer.model.wire_model, offer.name or ""))


def _at(session: Session, url: str) -> Iterator[EndpointRow]:
    address = url.rstrip("/")
    return (row for row in endpoints.list_all(session) if row.url and row.url.rstrip("/") == address)


def _offers(models: Iterable[OfferedModel], names: dict[str, str], names_taken: Collection[str]) -> Iterator[Offer]:
    """Offers in the order of the list, each new one with another name."""
    used = set(map(skeleton, names_taken))
    for model in models:
        registered = names.get(model.wire_model)
        name = registered or _free(model.wire_model, used)
        if name is not None and registered is None:
            used.add(skeleton(name))
        yield Offer(model, name, registered is not None)


def _free(wire_model: str, skeletons: Collection[str]) -> str | None:
    """The shortest end of a wire model's path that looks like no taken name: c, b:c or a:b:c for `a/b/c`."""
    parts = wire_model.replace("\\", "/").strip("/").split("/")
    for start in range(len(parts) - 1, -1, -1):
        name = ":".join(parts[start:])
        if _usable(name) and skeleton(name) not in skeletons:
            return name
    return None


def _usable(name: str) -> bool:
    try:
        name_line("name", name, NAME_LIMIT)
    except Invalid:
        return False
    return True
