"""The list of models at an address: asked for with the key that calls would carry, and at the address with /v1."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from arena.domain import model_lists
from arena.domain.model_lists import ListTooLong, ModelList
from arena.usecases.endpoints.probes import diagnostics
from arena_providers.answer import strip_key
from arena_providers.errors import ProviderError
from arena_providers.presets import BEARER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.domain.model_lists import Entry
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

DIALECT: Final = "openai_chat"
"""The dialect that all of these servers speak beside their own."""
_VERSION: Final = "/v1"
_ELSEWHERE: Final = {"not_found", "web_page", "wrong_form", "redirect"}
"""Faults of a base address that lacks its version."""
_MORE: Final = ("/v1/model/info", "/api/v0/models")
"""Where LiteLLM and LM Studio say what their lists of names do not."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A server that may offer many models; `private` as in `Target`."""

    url: str
    key: str | None = field(default=None, repr=False)
    private: bool = False

    @property
    def root(self) -> str:
        """The address without its version."""
        return self.url.rstrip("/").removesuffix(_VERSION)


@dataclass(frozen=True, slots=True)
class Listing:
    """Models of a proxy, at the address that answered; `problems` say what is wrong, as those of a probe do."""

    proxy: Proxy
    offer: ModelList = field(default_factory=ModelList)
    problems: tuple[dict[str, str], ...] = ()


async def list_models(client: HttpClient, proxy: Proxy) -> Listing:
    """Ask a proxy for its models; at the address, and where it knows no list there, at the address with /v1."""
    listing = await _listed(client, proxy)
    if listing.problems and listing.problems[0]["code"] in _ELSEWHERE and not proxy.url.rstrip("/").endswith(_VERSION):
        other = await _listed(client, replace(proxy, url=proxy.url.rstrip("/") + _VERSION))
        return listing if other.problems and not other.offer.models else other
    return listing


async def _listed(client: HttpClient, proxy: Proxy) -> Listing:
    try:
        entries = await _entries(client, proxy, proxy.url.rstrip("/") + "/models")
    except ListTooLong as error:
        problem = diagnostics.problem(diagnostics.LIST_LONG, count=str(error.count), most=str(model_lists.MOST))
        return Listing(proxy, problems=(problem,))
    except ValueError:
        return Listing(proxy, problems=(diagnostics.problem(diagnostics.LIST_FORM),))
    except ProviderError as error:
        log.info("the models of %s could not be listed: %s", proxy.url, error)
        word = diagnostics.code(error, has_key=proxy.key is not None)
        return Listing(proxy, problems=(diagnostics.problem(word),))
    offer = model_lists.read(entries)
    if entries and all(model.context_tokens is None for model in offer.models):
        offer = model_lists.read(entries, *[await _further(client, proxy, path) for path in _MORE])
    return Listing(proxy, offer, tuple(_remarks(offer)))


async def _further(client: HttpClient, proxy: Proxy, path: str) -> list[Entry]:
    """The entries of a second list, or none: most servers have none, and nobody misses it."""
    with suppress(ProviderError, ValueError):
        return await _entries(client, proxy, proxy.root + path)
    return []


async def _entries(client: HttpClient, proxy: Proxy, url: str) -> list[Entry]:
    headers: Mapping[str, str] = BEARER.of(proxy.key)
    document = await client.document(url, headers=headers, secret=strip_key(proxy.key), private=proxy.private)
    return model_lists.entries(document)


def _remarks(offer: ModelList) -> list[dict[str, str]]:
    """A sentence about each kind of entry that is not taken as it stands."""
    counts = {
        diagnostics.LIST_NAMELESS: offer.nameless,
        diagnostics.LIST_SILENT: offer.silent,
        diagnostics.LIST_DOUBTFUL: offer.doubtful,
    }
    empty = [] if offer.models else [diagnostics.problem(diagnostics.LIST_EMPTY)]
    return empty + [diagnostics.problem(word, count=str(count)) for word, count in counts.items() if count]
