"""The registry of providers by dialect, and the built-in endpoints.

An installed package adds a dialect by an entry point of the group `arena.providers`: its name is the dialect's, its
object takes the caller's `HttpClient` and returns a `Provider`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoints, entry_points
from typing import TYPE_CHECKING, Final

from arena_providers.base import LOCAL, SCRIPTED
from arena_providers.demo.practice_models import DEMO_ENDPOINTS, DemoProvider
from arena_providers.dialects.anthropic import Anthropic
from arena_providers.dialects.gemini import Gemini
from arena_providers.dialects.ollama import Ollama
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.dialects.openai_responses import OpenAIResponses
from arena_providers.errors import UnknownDialect
from arena_providers.local.provider import (
    LOCAL_ENDPOINTS,
    LocalModel,
    LocalServer,
    LocalUnavailable,
    find_weights,
)
from arena_providers.transport.egress import PUBLIC_ONLY
from arena_providers.transport.http_client import HttpClient

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from arena_providers.base import BuiltinEndpoint, Provider
    from arena_providers.transport.egress import Policy

log = logging.getLogger(__name__)

ENTRY_POINTS: Final = "arena.providers"
WIRE: Final[Mapping[str, Callable[[HttpClient], Provider]]] = {
    "openai_chat": OpenAIChat,
    "openai_responses": OpenAIResponses,
    "anthropic": Anthropic,
    "gemini": Gemini,
    "ollama": Ollama,
}
"""The dialects of endpoints with a URL."""


class Providers(Mapping[str, "Provider"]):
    """Providers by dialect; an unknown one raises `UnknownDialect`."""

    def __init__(self, providers: Mapping[str, Provider]) -> None:
        self._providers = dict(providers)

    def __getitem__(self, dialect: str) -> Provider:
        try:
            return self._providers[dialect]
        except KeyError:
            raise UnknownDialect(dialect) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._providers)

    def __len__(self) -> int:
        return len(self._providers)


@dataclass(frozen=True, slots=True)
class Builtin:
    """The HTTP client, all providers, and the built-in endpoints."""

    client: HttpClient
    providers: Providers
    endpoints: tuple[BuiltinEndpoint, ...]


def build_providers(client: HttpClient, *, demo: Provider | None = None, local: Provider | None = None) -> Providers:
    """The providers of all dialects; without `demo` or `local` those dialects are unknown."""
    providers: dict[str, Provider | None] = {dialect: build(client) for dialect, build in WIRE.items()}
    providers |= {SCRIPTED: demo, LOCAL: local}
    present = {dialect: provider for dialect, provider in providers.items() if provider is not None}
    return Providers(_installed_providers(client, providers) | present)


def unpaced(providers: Mapping[str, Provider]) -> Providers:
    """The providers without the pauses of scripted models, for answers that nobody watches."""
    return Providers({**providers, **({SCRIPTED: DemoProvider(wait=0)} if SCRIPTED in providers else {})})


def dialects() -> tuple[str, ...]:
    """All dialects for endpoints with a URL, the package's own first."""
    return tuple(dict.fromkeys([*WIRE, *(point.name for point in _points(tuple(sys.path)))]))


@lru_cache(maxsize=1)
def _points(_path: tuple[str, ...]) -> EntryPoints:
    """Entry points of an import path, cached: reading them opens a file of every installed package and takes 10 ms."""
    return entry_points(group=ENTRY_POINTS)


def _installed_providers(client: HttpClient, builtin: Mapping[str, object]) -> dict[str, Provider]:
    """Providers of other packages. One that fails to load is skipped, so that it does not affect the others."""
    providers: dict[str, Provider] = {}
    for point in _points(tuple(sys.path)):
        if point.name in builtin or point.name in providers:
            log.warning("the dialect %r of %s is skipped: the name is taken", point.name, point.value)
            continue
        try:
            providers[point.name] = point.load()(client)
        except Exception as error:  # noqa: BLE001 - foreign code may raise anything
            log.warning("the dialect %r of %s is skipped: %r", point.name, point.value, error)
    return providers


@asynccontextmanager
async def opened(*, connect: float, local: bool, policy: Policy = PUBLIC_ONLY) -> AsyncGenerator[Builtin, None]:
    """Open the client and, if `local`, the local model; close both at the end.

    `policy` is the operator's egress policy. If the local model cannot run, the reason is logged in one line and its
    endpoints are left out.
    """
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(HttpClient(connect=connect, policy=policy))
        model = await _local(client, stack) if local else None
        endpoints = DEMO_ENDPOINTS + (LOCAL_ENDPOINTS if model else ())
        yield Builtin(client, build_providers(client, demo=DemoProvider(), local=model), endpoints)


async def _local(client: HttpClient, stack: AsyncExitStack) -> LocalModel | None:
    try:
        server = await stack.enter_async_context(LocalServer(find_weights()))
    except LocalUnavailable as reason:
        log.warning("the local model is left out: %s", reason)
        return None
    return LocalModel(OpenAIChat(client), server)
