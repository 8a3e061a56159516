"""Nothing bypasses the egress policy: no spelling, no name server, no redirect, and no provider."""

from __future__ import annotations

import socket

import httpx2
import pytest

from arena.domain.errors import Invalid
from arena.usecases.endpoints import registration
from arena.usecases.endpoints.registration import NewEndpoint
from arena_providers.base import Target
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.errors import (
    AddressRefused,
    BadReply,
    EndpointUnavailable,
    ProviderError,
    RequestRefused,
    Unreachable,
)
from arena_providers.registry import build_providers
from arena_providers.transport.egress import PUBLIC_ONLY, Policy
from arena_providers.transport.guarded_transport import GuardedTransport
from arena_providers.transport.http_client import HttpClient
from tests.conftest import START
from tests.providers.canary import Canary, Dialler, Names
from tests.providers.conftest import hear
from tests.providers.spellings import REBOUND, urls
from tests.providers.test_http_client import Talker

GOOD, INSIDE = "93.184.215.14", "127.0.0.1"
DIALECTS = sorted(build_providers(HttpClient()))


async def hostile(host: str, port: int) -> list[tuple]:
    """Numeric addresses as the system parses them; every name resolves to this machine."""
    try:
        return [
            each[4] for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
        ]
    except socket.gaierror:
        return [(INSIDE, port)]


@pytest.fixture
async def canary():
    async with Canary().listening() as listening:
        yield listening


def test_there_are_enough_spellings_to_be_a_proof():
    assert len(urls()) >= 300


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_no_spelling_of_an_inner_address_is_ever_dialled(dialect, canary):
    dialler = Dialler(canary.port)
    way_out = GuardedTransport(PUBLIC_ONLY, lookup=hostile, connect=dialler)
    async with HttpClient(transport=way_out) as client:
        provider = build_providers(client)[dialect]
        for url in urls():
            with pytest.raises((AddressRefused, RequestRefused, EndpointUnavailable)):
                await hear(provider, Target(dialect, url, "m", key="k"))
    assert (dialler.dialled, canary.hits) == ([], 0)


async def test_registration_turns_down_every_spelling_but_names_that_only_a_name_server_gives_away(database):
    taken = []
    for url in urls():
        try:
            new = NewEndpoint(name=f"e{len(taken)}", owner="o", url=url, wire_model="m")
            await registration.register_as_operator(database, new, START)
        except Invalid:
            continue
        taken.append(url)
    honest = {f"https://{name}{end}" for name in (*REBOUND, "metadata.goog", "metadata.packet.net") for end in ENDS}
    honest |= {f"https://{name}{end}" for name in ("metadata.tencentyun.com", "kubernetes.default.svc") for end in ENDS}
    assert set(taken) <= honest
    assert set(taken) >= {f"https://{name}/v1" for name in REBOUND}


ENDS = ("/v1", ".:443/v1")


async def test_a_name_server_that_changes_its_mind_fools_nobody(canary):
    names, dialler = Names(lambda asked: [GOOD] if asked % 2 == 0 else [INSIDE]), Dialler()
    async with HttpClient(transport=GuardedTransport(PUBLIC_ONLY, lookup=names, connect=dialler)) as client:
        ends = []
        for number in range(200):
            target = Target("openai_chat", f"https://n{number % 3}.example/v1", "m")
            with pytest.raises(EndpointUnavailable) as caught:
                await hear(OpenAIChat(client), target)
            ends.append(type(caught.value))
    assert len(names.asked) == 200
    assert ends == [Unreachable, AddressRefused] * 100
    assert dialler.dialled == [GOOD] * 100
    assert canary.hits == 0


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("bad", [INSIDE, "169.254.169.254", "::1", "::ffff:10.0.0.1", "fe80::1", "64:ff9b::808:808"])
async def test_one_bad_answer_refuses_the_whole_name(place, bad):
    answers = [GOOD, "8.8.8.8", "2606:4700:4700::1111"]
    answers.insert(place, bad)
    dialler = Dialler()
    async with HttpClient(
        transport=GuardedTransport(PUBLIC_ONLY, lookup=Names(lambda _: answers), connect=dialler)
    ) as client:
        with pytest.raises(AddressRefused):
            await hear(OpenAIChat(client), Target("openai_chat", "https://a.example", "m"))
    assert dialler.dialled == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_redirect_leads_nowhere(status, dialect, canary):
    for to in (f"http://127.0.0.1:{canary.port}/", "https://169.254.169.254/latest/", "//[::1]/", "/v2", "file:///etc"):
        talker = Talker(f"HTTP/1.1 {status} Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode())
        async with talker.listening() as target, HttpClient() as client:
            with pytest.raises(BadReply):
                await hear(build_providers(client)[dialect], Target(dialect, target.url, "m", private=True))
        assert len(talker.requests) == 1
    assert canary.hits == 0


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_every_provider_is_behind_the_guard(dialect, canary):
    async with HttpClient() as client:
        provider = build_providers(client)[dialect]
        for url in (f"http://127.0.0.1:{canary.port}", f"https://localhost:{canary.port}/v1"):
            with pytest.raises(AddressRefused):
                await hear(provider, Target(dialect, url, "m"))
        assert canary.hits == 0
        with pytest.raises(EndpointUnavailable):
            await hear(provider, Target(dialect, f"http://127.0.0.1:{canary.port}", "m", private=True))
        assert canary.hits == 1


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_what_the_operator_names_is_reached_and_nothing_beside_it(dialect, canary):
    async with Canary().listening() as other, HttpClient(policy=Policy.parse(f"127.0.0.1:{canary.port}")) as client:
        provider = build_providers(client)[dialect]
        with pytest.raises(EndpointUnavailable, match="Error: "):
            await hear(provider, Target(dialect, f"http://127.0.0.1:{canary.port}", "m"))
        for url in (f"http://127.0.0.1:{other.port}", f"http://localhost:{canary.port}", f"http://127.1:{canary.port}"):
            with pytest.raises(AddressRefused):
                await hear(provider, Target(dialect, url, "m"))
    assert (canary.hits, other.hits) == (1, 0)


async def test_an_address_of_this_machine_is_not_public(monkeypatch):
    monkeypatch.setattr("arena_providers.transport.guarded_transport.allowed", lambda _address: True)
    names, dialler = Names(lambda _: [INSIDE]), Dialler()
    async with HttpClient(transport=GuardedTransport(PUBLIC_ONLY, lookup=names, connect=dialler)) as client:
        with pytest.raises(AddressRefused):
            await hear(OpenAIChat(client), Target("openai_chat", "https://a.example", "m"))
    assert dialler.dialled == []


async def test_the_words_of_a_refusal_do_not_say_where_the_name_leads():
    async with HttpClient(transport=GuardedTransport(PUBLIC_ONLY, lookup=Names(lambda _: ["10.1.2.3"]))) as client:
        with pytest.raises(ProviderError) as caught:
            await hear(OpenAIChat(client), Target("openai_chat", "https://a.example", "m"))
    assert isinstance(caught.value, EndpointUnavailable)
    assert "10.1" not in str(caught.value)


async def test_the_certificates_of_the_system_are_read_once_for_all_clients(monkeypatch):
    contexts = []
    create = httpx2.create_ssl_context

    def noted(**options):
        contexts.append(create(**options))
        return contexts[-1]

    monkeypatch.setattr(httpx2, "create_ssl_context", noted)
    for _ in range(3):
        async with HttpClient():
            pass
    assert len(contexts) <= 1
