"""A provider may change its keys at any moment: a new one holds at once, and a withdrawn one ends in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import httpx2
import pytest
from joserfc.jwk import RSAKey

from arena.adapters.openid.answers import LIFETIME
from arena.adapters.openid.attempt import Attempt
from arena.adapters.openid.keys import READ_SECONDS, READS, SHORTEST, lifetime_of
from arena.adapters.openid.provider import OpenIdProvider
from arena.domain.errors import SignInRefused
from tests.api.test_sign_in import rules
from tests.fake_provider import FOREIGN_KEY, KEY, FakeProvider, signed_token

NEW = RSAKey.generate_key(2048, {"kid": "two", "use": "sig"})


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def provider() -> FakeProvider:
    return FakeProvider()


@pytest.fixture
def signing_in(provider, clock):
    """Let somebody sign in; returns whether they are let in."""
    client = OpenIdProvider(rules(), "https://arena.example/callback", provider.transport(), clock)

    async def sign_in() -> bool:
        attempt = Attempt("school", "/")
        provider.login(await client.start(attempt))
        try:
            return (await client.claims("a code", None, attempt))["sub"] == "ada"
        except SignInRefused:
            return False

    return sign_in


def publish(provider: FakeProvider, *keys: RSAKey, caching: str = "") -> None:
    headers = {"Cache-Control": caching} if caching else {}
    body = {"keys": [key.as_dict(private=False) for key in keys]}
    provider.stead["/keys"] = lambda: httpx2.Response(200, json=body, headers=headers)


def use(provider: FakeProvider, key: RSAKey, kid: str) -> None:
    provider.sign = partial(signed_token, key=key, kid=kid)


CHANGES: list[Callable[[FakeProvider], None]] = [
    lambda provider: (publish(provider, KEY, NEW), use(provider, NEW, "two"))[1],
    lambda provider: (publish(provider, FOREIGN_KEY), use(provider, FOREIGN_KEY, "one"))[1],
]


@pytest.mark.parametrize("change", CHANGES, ids=["a new name", "the name of the old key"])
async def test_a_new_key_holds_at_the_first_sign_in_with_it(signing_in, provider, change):
    assert await signing_in()
    change(provider)
    assert await signing_in()
    assert provider.requests["/keys"] == 2


async def test_many_who_come_with_a_new_key_are_one_read(signing_in, provider):
    assert await signing_in()
    publish(provider, KEY, NEW)
    use(provider, NEW, "two")
    pending = [asyncio.create_task(signing_in()) for _ in range(5)]
    # The fake provider has one nonce at a time, so all but the last are refused for that; keys are read before.
    assert (await asyncio.gather(*pending))[-1]
    assert provider.requests["/keys"] == 2


async def test_tokens_that_no_key_verifies_are_few_reads_a_minute(signing_in, provider, clock):
    assert await signing_in()
    use(provider, NEW, "two")
    for _ in range(2 * READS):
        assert not await signing_in()
    assert provider.requests["/keys"] == 1 + READS
    clock.now += READ_SECONDS
    publish(provider, KEY, NEW)
    assert await signing_in()


@pytest.mark.parametrize(("caching", "seconds"), [("", LIFETIME), ("public, max-age=300", 300), ("no-store", SHORTEST)])
async def test_a_withdrawn_key_ends_when_the_provider_said(signing_in, provider, clock, caching, seconds):
    publish(provider, KEY, NEW, caching=caching)
    assert await signing_in()
    publish(provider, NEW, caching=caching)
    clock.now += seconds - 1
    assert await signing_in()
    clock.now += 2
    assert not await signing_in()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("max-age=0", SHORTEST),
        ("max-age=999999999", LIFETIME),
        ('public,MAX-AGE="120"', 120),
        ("s-maxage=120", LIFETIME),
        ("max-age=300, no-cache", SHORTEST),
        ("max-age=-1", LIFETIME),
        ("max-age=x", LIFETIME),
    ],
)
def test_keys_are_kept_between_a_minute_and_an_hour(header, seconds):
    assert lifetime_of(header) == seconds
