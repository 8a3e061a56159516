"""Who enters an arena for members, and who does not."""

from __future__ import annotations

import base64
import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from math import log10
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from fastapi import Request, Response
from sqlalchemy import select

from arena.adapters.openid.attempt import Attempt
from arena.adapters.openid.provider import OpenIdProvider
from arena.adapters.store import snapshots, voters
from arena.adapters.store.tables.conversations import VoteRow
from arena.api.http import signed_cookies
from arena.api.http.members import Entrance
from arena.api.http.rate_windows import SEATS
from arena.api.http.voter_cookie import COOKIE, Cookies
from arena.domain.schemas.leaderboard import StandingsView
from arena.domain.sign_in import SignInProvider, TrustedHeader
from arena.domain.terms import Access
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.people import invitations
from arena.usecases.people.sittings import EndedSittings
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.vote_columns import CountedLog
from arena_rating import EloParameters, LeaderboardParameters
from tests.api.conftest import ORIGIN
from tests.fake_provider import (
    CLIENT,
    FOREIGN_KEY,
    ISSUER,
    FakeProvider,
    key_confusion_token,
    signed_token,
    unsigned_token,
)
from tests.publication import publish_once

COOKIES = Cookies(b"a secret of the tests")
BATTLE = {"prompt": "What is a key?"}
PROXY = "10.0.0.9"
HEADER = TrustedHeader.model_validate({"name": "X-Forwarded-User", "proxies": ["10.0.0.0/24"]})


def rules(**more) -> SignInProvider:
    return SignInProvider.model_validate(
        {"name": "school", "title": "School", "issuer": ISSUER, "client_id": CLIENT, "client_secret": "hidden"} | more
    )


@pytest.fixture
def provider() -> FakeProvider:
    return FakeProvider()


@pytest.fixture
def door(runtime, provider):
    """Build the arena of members: `door(access, domains=…)`; returns a browser of it."""
    ended = EndedSittings()

    def build(access: Access = Access.MEMBERS, host: str = "203.0.113.5", **more) -> httpx2.AsyncClient:
        openid = OpenIdProvider(rules(**more), f"{ORIGIN}/api/v1/sign-in/school/callback", provider.transport())
        other = OpenIdProvider(rules(name="other"), f"{ORIGIN}/api/v1/sign-in/other/callback", provider.transport())
        entrance = Entrance(access, ORIGIN, {"school": openid, "other": other}, HEADER)
        cookies = replace(COOKIES, ended=ended)
        app = whole_app(runtime, cookies, entrance=entrance, rules=OwnerRules(named_operators=entrance.operated))
        app.state.pages = _page
        transport = httpx2.ASGITransport(app, client=(host, 1), raise_app_exceptions=False)
        return httpx2.AsyncClient(transport=transport, base_url=ORIGIN)

    return build


async def _page(_scope, _receive, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"a page"})


async def sign_in(browser: httpx2.AsyncClient, provider: FakeProvider, to: str = "/", **answer: str) -> httpx2.Response:
    begun = await browser.get("/api/v1/sign-in/school", params={"to": to})
    query = provider.login(begun.headers["location"]) | answer
    return await browser.get("/api/v1/sign-in/school/callback", params=query)


def reason(answer: httpx2.Response) -> str:
    """The error code with which the sign-in page was opened."""
    place = urlsplit(answer.headers["location"])
    return parse_qs(place.query)["error"][0] if place.path == "/sign-in" else ""


async def test_a_member_signs_in_battles_and_signs_out(door, provider):
    browser = door()
    refused = await browser.post("/api/v1/battles", json=BATTLE)
    assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_required")
    entered = await sign_in(browser, provider, to="/mine")
    assert (entered.status_code, entered.headers["location"]) == (303, "/mine")
    assert (await browser.get("/api/v1/sign-in")).json()["member"]
    assert (await browser.post("/api/v1/battles", json=BATTLE)).status_code == 201
    assert (await browser.post("/api/v1/sign-out")).headers["location"] == "/sign-in?left=1"
    ended = await browser.get("/api/v1/sign-in/school/end")
    assert ended.headers["location"].startswith(f"{ISSUER}/end?client_id={CLIENT}")
    assert not (await browser.get("/api/v1/sign-in")).json()["member"]
    assert (await browser.post("/api/v1/battles", json=BATTLE)).status_code == 403


async def test_one_person_is_one_voter_on_all_devices_and_no_cookie_names_them(door, provider):
    keys = set()
    for _ in range(2):
        browser = door()
        await sign_in(browser, provider)
        keys.add(browser.cookies[COOKIE].partition("~")[0])
        assert "ada" not in browser.cookies[COOKIE]
    assert len(keys) == 1


async def test_where_members_vote_everybody_reads(door):
    browser = door(Access.MEMBERS_VOTE)
    assert (await browser.get("/leaderboard")).text == "a page"
    assert (await browser.get("/api/v1/models")).status_code == 200
    for room in ("battles", "chats", "images"):
        assert (await browser.post(f"/api/v1/{room}", json=BATTLE)).json()["code"] == "sign_in_required"


@pytest.mark.parametrize("access", Access)
async def test_the_site_says_who_may_take_part(door, access):
    assert (await door(access).get("/api/v1/site")).json()["access"] == access


async def test_where_members_alone_see_anything_a_page_sends_others_to_sign_in(door):
    browser = door()
    answer = await browser.get("/leaderboard")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?to=%2Fleaderboard")
    for path in ("/api/v1/models", "/api/v1/leaderboard", "/api/v1/votes/export", "/log/checkpoint"):
        assert (await browser.get(path)).json()["code"] == "sign_in_required"
    assert (await browser.get("/sign-in")).text == "a page"
    assert (await browser.get("/healthz")).status_code == 200


async def test_boards_and_their_files_can_stay_public(runtime):
    app = whole_app(runtime, COOKIES, entrance=Entrance(Access.MEMBERS, public_board=True))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as browser:
        assert (await browser.get("/api/v1/votes/export")).status_code == 200
        assert (await browser.get("/api/v1/me/battles")).json()["code"] == "sign_in_required"


async def test_an_arena_for_everybody_has_no_such_routes_and_no_further_cookie(client):
    assert (await client.get("/api/v1/sign-in")).status_code == 404
    assert (await client.post("/api/v1/sign-out")).status_code == 404
    assert (await client.post("/api/v1/battles", json=BATTLE)).status_code == 201
    assert set(client.cookies) == {COOKIE}


def now_and(seconds: int) -> int:
    return int(time.time()) + seconds


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({"nonce": "another"}, id="nonce of another attempt"),
        pytest.param({"nonce": None}, id="no nonce"),
        pytest.param({"iss": "https://evil.example"}, id="issuer"),
        pytest.param({"iss": None}, id="no issuer"),
        pytest.param({"aud": "another arena"}, id="audience"),
        pytest.param({"aud": [CLIENT, "another"]}, id="two audiences and no authorised party"),
        pytest.param({"aud": [CLIENT, "another"], "azp": "another"}, id="another authorised party"),
        pytest.param({"azp": "another"}, id="authorised party of a single audience"),
        pytest.param({"sub": None}, id="no subject"),
        pytest.param({"sub": ""}, id="empty subject"),
        pytest.param({"sub": "a" * 256}, id="long subject"),
        pytest.param({"exp": None}, id="no end"),
        pytest.param({"at_hash": "AAAA"}, id="access token of another answer"),
    ],
)
async def test_a_token_whose_claims_are_wrong_lets_nobody_in(door, provider, claims):
    browser = door()
    provider.claims = claims
    assert reason(await sign_in(browser, provider)) == "sign_in_refused.token"
    assert COOKIE not in browser.cookies


@pytest.mark.parametrize(("claim", "seconds"), [("exp", -120), ("nbf", 300), ("iat", 300)])
async def test_a_token_that_is_not_valid_now_speaks_of_clocks(door, provider, claim, seconds):
    provider.claims = {claim: now_and(seconds)}
    assert reason(await sign_in(door(), provider)) == "sign_in_refused.clock"


async def test_clocks_may_be_half_a_minute_apart(door, provider):
    provider.claims = {"iat": now_and(30), "exp": now_and(330)}
    assert reason(await sign_in(door(), provider)) == ""


@pytest.mark.parametrize(
    "sign",
    [
        pytest.param(unsigned_token, id="no algorithm"),
        pytest.param(key_confusion_token, id="the public key as a secret"),
        pytest.param(lambda claims: signed_token(claims, FOREIGN_KEY), id="another key under the same name"),
        pytest.param(lambda claims: signed_token(claims, FOREIGN_KEY, kid="two"), id="an unknown key"),
        pytest.param(lambda claims: signed_token(claims, alg="RS512"), id="another algorithm than the operator's"),
        pytest.param(lambda claims: signed_token(claims)[:-8] + "AAAAAAAA", id="a changed signature"),
        pytest.param(lambda _: "no token", id="no token"),
        pytest.param(lambda claims: _changed(signed_token(claims)), id="changed claims"),
    ],
)
async def test_a_token_that_the_provider_has_not_signed_lets_nobody_in(door, provider, sign):
    provider.sign = sign
    assert reason(await sign_in(door(), provider)) == "sign_in_refused.token"


def _changed(token: str) -> str:
    head, body, signature = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "==")) | {"sub": "the operator"}
    changed = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    return f"{head}.{changed}.{signature}"


async def test_an_answer_to_no_attempt_of_this_browser_is_refused(door, provider):
    browser = door()
    assert reason(await sign_in(browser, provider, state="another")) == "sign_in_refused.attempt"
    query = provider.login((await door().get("/api/v1/sign-in/school")).headers["location"])
    assert reason(await door().get("/api/v1/sign-in/school/callback", params=query)) == "sign_in_refused.attempt"


async def test_an_answer_is_taken_once(door, provider):
    browser = door()
    query = provider.login((await browser.get("/api/v1/sign-in/school")).headers["location"])
    assert reason(await browser.get("/api/v1/sign-in/school/callback", params=query)) == ""
    browser.cookies.delete(COOKIE)
    assert reason(await browser.get("/api/v1/sign-in/school/callback", params=query)) == "sign_in_refused.attempt"


async def test_a_forged_or_late_attempt_is_refused(door):
    browser = door()
    await browser.get("/api/v1/sign-in/school")
    text, _, signature = browser.cookies[signed_cookies.NAME].partition(".")
    attempt = json.loads(base64.urlsafe_b64decode(text)) | {"to": "/operator"}
    forged = base64.urlsafe_b64encode(json.dumps(attempt).encode()).decode()
    browser.cookies.clear()
    browser.cookies.set(signed_cookies.NAME, f"{forged}.{signature}")
    back = {"code": "c", "state": attempt["state"]}
    assert reason(await browser.get("/api/v1/sign-in/school/callback", params=back)) == "sign_in_refused.attempt"
    late, answer = Attempt("school", "/"), Response()
    signed_cookies.ATTEMPT_COOKIE.keep(answer, asdict(late), -1, COOKIES)
    cookie = answer.headers["set-cookie"].partition(";")[0]
    back = {"code": "c", "state": late.state}
    refused = await door().get("/api/v1/sign-in/school/callback", params=back, headers={"Cookie": cookie})
    assert reason(refused) == "sign_in_refused.attempt"


async def test_one_provider_cannot_answer_for_another(door, provider):
    browser = door()
    query = provider.login((await browser.get("/api/v1/sign-in/school")).headers["location"])
    assert reason(await browser.get("/api/v1/sign-in/other/callback", params=query)) == "sign_in_refused.attempt"
    mixed = await sign_in(door(), provider, iss="https://evil.example")
    assert reason(mixed) == "sign_in_refused.token"
    provider.metadata = {"authorization_response_iss_parameter_supported": True}
    assert reason(await sign_in(door(), provider)) == "sign_in_refused.token"
    assert reason(await sign_in(door(), provider, iss=ISSUER)) == ""


async def test_a_code_is_worth_nothing_without_the_verifier_of_its_attempt(door, provider):
    browser = door()
    stolen = provider.login((await door().get("/api/v1/sign-in/school")).headers["location"])
    begun = await browser.get("/api/v1/sign-in/school")
    query = {name: values[0] for name, values in parse_qs(urlsplit(begun.headers["location"]).query).items()}
    assert query["code_challenge_method"] == "S256"
    back = await browser.get(
        "/api/v1/sign-in/school/callback", params={"code": stolen["code"], "state": query["state"]}
    )
    assert reason(back) == "sign_in_refused.token"


@pytest.mark.parametrize(
    ("more", "claims", "why"),
    [
        ({"domains": ["example.edu"]}, {"email": "a@example.edu", "email_verified": True}, ""),
        ({"domains": ["*.example.edu"]}, {"email": "a@cs.example.edu", "email_verified": True}, ""),
        ({"domains": ["example.edu"]}, {"email": "a@evil-example.edu", "email_verified": True}, "domain"),
        ({"domains": ["example.edu"]}, {"email": "a@example.edu.evil.com", "email_verified": True}, "domain"),
        ({"domains": ["*.example.edu"]}, {"email": "a@example.edu", "email_verified": True}, "domain"),
        ({"domains": ["example.edu"]}, {"email": "a@evil.com@example.edu", "email_verified": True}, "claim"),
        ({"domains": ["example.edu"]}, {"email": "a@example.edu"}, "unverified"),
        ({"domains": ["example.edu"]}, {"email": "a@example.edu", "email_verified": "true"}, "unverified"),
        ({"domains": ["example.edu"], "trust_email": True}, {"email": "a@example.edu"}, ""),
        ({"domains": ["example.edu"]}, {}, "claim"),
        ({"groups": ["staff"]}, {"groups": ["staff", "all"]}, ""),
        ({"groups": ["staff"]}, {"groups": ["students"]}, "group"),
        ({"groups": ["staff"]}, {"groups": "staff"}, "claim"),
        ({"groups": ["staff"]}, {"groups": [["staff"]]}, "group"),
    ],
)
async def test_domains_and_groups_say_who_is_a_member(door, provider, more, claims, why):
    provider.claims, provider.person = claims, {"sub": "ada"}
    assert reason(await sign_in(door(**more), provider)) == (f"sign_in_refused.{why}" if why else "")


async def test_a_missing_claim_is_asked_for_and_must_be_about_the_same_person(door, provider):
    provider.person = {"sub": "ada", "groups": ["staff"]}
    assert reason(await sign_in(door(groups=["staff"]), provider)) == ""
    provider.person = {"sub": "eve", "groups": ["staff"]}
    assert reason(await sign_in(door(groups=["staff"]), provider)) == "sign_in_refused.token"


async def test_an_address_and_whether_it_is_verified_come_from_one_place(door, provider):
    rules = {"domains": ["example.edu"]}
    provider.claims = {"email": "boss@example.edu"}
    provider.person = {"sub": "ada", "email": "ada@example.edu", "email_verified": True}
    assert reason(await sign_in(door(**rules), provider)) == ""
    provider.person |= {"email": "me@evil.example"}
    assert reason(await sign_in(door(**rules), provider)) == "sign_in_refused.domain"
    del provider.person["email"]
    assert reason(await sign_in(door(**rules), provider)) == "sign_in_refused.claim"


@pytest.mark.parametrize(
    "to", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "\n/"]
)
async def test_nobody_is_led_out_of_the_arena(door, provider, to):
    assert (await sign_in(door(), provider, to=to)).headers["location"] == "/"


async def test_a_provider_that_is_away_is_one_sentence_and_members_go_on(door, provider):
    browser = door()
    await sign_in(browser, provider)
    provider.is_down = True
    assert (await browser.post("/api/v1/battles", json=BATTLE)).status_code == 201
    assert reason(await door().get("/api/v1/sign-in/school")) == "provider_away"
    provider.is_down, provider.metadata = False, {"issuer": "https://evil.example"}
    assert reason(await door().get("/api/v1/sign-in/school")) == "provider_away"


async def test_who_cancels_is_told_so(door, provider):
    assert reason(await sign_in(door(), provider, error="access_denied")) == "sign_in_refused.cancelled"


async def test_a_cookie_planted_before_signing_in_is_not_the_member_afterwards(door, provider):
    browser = door(Access.MEMBERS_VOTE)
    browser.cookies.set(COOKIE, f"planted.{COOKIES._sign('planted')}")
    entered = await sign_in(browser, provider)
    assert "planted" not in entered.headers["set-cookie"]
    assert "~" in entered.headers["set-cookie"]


def member(until: timedelta) -> str:
    return COOKIES.admitted(ISSUER, "ada", datetime.now(UTC) + until)


@pytest.mark.parametrize(
    "cookie",
    [
        pytest.param(member(timedelta(seconds=-1)), id="ended"),
        pytest.param(member(timedelta(hours=1)).replace("~", "~9"), id="prolonged"),
        pytest.param("a" + member(timedelta(hours=1)), id="another person"),
        pytest.param(f"x.{COOKIES._sign('x')}", id="a visitor's"),
        pytest.param(replace(COOKIES, secret=b"another").admitted(ISSUER, "ada", datetime.now(UTC)), id="another key"),
    ],
)
async def test_a_cookie_that_no_sign_in_gave_opens_nothing(door, cookie):
    refused = await door().post("/api/v1/battles", json=BATTLE, headers={"Cookie": f"{COOKIE}={cookie}"})
    assert refused.json()["code"] == "sign_in_required"


async def test_another_site_signs_nobody_out(door, provider):
    browser = door()
    await sign_in(browser, provider)
    refused = await browser.post("/api/v1/sign-out", headers={"Origin": "https://evil.example"})
    assert refused.json()["code"] == "cross_origin"
    assert (await browser.get("/api/v1/sign-in")).json()["member"]


async def test_the_header_of_a_listed_proxy_is_a_member(door):
    browser = door(host=PROXY)
    headers = [("X-Forwarded-User", "ada@example.edu")]
    assert (await browser.post("/api/v1/battles", json=BATTLE, headers=headers)).status_code == 201
    assert (await browser.post("/api/v1/battles", json=BATTLE)).json()["code"] == "sign_in_required"


async def test_a_name_is_one_member_however_it_is_typed(door):
    names = []
    for name in ("Ada", "ada", "ADA"):
        browser = door(host=PROXY)
        answer = await browser.post("/api/v1/battles", json=BATTLE, headers=[("X-Forwarded-User", name)])
        history = await browser.get("/api/v1/me/battles", headers=[("X-Forwarded-User", "ada")])
        assert answer.json()["id"] in {battle["id"] for battle in history.json()["battles"]}
        names.append(answer.json()["id"])
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    ("host", "names"),
    [
        (PROXY, ["ada", "eve"]),
        (PROXY, ["ada", "ada"]),
        ("203.0.113.5", ["ada"]),
        ("somewhere", ["ada"]),
        (PROXY, [" "]),
    ],
)
async def test_a_header_that_comes_twice_or_from_outside_is_refused(door, host, names):
    refused = await door(host=host).get("/api/v1/models", headers=[("X-Forwarded-User", name) for name in names])
    assert (refused.status_code, refused.json()["params"]) == (403, {"rule": "header"})


async def test_a_class_enters_by_one_link_until_its_seats_are_taken(door, runtime):
    token = await invitations.invite(runtime.database, "Class 7b", 3, 7, runtime.now())
    keys = set()
    for _ in range(3):
        browser = door()
        for _ in range(2):  # whoever opens the link again keeps the seat
            entered = await browser.post(f"/api/v1/sign-in/invitations/{token}")
            assert (entered.status_code, entered.headers["location"]) == (303, "/")
        assert (await browser.post("/api/v1/battles", json=BATTLE)).status_code == 201
        keys.add(browser.cookies[COOKIE].partition("~")[0])
    assert len(keys) == 3
    full = await door().post(f"/api/v1/sign-in/invitations/{token}")
    assert (full.status_code, full.json()["params"]) == (403, {"rule": "full"})
    form = await door().post(f"/api/v1/sign-in/invitations/{token}", headers={"accept": "text/html,*/*"})
    assert (form.status_code, form.headers["location"]) == (303, "/sign-in?error=invitation_refused.full")


async def test_nobody_takes_every_seat_of_a_large_invitation(door, runtime):
    token = await invitations.invite(runtime.database, "School", 2 * SEATS.limit, 7, runtime.now())
    holder, statuses = door(), []
    for _ in range(SEATS.limit + 1):
        holder.cookies.clear()
        statuses.append((await holder.post(f"/api/v1/sign-in/invitations/{token}")).status_code)
    assert statuses == [303] * SEATS.limit + [429]
    elsewhere = door(host="198.51.100.7")
    assert (await elsewhere.post(f"/api/v1/sign-in/invitations/{token}")).status_code == 303


async def test_an_invitation_that_has_ended_or_never_was_lets_nobody_in(door, runtime):
    token = await invitations.invite(runtime.database, "Class 7b", 3, 1, runtime.now() - timedelta(days=2))
    assert (await door().post(f"/api/v1/sign-in/invitations/{token}")).json()["params"] == {"rule": "ended"}
    assert (await door().post("/api/v1/sign-in/invitations/nothing")).json()["params"] == {"rule": "unknown"}


async def test_a_school_behind_one_address_is_as_many_places_as_it_has_members(runtime):
    members = [
        COOKIES.admitted("invitation 1", str(number), datetime.now(UTC) + timedelta(days=1)) for number in (1, 2)
    ]
    places = set()
    for cookie in members:
        request = _request(cookie)
        voter = COOKIES.voter(request)
        assert voter
        assert voter.member
        places.add(runtime.bounds.place(voter, runtime.now()).digest)
    assert len(places) == 2


def _request(cookie: str):
    headers = [(b"cookie", f"{COOKIE}={cookie}".encode())]
    return Request({"type": "http", "headers": headers, "client": ("203.0.113.5", 1)})


OPERATORS = [
    {"role": "operator", "emails": ["ada@example.edu"], "amr": ["mfa", "hwk"]},
    {"role": "viewer", "groups": ["auditors"], "acr": ["gold"]},
    {"role": "owner", "subjects": ["root"]},
]
ADA = {"email": "Ada@Example.edu", "email_verified": True, "amr": ["pwd", "mfa"]}


async def me(browser: httpx2.AsyncClient) -> str:
    """The operator role of a browser, or the error code."""
    answer = (await browser.get("/api/v1/operator/me")).json()
    return answer.get("role") or answer["code"]


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        pytest.param(ADA, "operator", id="address and second factor"),
        pytest.param(ADA | {"amr": ["pwd"]}, "factor", id="no second factor"),
        pytest.param(ADA | {"amr": "mfa"}, "token", id="a text for a list"),
        pytest.param(ADA | {"amr": None}, "factor", id="no word of factors"),
        pytest.param(ADA | {"email_verified": False}, "role", id="an address nobody has verified"),
        pytest.param(ADA | {"email": "eve@example.edu"}, "role", id="another address"),
        pytest.param({"groups": ["auditors"], "acr": "gold"}, "viewer", id="group and level"),
        pytest.param({"groups": ["auditors"], "acr": "silver"}, "factor", id="a lower level"),
        pytest.param({"groups": "auditors", "acr": "gold"}, "role", id="a text for groups"),
        pytest.param({"sub": "root"}, "owner", id="subject"),
        pytest.param({"role": "owner"}, "role", id="a role of one's own"),
        pytest.param(ADA | {"sub": "root"}, "owner", id="the highest of two"),
    ],
)
async def test_the_file_says_who_has_which_role_and_by_which_factor(door, provider, claims, role):
    browser, provider.claims = door(operator=OPERATORS), claims
    provider.person = {"sub": claims.get("sub", "ada")}
    entered = await sign_in(browser, provider, to="/operator")
    assert reason(entered) in {"", f"sign_in_refused.{role}"}
    assert await me(browser) == (role if not reason(entered) else "bad_api_key")


async def test_an_operator_is_asked_for_the_level_that_a_role_needs_and_a_member_is_not(door):
    browser = door(operator=OPERATORS)
    for to, levels in (("/operator", ["gold"]), ("/", [])):
        answer = await browser.get("/api/v1/sign-in/school", params={"to": to})
        assert parse_qs(urlsplit(answer.headers["location"]).query).get("acr_values", []) == levels


async def test_an_operator_who_signed_in_acts_under_their_name_and_signs_out(door, provider, runtime):
    browser, provider.claims = door(operator=OPERATORS), ADA
    await sign_in(browser, provider, to="/operator")
    closed = "/api/v1/operator/parts/chats/closed"
    assert (await browser.put(closed, json={"reason": "tonight"})).status_code == 200
    refused = await browser.delete(closed, headers={"Origin": "https://evil.example"})
    assert refused.json()["code"] == "cross_origin"
    refused = await browser.delete(closed, headers={"Sec-Fetch-Site": "same-site"})
    assert refused.json()["code"] == "cross_origin"
    (act,) = (await browser.get("/api/v1/operator/acts")).json()
    assert (act["who"], act["via"], act["role"], act["why"]) == ("Ada@Example.edu", "school", "operator", "tonight")
    await browser.post("/api/v1/sign-out")
    assert await me(browser) == "bad_api_key"


async def test_who_signs_in_to_vote_is_no_operator(door, provider):
    browser, provider.claims = door(operator=OPERATORS), ADA
    await sign_in(browser, provider)
    assert (await browser.get("/api/v1/sign-in")).json()["member"]
    assert await me(browser) == "bad_api_key"


async def test_the_cookie_of_a_role_goes_to_operators_calls_alone_and_to_no_other_site(door, provider):
    browser, provider.claims = door(operator=OPERATORS), ADA
    entered = await sign_in(browser, provider, to="/operator")
    cookie = next(text for text in entered.headers.get_list("set-cookie") if text.startswith("arena_operator="))
    assert {"HttpOnly", "Path=/api/v1/operator", "SameSite=strict"} <= set(cookie.split("; "))


async def test_a_role_cannot_be_raised_or_outlive_the_rule_that_gave_it(door, provider):
    browser, provider.claims = door(operator=OPERATORS), ADA
    await sign_in(browser, provider, to="/operator")
    cookie = browser.cookies["arena_operator"]
    raised = json.loads(base64.urlsafe_b64decode(cookie.partition(".")[0])) | {"rule": "x", "name": "root"}
    forged = base64.urlsafe_b64encode(json.dumps(raised).encode()).decode()
    other = door(operator=[OPERATORS[0] | {"emails": ["grace@example.edu"]}])
    for changed, stranger in ((f"{forged}.{cookie.partition('.')[2]}", browser), (cookie, other)):
        stranger.cookies.clear()
        refused = await stranger.get("/api/v1/operator/me", headers={"Cookie": f"arena_operator={changed}"})
        assert refused.json()["code"] == "bad_api_key"


async def test_a_wrong_key_is_refused_although_somebody_has_signed_in(door, provider):
    browser, provider.claims = door(operator=OPERATORS), ADA
    await sign_in(browser, provider, to="/operator")
    refused = await browser.get("/api/v1/operator/me", headers={"Authorization": "Bearer nonsense"})
    assert refused.json()["code"] == "bad_api_key"


async def test_in_an_open_arena_operators_alone_sign_in_and_nobody_becomes_a_member(door, provider):
    browser, provider.claims = door(Access.PUBLIC, operator=OPERATORS), ADA
    assert (await browser.get("/leaderboard")).text == "a page"
    assert (await browser.post("/api/v1/battles", json=BATTLE)).status_code == 201
    visitor = browser.cookies[COOKIE]
    await sign_in(browser, provider, to="/operator")
    assert (await me(browser), browser.cookies[COOKIE]) == ("operator", visitor)
    assert reason(await sign_in(browser, provider)) == "sign_in_refused.role"
    await browser.post("/api/v1/sign-out")
    assert browser.cookies[COOKIE] == visitor


async def test_an_open_arena_takes_no_invitation(door, runtime):
    token = await invitations.invite(runtime.database, "Class 7b", 3, 7, runtime.now())
    refused = await door(Access.PUBLIC, operator=OPERATORS).post(f"/api/v1/sign-in/invitations/{token}")
    assert refused.json()["code"] == "invitation_refused"


CLASS = 104
"""More than one voter may have running at once, and more than may join within ten minutes from one place."""


async def published(runtime) -> StandingsView:
    """The board of all votes so far."""
    with ThreadPoolExecutor(1) as executor:
        method = Method(LeaderboardParameters(EloParameters(orders=20)), seed=3)
        await publish_once(runtime.database, method, CountedLog(), executor=executor, now=runtime.now)
    return StandingsView.model_validate_json((await runtime.database.read(snapshots.newest)).payload)


async def test_a_class_behind_one_address_is_refused_nothing_and_each_is_one_voter(door, runtime):
    token = await invitations.invite(runtime.database, "School", CLASS, 7, runtime.now())
    pupils = [door() for _ in range(CLASS)]
    entered = [(await pupil.post(f"/api/v1/sign-in/invitations/{token}")).status_code for pupil in pupils]
    begun = [await pupil.post("/api/v1/battles", json={"prompt": f"Number {n}?"}) for n, pupil in enumerate(pupils)]
    assert (set(entered), {battle.status_code for battle in begun}) == ({303}, {201})
    wins: Counter[str] = Counter()
    for pupil, battle in zip(pupils, begun, strict=True):
        place = f"/api/v1/battles/{battle.json()['id']}"
        await pupil.get(f"{place}/stream")
        voted = await pupil.post(f"{place}/vote", json={"outcome": "a"})
        assert voted.status_code == 200
        wins[voted.json()["a"]["name"]] += 1

    def cast(session) -> tuple[int, int, int]:
        votes = session.execute(select(VoteRow.voter_key, VoteRow.not_counted)).all()
        return len(votes), len({key for key, _ in votes}), sum(reason is None for _, reason in votes)

    assert await runtime.database.read(cast) == (CLASS, CLASS, CLASS)
    table = await published(runtime)
    assert {row.name: (row.wins, row.losses) for row in table.rows} == {
        name: (wins[name], CLASS - wins[name]) for name in ("red-7b", "blue-7b")
    }
    rated = {row.name: row.bt or 0 for row in table.rows}
    assert rated["red-7b"] - rated["blue-7b"] == pytest.approx(400 * log10(wins["red-7b"] / wins["blue-7b"]), abs=0.1)
    assert (await door().post(f"/api/v1/sign-in/invitations/{token}")).json()["params"] == {"rule": "full"}


LAB = {"name": "Heron Labs", "contact": "lab@example.edu"}


async def owner(door, provider, subject: str, **more) -> httpx2.AsyncClient:
    """A browser in which somebody has signed in as an owner."""
    browser, provider.claims = door(owners=True, **more), {"sub": subject}
    assert reason(await sign_in(browser, provider, to="/owners")) == ""
    return browser


async def own(browser: httpx2.AsyncClient) -> str:
    """The owner for whom a browser acts, or the rule that the error names."""
    answer = (await browser.get("/api/v1/owners/me")).json()
    return answer.get("name") or answer["params"]["rule"]


async def test_an_owner_signs_in_on_another_device_without_a_key_and_sees_their_own_alone(door, provider):
    ada, eve = await owner(door, provider, "ada"), await owner(door, provider, "eve")
    assert await own(ada) == "no_owner"
    assert (await ada.post("/api/v1/owners", json=LAB)).status_code == 201
    assert (await own(ada), await own(await owner(door, provider, "ada"))) == ("Heron Labs", "Heron Labs")
    assert await own(eve) == "no_owner"
    assert (await eve.get("/api/v1/endpoints")).json()["code"] == "bad_api_key"
    assert (await eve.post("/api/v1/owners", json=LAB | {"name": "Egret"})).status_code == 201
    assert (await eve.get("/api/v1/endpoints")).json() == []
    assert (await eve.get("/api/v1/endpoints/1")).json()["code"] == "endpoint_not_found"


async def test_a_code_is_for_one_colleague_who_then_shares_the_owner_s_models(door, provider):
    ada, grace = await owner(door, provider, "ada"), await owner(door, provider, "grace")
    eve = await owner(door, provider, "eve")
    await ada.post("/api/v1/owners", json=LAB)
    code = (await ada.post("/api/v1/sign-in/owner/codes")).json()
    assert (await grace.put("/api/v1/sign-in/owner", json=code)).status_code == 204
    assert await own(grace) == "Heron Labs"
    late = await eve.put("/api/v1/sign-in/owner", json=code)
    assert (late.status_code, late.json()["params"]) == (403, {"rule": "full"})
    forged = await eve.put("/api/v1/sign-in/owner", json={"code": code["code"][:-4] + "0000"})
    assert forged.json()["params"] == {"rule": "unknown"}
    assert await own(eve) == "no_owner"
    assert (await grace.delete("/api/v1/sign-in/owner")).status_code == 204
    assert (await own(grace), await own(ada)) == ("no_owner", "Heron Labs")


async def test_an_owner_who_has_a_key_joins_by_it_once(door, provider):
    ada = await owner(door, provider, "ada")
    key = (await door(owners=True).post("/api/v1/owners", json=LAB)).json()["key"]
    answer = await ada.put("/api/v1/sign-in/owner", headers={"Authorization": "Bearer arena_x"})
    assert answer.json()["code"] == "bad_api_key"
    assert (await ada.put("/api/v1/sign-in/owner", headers={"Authorization": f"Bearer {key}"})).status_code == 204
    assert await own(ada) == "Heron Labs"


async def test_an_owner_s_cookie_says_nothing_of_their_votes_and_goes_when_they_sign_out(door, provider):
    ada = await owner(door, provider, "ada")
    voter = ada.cookies[COOKIE].partition("~")[0]
    content = json.loads(base64.urlsafe_b64decode(ada.cookies["arena_owner"].partition(".")[0]))
    assert voter not in str(content)
    assert "ada" not in str(content)
    refused = await ada.post("/api/v1/owners", json=LAB, headers={"Origin": "https://evil.example"})
    assert refused.json()["code"] == "cross_origin"
    await ada.post("/api/v1/sign-out")
    assert await own(ada) == "missing"


async def test_whose_provider_lets_no_owners_in_is_none(door, provider):
    browser = door(Access.PUBLIC, operator=OPERATORS)
    assert reason(await sign_in(browser, provider, to="/owners")) == "sign_in_refused.role"


@pytest.mark.parametrize("everywhere", [False, True])
async def test_copies_of_cookies_are_void_after_signing_out_and_other_devices_as_asked(door, provider, everywhere):
    provider.claims = ADA
    devices = [door(operator=OPERATORS, owners=True) for _ in range(2)]
    for browser in devices:
        await sign_in(browser, provider, to="/owners")
        await sign_in(browser, provider, to="/operator")
    (here, there), copy = devices, door(operator=OPERATORS, owners=True)
    copy.cookies = httpx2.Cookies(here.cookies)
    signed_in = ("operator", "no_owner", True)
    assert [await roles(browser) for browser in (here, there, copy)] == [signed_in] * 3
    left = await here.post("/api/v1/sign-out", params={"everywhere": everywhere})
    assert left.headers["location"] == "/sign-in?left=1"
    assert await roles(copy) == await roles(here) == ("bad_api_key", "missing", False)
    assert await roles(there) == (("bad_api_key", "missing", False) if everywhere else signed_in)
    for to in ("/owners", "/operator"):
        await sign_in(here, provider, to=to)
    assert await roles(here) == signed_in


async def roles(browser: httpx2.AsyncClient) -> tuple[str, str, bool]:
    """As what a browser is signed in: operator, owner and member."""
    return await me(browser), await own(browser), (await browser.get("/api/v1/sign-in")).json()["member"]


async def test_a_member_of_a_class_signs_out_and_the_others_go_on(door, runtime):
    token = await invitations.invite(runtime.database, "Class 7b", 2, 7, runtime.now())
    pupils = [door(), door()]
    for pupil in pupils:
        await pupil.post(f"/api/v1/sign-in/invitations/{token}")
    copy = dict(pupils[0].cookies)
    await pupils[0].post("/api/v1/sign-out", params={"everywhere": True})
    pupils[0].cookies.update(copy)
    members = [(await pupil.get("/api/v1/sign-in")).json()["member"] for pupil in pupils]
    assert members == [False, True]


async def test_who_is_not_signed_in_ends_nobody_s_sitting(door, provider, runtime):
    browser = door()
    await sign_in(browser, provider)
    forged = f"{COOKIE}={browser.cookies[COOKIE][:-4]}0000"
    for headers in ({}, {"Cookie": forged}, {"Cookie": "arena_operator_exit=e30=.0"}):
        await door().post("/api/v1/sign-out", params={"everywhere": True}, headers=headers)
    assert (await browser.get("/api/v1/sign-in")).json()["member"]
    assert await runtime.database.read(voters.sitting_generations) == {}


async def test_a_cookie_of_a_version_without_sittings_is_valid_until_its_person_signs_out_everywhere(door, provider):
    digest, until = COOKIES._digest(ISSUER, "ada"), now_and(3_600)
    old = f"{COOKIE}={digest}~{until}.{COOKIES._sign(f'{digest}~{until}')}"
    assert (await door().get("/api/v1/sign-in", headers={"Cookie": old})).json()["member"]
    browser = door()
    await sign_in(browser, provider)
    await browser.post("/api/v1/sign-out", params={"everywhere": True})
    assert not (await door().get("/api/v1/sign-in", headers={"Cookie": old})).json()["member"]
