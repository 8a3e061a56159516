"""What a hostile visitor, or a hostile provider, can do to the arena by way of signing in."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.adapters.openid import answers, connection
from arena.api.http import signed_cookies
from arena.api.http.clients import network
from arena.api.http.rate_windows import RETURNS, SIGN_INS
from arena.domain.errors import SignInRefused
from tests.api.test_sign_in import OPERATORS, door, provider, reason, rules, sign_in
from tests.fake_provider import escaped_token

__all__ = ["door", "provider"]
BEGIN, BACK = "/api/v1/sign-in/school", "/api/v1/sign-in/school/callback"
DISCOVERY = "/.well-known/openid-configuration"
PATHS = (DISCOVERY, "/keys", "/token", "/person")


async def test_a_flood_of_sign_ins_builds_one_client(door, provider, monkeypatch):
    built = 0
    build = httpx2.AsyncClient.__init__

    def count(self, *args, **more) -> None:
        nonlocal built
        built += 1
        build(self, *args, **more)

    browser = door()
    monkeypatch.setattr(httpx2.AsyncClient, "__init__", count)
    await asyncio.gather(*(browser.get(BEGIN) for _ in range(20)))
    for _ in range(3):
        assert reason(await sign_in(browser, provider)) == ""
    assert built == 1
    assert provider.requests == {DISCOVERY: 1, "/keys": 1, "/token": 3}


async def test_a_flood_at_a_provider_that_is_away_is_one_request_in_some_seconds(door, provider, monkeypatch):
    browser, provider.is_down = door(), True
    refused = await asyncio.gather(*(browser.get(BEGIN) for _ in range(20)))
    assert {reason(answer) for answer in refused} == {"provider_away"}
    assert provider.requests == {DISCOVERY: 1}
    provider.is_down = False
    assert reason(await browser.get(BEGIN)) == "provider_away"
    monkeypatch.setattr(answers, "FAILED_SECONDS", -1)
    assert reason(await browser.get(BEGIN)) == ""


async def test_one_neighbourhood_begins_so_many_sign_ins_and_others_go_on(door):
    browser = door()
    windows = browser._transport.app.state.windows
    for _ in range(SIGN_INS.limit - 1):
        await windows.limits.count(SIGN_INS, network("203.0.113.5"))
    assert [reason(await browser.get(BEGIN)) for _ in range(2)] == ["", "rate_limited"]
    assert reason(await door(host="198.51.100.7").get(BEGIN)) == ""


async def test_failures_of_one_visitor_are_bounded_and_a_school_that_signs_in_has_no_bound(door, provider):
    """A lesson begins behind one address: those who succeed use nothing up, and invented codes are few requests."""
    browser = door()
    windows = browser._transport.app.state.windows
    for _ in range(RETURNS.limit - 1):
        await windows.limits.count(RETURNS, network("203.0.113.5"))
    for _ in range(3):
        assert reason(await sign_in(door(), provider)) == ""
    asked = provider.requests["/token"]
    provider.stead["/token"] = lambda: httpx2.Response(400, json={"error": "invalid_grant"})
    refusals = [reason(await sign_in(browser, provider)) for _ in range(3)]
    assert refusals == ["sign_in_refused.token", "rate_limited", "rate_limited"]
    assert provider.requests["/token"] == asked + 1


@pytest.mark.parametrize("first", [{"code": "invented"}, {"error": "access_denied"}])
async def test_an_attempt_ends_at_its_first_return_though_its_cookie_was_copied(door, provider, first):
    browser = door()
    back = provider.login((await browser.get(BEGIN)).headers["location"])
    copy = f"{signed_cookies.NAME}={browser.cookies[signed_cookies.NAME]}"
    await browser.get(BACK, params=back | first)
    asked = provider.requests["/token"]
    again = await browser.get(BACK, params=back, headers={"Cookie": copy})
    assert reason(again) == "sign_in_refused.attempt"
    assert provider.requests["/token"] == asked


async def _parts(part: bytes, count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield part


async def _drip() -> AsyncIterator[bytes]:
    yield b"{"
    await asyncio.Event().wait()


STREAMS: dict[str, Callable[[], httpx2.Response]] = {
    "large": lambda: httpx2.Response(200, content=_parts(b" " * 65_536, 10_000)),
    "dripping": lambda: httpx2.Response(200, content=_drip()),
    "compressed": lambda: httpx2.Response(
        200, headers={"Content-Encoding": "gzip"}, content=gzip.compress(b" " * 10_000_000)
    ),
    "deeply nested": lambda: httpx2.Response(200, content=b"[" * 100_000),
    "not an object": lambda: httpx2.Response(200, json=[1]),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kind", STREAMS)
async def test_an_answer_of_a_provider_is_bounded_in_size_and_time(door, provider, path, kind, monkeypatch):
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.2)
    browser, provider.stead[path] = door(groups=["staff"]), STREAMS[kind]
    begun = await browser.get(BEGIN)
    if path != DISCOVERY:
        begun = await browser.get(BACK, params=provider.login(begun.headers["location"]))
    assert reason(begun) == "provider_away"


@pytest.mark.parametrize("character", ["\ud800", "\0", "\n", "\x7f", "\u2028", "\u202e"])
@pytest.mark.parametrize("claim", ["sub", "email", "groups", "amr", "acr"])
async def test_a_claim_that_is_no_printable_text_is_refused(door, provider, claim, character):
    texts = {"sub": "ada", "email": "ada@example.edu", "email_verified": True, "amr": ["mfa"], "groups": ["auditors"]}
    bad = f"a{character}b@example.edu"
    provider.sign = escaped_token
    provider.claims = texts | {"acr": "gold"} | {claim: [bad] if claim in {"amr", "groups"} else bad}
    for to in ("/", "/operator"):
        refused = await sign_in(door(operator=OPERATORS), provider, to=to)
        assert reason(refused) == "sign_in_refused.token"
        assert "arena_voter" not in refused.headers.get("set-cookie", "")


ADMITTED = rules(domains=["*.example.edu", "kelvin.example"])


@given(st.text("a*-.?[]\n\u00e9K@ \0", max_size=6))
def test_a_domain_is_one_by_the_file_s_own_pattern(prefix):
    domain = f"{prefix}.example.edu"
    try:
        ADMITTED.admit({"email": f"a@{domain}", "email_verified": True})
    except SignInRefused:
        return
    rules(domains=[domain.lower()])


def test_letters_that_only_look_like_others_in_lower_case_are_others():
    emails = rules(domains=["kelvin.example"], operator=[{"role": "owner", "emails": ["kate@kelvin.example"]}])
    for email in ("kate@\u212aelvin.example", "\u212aate@kelvin.example"):
        claims = {"sub": "x", "email": email, "email_verified": True}
        with pytest.raises(SignInRefused):
            emails.operator_rule(claims)
    with pytest.raises(SignInRefused):
        emails.admit({"email": "kate@\u212aelvin.example", "email_verified": True})
    assert emails.operator_rule({"sub": "x", "email": "KATE@Kelvin.example", "email_verified": True})


@pytest.mark.parametrize("name", ["authorization", "token", "userinfo", "end_session"])
@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "http://login.example.edu/x", "https://", "//evil.example", "https://a/\nb", 7]
)
async def test_every_address_that_a_provider_names_is_https(door, provider, name, address):
    provider.metadata = {f"{name}_endpoint": address}
    assert reason(await door().get(BEGIN)) == "provider_away"
    assert urlsplit((await door().get(f"{BEGIN}/end")).headers["location"]).path == "/sign-in"


@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
async def test_a_provider_that_names_no_address_is_away(door, provider, name):
    provider.metadata = {name: None}
    assert reason(await door().get(BEGIN)) == "provider_away"


async def test_a_provider_on_this_machine_needs_no_https(door, provider):
    provider.metadata = {"authorization_endpoint": "http://localhost:9000/authorize"}
    begun = await door().get(BEGIN)
    assert parse_qs(urlsplit(begun.headers["location"]).query)["client_id"]
