"""Sign-in attacked by a stranger who has a browser, and by a provider that answers anything."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from itertools import permutations
from urllib.parse import urlsplit

import httpx2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.api.http.signed_cookies import ATTEMPT_COOKIE, EXIT_COOKIE, OPERATOR_COOKIE, OWNER_COOKIE, seal, unseal
from arena.api.http.voter_cookie import COOKIE
from arena.domain.sign_in import return_path
from tests.adapters.openid.test_provider import BACK, BEGIN, DISCOVERY
from tests.api.test_sign_in import COOKIES, OPERATORS, door, now_and, provider, reason, sign_in
from tests.fake_provider import FOREIGN_KEY, ISSUER, KEY, signed_token

__all__ = ["door", "provider"]
PURPOSES = ("colleague", *(cookie.purpose for cookie in (ATTEMPT_COOKIE, EXIT_COOKIE, OPERATOR_COOKIE, OWNER_COOKIE)))
ODD = (None, True, 0, -1, 10**30, 1e308, float("inf"), float("nan"), "", "x", "é", [], [1], ["x"], [[]], {}, {"a": 1})
"""Values of every type of JSON, and numbers that only Python writes."""


async def begun(browser: httpx2.AsyncClient, provider) -> dict[str, str]:
    """The query with which somebody comes back who begins a sign-in in a tab of this browser."""
    return provider.login((await browser.get(BEGIN)).headers["location"])


@pytest.mark.parametrize("stray", [{"state": "another"}, {"state": ""}, {"state": "another", "error": "access_denied"}])
async def test_a_stray_return_ends_no_attempt_that_is_under_way(door, provider, stray):
    """Neither an older tab nor a link of another site keeps somebody from signing in."""
    browser = door()
    older = await begun(browser, provider)
    newer = await begun(browser, provider)
    assert reason(await browser.get(BACK, params=older)) == "sign_in_refused.attempt"
    assert reason(await browser.get(BACK, params=newer | stray)) == "sign_in_refused.attempt"
    assert reason(await browser.get(BACK, params=newer)) == ""


@pytest.mark.parametrize(("own", "other"), list(permutations(PURPOSES, 2)))
def test_what_is_signed_for_one_purpose_holds_for_no_other(own, other):
    sealed = seal({"name": "ada"}, 60, own, COOKIES)
    assert unseal(sealed, own, COOKIES)
    assert unseal(sealed, other, COOKIES) is None
    assert unseal(own.removeprefix(other).strip() + " " + sealed, other, COOKIES) is None


@given(st.text("eyJ0=_- .~%\u00e9\U0001f511", max_size=20), st.sampled_from(PURPOSES))
@example("." * 3, "owner")
def test_no_cookie_that_the_arena_has_not_signed_is_read(text, purpose):
    assert unseal(text, purpose, COOKIES) is None


@given(st.text("/\\.%2f5c09 \t\r\n@:?#ae\u2028\uff0f", max_size=12).map(lambda text: "/" + text))
@example("//evil.example")
@example("/\\evil.example")
@example("/\t/evil.example")
@example("/\u2215/evil.example")
@settings(max_examples=200)
def test_every_return_stays_within_the_arena(address):
    """Browsers drop tabs and ends of lines from an address, and take a backslash for a stroke."""
    inside = return_path(address)
    assert inside in {address, "/"}
    read = inside.translate(dict.fromkeys(map(ord, "\t\r\n"))).replace("\\", "/")
    assert read == inside
    assert not read.startswith("//")
    assert urlsplit(f"https://arena.example{read}").hostname == "arena.example"


@pytest.mark.parametrize("to", ["/%2f%2fevil.example", "/%5cevil.example", "/.//evil.example", "/a?to=//evil.example"])
async def test_an_encoded_address_stays_a_path(door, provider, to):
    assert (await sign_in(door(), provider, to=to)).headers["location"] == to


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"exp": -50}, ""),
        ({"exp": -70}, "clock"),
        ({"nbf": 50}, ""),
        ({"nbf": 70}, "clock"),
        ({"iat": 50}, ""),
        ({"iat": 70}, "clock"),
    ],
)
async def test_clocks_may_differ_by_a_minute_and_no_more(door, provider, claims, why):
    provider.claims = {name: now_and(seconds) for name, seconds in claims.items()}
    assert reason(await sign_in(door(), provider)) == (f"sign_in_refused.{why}" if why else "")


@pytest.mark.parametrize(
    "header",
    [
        {"jwk": FOREIGN_KEY.as_dict(private=False)},
        {"jku": f"{ISSUER}/evil"},
        {"x5u": f"{ISSUER}/evil"},
        {"kid": "../../evil"},
    ],
    ids=lambda header: next(iter(header)),
)
async def test_a_token_does_not_choose_the_key_that_verifies_it(door, provider, header):
    provider.sign = lambda claims: signed_token(claims, FOREIGN_KEY, **header)
    assert reason(await sign_in(door(), provider)) == "sign_in_refused.token"
    assert set(provider.requests) == {DISCOVERY, "/keys", "/token"}


REPLIES = {
    "a page": lambda: httpx2.Response(200, html="<h1>Sign in</h1>"),
    "a redirect": lambda: httpx2.Response(302, headers={"Location": "http://169.254.169.254/keys"}),
    "nothing": lambda: httpx2.Response(204),
    "no JSON": lambda: httpx2.Response(200, content=b"\xff\xfe{"),
    "a failure": lambda: httpx2.Response(503, json={"keys": []}),
}


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("path", [DISCOVERY, "/keys", "/token", "/person"])
async def test_a_provider_that_does_not_answer_as_one_is_away(door, provider, path, reply):
    browser, provider.stead[path] = door(groups=["staff"]), REPLIES[reply]
    answer = await browser.get(BEGIN)
    if path != DISCOVERY:
        answer = await browser.get(BACK, params=provider.login(answer.headers["location"]))
    assert reason(answer) == "provider_away"
    assert set(provider.requests) <= {DISCOVERY, "/keys", "/token", "/person"}


def changed(value: dict, name: str, odd: object):
    """An answer of JSON with another value of one field, as Python writes it."""
    text = json.dumps(value | {name: odd}).encode()
    return lambda: httpx2.Response(200, content=text, headers={"Content-Type": "application/json"})


CLAIMS = ("iss", "sub", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash", "amr", "acr", "email", "groups")
TOKEN = {"access_token": "an access token", "token_type": "Bearer", "id_token": "a.b.c", "expires_in": 60}
KNOWN = KEY.as_dict(private=False)
METADATA = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint")


@pytest.mark.parametrize("name", CLAIMS)
async def test_a_claim_of_any_type_is_no_fault_of_the_arena(door, provider, name):
    texts = {"email": "ada@example.edu", "email_verified": True, "groups": ["auditors"], "amr": ["mfa"], "acr": "gold"}
    for odd in ODD:
        provider.claims = texts | {name: odd}
        answer = await sign_in(door(operator=OPERATORS, domains=["example.edu"]), provider, to="/operator")
        assert answer.status_code == 303, odd
        if name in {"iss", "aud", "nonce"} and odd is not None:
            assert COOKIE not in answer.headers["set-cookie"], odd


@pytest.mark.parametrize(
    ("path", "value", "names"),
    [
        ("/token", TOKEN, [*TOKEN, "error", "error_description"]),
        ("/keys", {"keys": [KNOWN]}, ["keys"]),
        (DISCOVERY, None, METADATA),
    ],
    ids=["token", "keys", "metadata"],
)
async def test_a_field_of_any_type_is_no_fault_of_the_arena(door, provider, path, value, names):
    value = value or provider._discovery(None)
    for name in names:
        for odd in ODD:
            browser, provider.stead = door(), {path: changed(value, name, odd)}
            answer = await browser.get(BEGIN)
            if not reason(answer):
                answer = await browser.get(BACK, params=provider.login(answer.headers["location"]))
            assert answer.status_code == 303, (name, odd)


@pytest.mark.parametrize("name", [*KNOWN, "alg", "key_ops", "x5c"])
async def test_a_key_of_any_form_is_no_fault_of_the_arena(door, provider, name):
    for odd in ("EC", "OKP", "oct", "A", "AQ" * 10_000, *ODD):
        browser, provider.stead = door(), {"/keys": changed({}, "keys", [KNOWN | {name: odd}])}
        assert (await sign_in(browser, provider)).status_code == 303, odd


@pytest.mark.parametrize("name", ["alg", "kid", "typ", "crit", "b64", "zip", "cty", "jwk", "x5c"])
async def test_a_header_of_any_type_is_no_fault_of_the_arena(door, provider, name):
    for odd in ODD:
        head = urlsafe_b64encode(json.dumps({"alg": "RS256", "kid": "one", name: odd}).encode()).rstrip(b"=").decode()
        provider.sign = lambda claims, head=head: f"{head}.{signed_token(claims).partition('.')[2]}"
        answer = await sign_in(door(), provider)
        assert reason(answer) in {"sign_in_refused.token", "provider_away"}, odd
