"""Which provider speaks which dialect, and all that the arena brings by itself.

An installed package adds a dialect with an entry point of the group `arena.providers`: its name is the dialect's word,
its object is called with the server's `Client` and returns a `Provider`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final

from arena.providers.anthropic import Anthropic
from arena.providers.demo import DEMO_ENDPOINTS, DemoProvider
from arena.providers.egress import PUBLIC_ONLY
from arena.providers.errors import UnknownDialect
from arena.providers.gemini import Gemini
from arena.providers.http import Client
from arena.providers.local import LOCAL_ENDPOINTS, LocalModel, LocalServer, LocalUnavailable, find_weights
from arena.providers.ollama import Ollama
from arena.providers.openai_chat import OpenAIChat
from arena.providers.openai_responses import OpenAIResponses

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from arena.providers.base import Provider
    from arena.providers.builtin import BuiltinEndpoint
    from arena.providers.egress import Policy

log = logging.getLogger(__name__)

ENTRY_POINTS: Final = "arena.providers"
WIRE: Final[Mapping[str, Callable[[Client], Provider]]] = {
    "openai_chat": OpenAIChat,
    "openai_responses": OpenAIResponses,
    "anthropic": Anthropic,
    "gemini": Gemini,
    "ollama": Ollama,
}
"""The dialects of endpoints that have an address."""


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
    """What a door gets: the way out, every provider, and the endpoints that need nobody to register them."""

    client: Client
    providers: Providers
    endpoints: tuple[BuiltinEndpoint, ...]


def build_providers(client: Client, *, demo: Provider | None = None, local: Provider | None = None) -> Providers:
    """Every dialect that can be spoken here; without `demo` or `local` their words are unknown."""
    own: dict[str, Provider | None] = {word: build(client) for word, build in WIRE.items()}
    own |= {"demo": demo, "local": local}
    spoken = {word: provider for word, provider in own.items() if provider is not None}
    return Providers(_installed(client, own) | spoken)


def dialects() -> tuple[str, ...]:
    """Every word that an endpoint with an address may name, the arena's own first."""
    return tuple(dict.fromkeys([*WIRE, *(point.name for point in entry_points(group=ENTRY_POINTS))]))


def _installed(client: Client, own: Mapping[str, object]) -> dict[str, Provider]:
    """Dialects of other packages. One that cannot be built is left out: it must not keep the others from serving."""
    found: dict[str, Provider] = {}
    for point in entry_points(group=ENTRY_POINTS):
        if point.name in own or point.name in found:
            log.warning("the dialect %r of %s is left out: the word is taken", point.name, point.value)
            continue
        try:
            found[point.name] = point.load()(client)
        except Exception as error:  # noqa: BLE001 - a stranger's code may raise anything
            log.warning("the dialect %r of %s is left out: %r", point.name, point.value, error)
    return found


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
        yield Builtin(client, build_providers(client, demo=DemoProvider(seed=None), local=model), endpoints)


async def _local(client: Client, stack: AsyncExitStack) -> LocalModel | None:
    try:
        server = await stack.enter_async_context(LocalServer(find_weights()))
    except LocalUnavailable as reason:
        log.warning("the small local model is left out: %s", reason)
        return None
    return LocalModel(OpenAIChat(client), server)
