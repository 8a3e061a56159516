"""Which provider speaks which dialect, and all that the arena brings by itself."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.providers.demo import DEMO_ENDPOINTS, DemoProvider
from arena.providers.egress import PUBLIC_ONLY
from arena.providers.errors import UnknownDialect
from arena.providers.http import Client
from arena.providers.local import LOCAL_ENDPOINTS, LocalModel, LocalServer, LocalUnavailable, find_weights
from arena.providers.openai_chat import OpenAIChat

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from arena.providers.base import Provider
    from arena.providers.builtin import BuiltinEndpoint
    from arena.providers.egress import Policy

log = logging.getLogger(__name__)


class Providers(Mapping[str, "Provider"]):
    """Dialect word → provider; a word that nobody speaks raises `UnknownDialect`."""

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
    """What a door gets: every provider, and the endpoints that need nobody to register them."""

    providers: Providers
    endpoints: tuple[BuiltinEndpoint, ...]


def build_providers(client: Client, *, demo: Provider | None = None, local: Provider | None = None) -> Providers:
    """Every dialect that can be spoken here; without `demo` or `local` their words are unknown."""
    spoken: dict[str, Provider | None] = {"openai_chat": OpenAIChat(client), "demo": demo, "local": local}
    return Providers({dialect: provider for dialect, provider in spoken.items() if provider is not None})


@asynccontextmanager
async def opened(*, connect: float, local: bool, policy: Policy = PUBLIC_ONLY) -> AsyncGenerator[Builtin, None]:
    """Open the client and, if `local`, the small model of this machine; close both at the end.

    `policy` is what the operator has opened besides public HTTPS.

    Where the small model cannot run, the log says why in one line and its endpoints are left out.
    """
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(Client(connect=connect, policy=policy))
        model = await _local(client, stack) if local else None
        endpoints = DEMO_ENDPOINTS + (LOCAL_ENDPOINTS if model else ())
        yield Builtin(build_providers(client, demo=DemoProvider(seed=None), local=model), endpoints)


async def _local(client: Client, stack: AsyncExitStack) -> LocalModel | None:
    try:
        server = await stack.enter_async_context(LocalServer(find_weights()))
    except LocalUnavailable as reason:
        log.warning("the small local model is left out: %s", reason)
        return None
    return LocalModel(OpenAIChat(client), server)
