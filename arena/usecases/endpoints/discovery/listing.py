"""The list of models of a server, requested with the key of its calls, at its address or below /v1."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from arena.domain import model_lists
from arena.domain.model_lists import ListTooLarge, ListTooLong, ModelList
from arena.usecases.endpoints.probes import diagnostics
from arena_providers.answer import strip_key
from arena_providers.errors import BadReply, ProviderError, TimedOut
from arena_providers.presets import BEARER
from arena_providers.transport.http_client import DOCUMENT_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.domain.model_lists import Entry
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

DIALECT: Final = "openai_chat"
"""The dialect that all servers with such a list speak, besides others."""
_VERSION: Final = "/v1"
_BASE_FAULTS: Final = {"not_found", "web_page", "wrong_form", "redirect"}
"""Faults by which a base address may lack its version."""
_FURTHER_PATHS: Final = ("/v1/model/info", "/api/v0/models")
"""Paths at which LiteLLM and LM Studio list the facts that `/models` lacks."""
_SECONDS: Final = 15.0
"""Longest time of all requests of a listing together."""


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
    """Models of a proxy at the address that answered; `problems` has the form of a probe's problems."""

    proxy: Proxy
    offer: ModelList = field(default_factory=ModelList)
    problems: tuple[dict[str, str], ...] = ()


@dataclass(slots=True)
class _Allowance:
    """Bytes and time that all requests of a listing have together; `until` is a time of the event loop."""

    client: HttpClient
    until: float
    size: int = DOCUMENT_LIMIT

    async def document(self, proxy: Proxy, url: str) -> bytes:
        """A complete document of the proxy; raises as that of `HttpClient`."""
        if self.size <= 0:
            raise BadReply("the lists are too long together", fault="too_large")
        headers: Mapping[str, str] = BEARER.of(proxy.key)
        size, self.size = self.size, 0
        try:
            async with asyncio.timeout_at(self.until):
                document = await self.client.document(
                    url, headers=headers, secret=strip_key(proxy.key), private=proxy.private, limit=size
                )
        except TimeoutError as error:
            raise TimedOut("file") from error
        except ProviderError as error:
            self.size = 0 if error.fault == "too_large" else size
            raise
        self.size = size - len(document)
        return document


async def list_models(client: HttpClient, proxy: Proxy, seconds: float = _SECONDS) -> Listing:
    """Ask a proxy for its models at its address, and if there is no list, below /v1."""
    allowance = _Allowance(client, asyncio.get_running_loop().time() + seconds)
    listing, base = await _list(allowance, proxy), proxy.url.rstrip("/")
    if listing.problems and listing.problems[0]["code"] in _BASE_FAULTS and not base.endswith(_VERSION):
        other = await _list(allowance, replace(proxy, url=base + _VERSION))
        return listing if other.problems and not other.offer.models else other
    return listing


async def _list(allowance: _Allowance, proxy: Proxy) -> Listing:
    try:
        entries = await _entries(allowance, proxy, proxy.url.rstrip("/") + "/models")
    except ListTooLong as error:
        problem = diagnostics.problem(diagnostics.LIST_LONG, count=str(error.count), most=str(model_lists.MAX_MODELS))
        return Listing(proxy, problems=(problem,))
    except ListTooLarge:
        return Listing(proxy, problems=(diagnostics.problem(diagnostics.LIST_LARGE),))
    except ValueError:
        return Listing(proxy, problems=(diagnostics.problem(diagnostics.LIST_FORM),))
    except ProviderError as error:
        log.info("the models of %s could not be listed: %s", proxy.url, error)
        word = diagnostics.code(error, has_key=proxy.key is not None)
        return Listing(proxy, problems=(diagnostics.problem(diagnostics.LIST_LARGE if word == "too_large" else word),))
    offer = await asyncio.to_thread(model_lists.read, entries)
    if entries and all(model.context_tokens is None for model in offer.models):
        offer = await asyncio.to_thread(
            model_lists.read, entries, *[await _further(allowance, proxy, path) for path in _FURTHER_PATHS]
        )
    return Listing(proxy, offer, tuple(_remarks(offer)))


async def _further(allowance: _Allowance, proxy: Proxy, path: str) -> list[Entry]:
    """The entries of a second list; empty on any failure, since most servers have none."""
    with suppress(ProviderError, ValueError):
        return await _entries(allowance, proxy, proxy.root + path)
    return []


async def _entries(allowance: _Allowance, proxy: Proxy, url: str) -> list[Entry]:
    document = await allowance.document(proxy, url)
    # In a thread, since a list may have megabytes.
    return await asyncio.to_thread(model_lists.entries, document)


def _remarks(offer: ModelList) -> list[dict[str, str]]:
    """A problem for an empty list and for each kind of entry that is left out or incomplete."""
    counts = {
        diagnostics.LIST_NAMELESS: offer.nameless,
        diagnostics.LIST_SILENT: offer.silent,
        diagnostics.LIST_DOUBTFUL: offer.doubtful,
    }
    empty = [] if offer.models else [diagnostics.problem(diagnostics.LIST_EMPTY)]
    return empty + [diagnostics.problem(word, count=str(count)) for word, count in counts.items() if count]
