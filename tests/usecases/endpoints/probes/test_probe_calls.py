"""Proof that a host is the owner's: a key that it requires, or a text at its challenge address."""

from __future__ import annotations

import pytest

from arena.usecases.endpoints.probes.probe_calls import challenge_url
from arena_providers.errors import AddressRefused
from arena_providers.transport.egress import PUBLIC_ONLY, Policy
from arena_providers.transport.guarded_transport import GuardedTransport
from arena_providers.transport.http_client import EXCERPT_LIMIT, HttpClient
from tests.providers.canary import Dialler, Names
from tests.providers.test_sockets import GOOD, certificate, serving, trusting
from tests.usecases.endpoints.probes.probes import KEY, codes, examine_endpoint, target
from tests.usecases.endpoints.probes.vendor import Vendor, answer

__all__ = ["certificate"]

TOKEN = "what-only-this-endpoint-has"  # noqa: S105 - no password


@pytest.mark.parametrize("dialect", ["openai_chat", "anthropic", "gemini", "ollama"])
async def test_a_key_that_the_host_insists_on_proves_it(dialect):
    async with Vendor(dialect, key=KEY).listening() as vendor:
        report = await examine_endpoint(target(vendor, KEY), TOKEN, proven=False)
    assert report["passed"]
    assert report["proof"] is True
    used_key = vendor.posted[3].key
    assert used_key is not None
    assert used_key != KEY
    assert len(used_key) == len(KEY)
    assert "".join("x" if letter.isalnum() else letter for letter in used_key) == "xx-xxxxxx-xxxxxxxxxx"


async def test_a_host_that_takes_any_key_is_not_proven_by_one():
    async with Vendor().listening() as vendor:
        report = await examine_endpoint(target(vendor, KEY), TOKEN, proven=False)
    assert not report["passed"]
    assert report["proof"] is False
    assert codes(report) == ["unproven"]


@pytest.mark.parametrize("text", [TOKEN, f"{TOKEN}\n", f"  {TOKEN}\r\n"])
async def test_the_text_at_the_challenge_address_proves_a_host_without_a_key(text):
    async with Vendor(base="/deep/v1", challenge=text.encode()).listening() as vendor:
        report = await examine_endpoint(target(vendor), TOKEN, proven=False)
    assert report["passed"]
    (fetched,) = [request for request in vendor.received if request.method == "GET"]
    assert (fetched.method, fetched.path) == ("GET", "/.well-known/arena-challenge")


async def test_the_key_does_not_travel_to_the_challenge_address():
    async with Vendor(challenge=TOKEN.encode()).listening() as vendor:
        assert (await examine_endpoint(target(vendor, KEY), TOKEN, proven=False))["passed"]
    (challenged,) = [request for request in vendor.received if request.method == "GET"]
    assert challenged.key is None
    assert KEY not in str(challenged.headers)


@pytest.mark.parametrize(
    "said",
    [
        answer(200, b"another text", "text/plain"),
        answer(200, b"", "text/plain"),
        answer(200, f"{TOKEN} and more".encode(), "text/plain"),
        answer(200, b" " * EXCERPT_LIMIT + TOKEN.encode(), "text/plain"),
        answer(200, TOKEN.encode(), "text/plain", Content_Encoding="gzip"),
        answer(404, TOKEN.encode(), "text/plain"),
        answer(302, Location="https://elsewhere.test/challenge"),
        b"nothing like http",
        b"",
    ],
    ids=["another", "empty", "more", "far down", "packed", "404", "redirect", "garbled", "hung up"],
)
async def test_anything_but_the_text_itself_proves_nothing(said):
    async with Vendor(faulty=lambda asked: [said] if asked.method == "GET" else None).listening() as vendor:
        report = await examine_endpoint(target(vendor), TOKEN, proven=False)
    assert codes(report) == ["unproven"]


async def test_an_endpoint_without_a_challenge_is_not_proven_by_an_empty_one():
    async with Vendor(challenge=b"").listening() as vendor:
        assert codes(await examine_endpoint(target(vendor), None, proven=False)) == ["unproven"]


async def test_a_host_is_proven_once():
    async with Vendor().listening() as vendor:
        report = await examine_endpoint(target(vendor), TOKEN, proven=True)
    assert report["passed"]
    assert [request.method for request in vendor.received] == ["POST"] * 4
    assert (len(vendor.posted), len(vendor.compared)) == (3, 1)


async def test_an_endpoint_that_does_not_answer_is_not_asked_for_a_proof():
    async with Vendor(key="another", challenge=TOKEN.encode()).listening() as vendor:
        report = await examine_endpoint(target(vendor, KEY), TOKEN, proven=False)
    assert report["proof"] is None
    assert [request.method for request in vendor.received] == ["POST"]


async def test_what_the_operator_has_opened_is_proven_in_the_same_way():
    async with Vendor(challenge=TOKEN.encode()).listening() as vendor:
        policy = Policy.parse(f"127.0.0.1:{vendor.port}")
        opened = target(vendor, private=False)
        assert (await examine_endpoint(opened, TOKEN, proven=False, policy=policy))["passed"]
        assert codes(await examine_endpoint(opened, "another", proven=False, policy=policy)) == ["unproven"]


async def test_a_vendor_is_proven_by_a_key_that_it_takes_and_is_asked_no_more(certificate):
    async with Vendor(key=KEY).listening(ssl=serving(certificate)) as vendor:
        report = await examine_endpoint(
            vendors(KEY), None, proven=False, transport=to(vendor, certificate, any_name=True)
        )
    assert report["passed"]
    assert (report["tls"], report["auth"], report["proof"]) == (True, True, True)
    assert (len(vendor.posted), len(vendor.compared), len(vendor.received)) == (3, 1, 4)


async def test_a_vendor_that_takes_no_key_proves_nobody(certificate):
    async with Vendor().listening(ssl=serving(certificate)) as vendor:
        report = await examine_endpoint(
            vendors(None), TOKEN, proven=False, transport=to(vendor, certificate, any_name=True)
        )
    assert codes(report) == ["unproven"]


@pytest.mark.parametrize(
    ("host", "trusted", "word"), [("b.test", True, "tls_name"), ("model.test", False, "tls_untrusted")]
)
async def test_a_wrong_certificate_is_told_by_its_own_word(certificate, host, trusted, word):
    one = target(Vendor(url=f"https://{host}/v1"), KEY, private=False)
    async with Vendor(key=KEY).listening(ssl=serving(certificate)) as vendor:
        report = await examine_endpoint(one, transport=to(vendor, certificate if trusted else None))
    assert codes(report) == [word]
    assert (report["reachable"], report["tls"], report["auth"]) == (True, False, None)


async def test_a_challenge_is_fetched_through_the_guard():
    dialler = Dialler()
    async with HttpClient(
        transport=GuardedTransport(PUBLIC_ONLY, lookup=Names(lambda _: ["10.0.0.1"]), connect=dialler)
    ) as client:
        for url in ("https://model.test", "http://model.test", "https://model.test:8443", "https://127.0.0.1"):
            with pytest.raises(AddressRefused):
                await client.get(challenge_url(url))
    assert dialler.dialled == []


@pytest.mark.parametrize(
    ("url", "there"),
    [
        ("https://Model.test/v1", "https://model.test:443"),
        ("https://model.test:8443/a/b", "https://model.test:8443"),
        ("http://[::1]:80", "http://[::1]:80"),
    ],
)
def test_the_challenge_address_has_the_origin_of_the_endpoint(url, there):
    assert challenge_url(url) == f"{there}/.well-known/arena-challenge"


def vendors(key: str | None):
    """A target at a vendor that the arena knows."""
    return target(Vendor(url="https://api.deepseek.com/v1"), key, private=False)


def to(vendor: Vendor, certificate, *, any_name: bool = False) -> GuardedTransport:
    """A transport that resolves every name to this server and trusts `certificate`."""
    verify = trusting(certificate) if certificate else None
    if any_name:
        verify.check_hostname = False
    return GuardedTransport(PUBLIC_ONLY, lookup=Names(lambda _: [GOOD]), connect=Dialler(vendor.port), verify=verify)
