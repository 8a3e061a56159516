"""Who may sign in by a provider or a proxy, and as what."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from arena.domain.errors import SignInRefused
from arena.domain.operators import OperatorRole
from arena.domain.sign_in import OperatorRule, SignInFile, SignInProvider, TrustedHeader, return_path

PROVIDER = {"name": "campus", "title": "Campus", "issuer": "https://id.example.edu", "client_id": "arena"}


def provider(**fields: object) -> SignInProvider:
    return SignInProvider.model_validate(PROVIDER | fields)


def refusal(who: SignInProvider, **claims: object) -> str | None:
    """The rule by which claims are refused, None if they are admitted."""
    try:
        who.admit({"sub": "1", **claims})
    except SignInRefused as refused:
        return str(refused.params["rule"])
    return None


@pytest.mark.parametrize("issuer", ["http://id.example.edu", "ftp://id.example.edu", "https://", "https://é.example"])
def test_an_address_of_a_provider_is_secure(issuer):
    with pytest.raises(ValidationError, match="https://"):
        provider(issuer=issuer)


def test_a_provider_on_this_machine_needs_no_certificate():
    assert provider(issuer="http://127.0.0.1:9000").issuer == "http://127.0.0.1:9000"


@pytest.mark.parametrize(
    ("email", "rule"),
    [
        ("ada@example.edu", None),
        ("ada@EXAMPLE.edu", None),
        ("ada@maths.example.org", None),
        ("ada@example.org", "domain"),  # *.example.org names what is below it
        ("ada@example.edu.evil.com", "domain"),
        ("ada@evil.com\n@example.edu", "claim"),
        ("ada@example.edu\n", "domain"),
        ("ada@\u212aexample.edu", "domain"),  # the Kelvin sign becomes k in lower case
        (None, "claim"),
        (["ada@example.edu"], "claim"),
    ],
)
def test_people_of_the_named_domains_are_admitted(email, rule):
    campus = provider(domains=["example.edu", "*.example.org"])
    assert refusal(campus, email=email, email_verified=True) == rule


@pytest.mark.parametrize("verified", [False, None, "true", 1])
def test_an_address_counts_once_it_is_verified(verified):
    claims = {"email": "ada@example.edu", "email_verified": verified}
    assert refusal(provider(domains=["example.edu"]), **claims) == "unverified"
    assert refusal(provider(domains=["example.edu"], trust_email=True), **claims) is None
    assert provider().address(claims) is None


@pytest.mark.parametrize(
    ("groups", "rule"), [(["staff", "x"], None), (["students"], "group"), ("staff", "claim"), (None, "claim")]
)
def test_members_of_a_named_group_are_admitted(groups, rule):
    assert refusal(provider(groups=["staff"], groups_claim="roles"), roles=groups) == rule


def test_everybody_is_admitted_where_no_rule_is_set():
    assert refusal(provider()) is None
    assert provider().required_claims == set()


def test_a_provider_asks_for_the_claims_that_its_rules_read():
    rules = [{"role": "owner", "groups": ["root"]}, {"role": "owner", "emails": ["ada@example.edu"]}]
    assert provider(domains=["example.edu"]).required_claims == {"email", "email_verified"}
    assert provider(operator=rules, groups_claim="roles").required_claims == {"email", "email_verified", "roles"}
    assert provider(operator=rules[1:], trust_email=True).required_claims == {"email"}


def test_an_operator_has_the_highest_role_that_is_proven():
    low, *_, high = OperatorRole
    strict = {"role": high, "subjects": ["1"], "amr": ["mfa"], "acr": ["gold"]}
    campus = provider(operator=[{"role": low, "subjects": ["1"]}, strict])
    assert campus.operator_rule({"sub": "1"}).role is low
    assert campus.operator_rule({"sub": "1", "amr": ["pwd", "mfa"], "acr": "silver"}).role is low
    assert campus.operator_rule({"sub": "1", "amr": ["pwd", "mfa"], "acr": "gold"}).role is high


@pytest.mark.parametrize(("claims", "rule"), [({"sub": "2"}, "role"), ({"sub": "1", "amr": "mfa"}, "factor")])
def test_somebody_without_role_or_factor_is_no_operator(claims, rule):
    campus = provider(operator=[{"role": "owner", "subjects": ["1"], "amr": ["mfa"]}])
    with pytest.raises(SignInRefused) as refused:
        campus.operator_rule(claims)
    assert refused.value.params["rule"] == rule


def test_a_rule_for_operators_names_somebody():
    with pytest.raises(ValidationError, match="emails, groups or subjects"):
        OperatorRule.model_validate({"role": "owner"})


def test_the_digest_of_a_rule_follows_each_of_its_fields():
    rule = OperatorRule(role=OperatorRole.OWNER, subjects=("1",))
    assert rule.digest == OperatorRule(role=OperatorRole.OWNER, subjects=("1",)).digest
    changes = ({"hours": 9}, {"amr": ("mfa",)}, {"emails": ("ada@example.edu",)})
    assert len({rule.model_copy(update=change).digest for change in changes} | {rule.digest}) == 4


@pytest.mark.parametrize("claim", ["sub", "email", "groups", "amr", "acr"])
@pytest.mark.parametrize("text", ["a\nb", "\x00", "\ud800"])
def test_claims_are_printable_text(claim, text):
    campus = provider()
    campus.check_texts({"sub": "1", claim: "plain"})
    for value in (text, ["plain", 7, text]):
        with pytest.raises(SignInRefused):
            campus.check_texts({"sub": "1", claim: value})


def test_acts_are_recorded_under_the_address_or_the_subject():
    assert provider().name_of({"sub": "1", "email": "ada@example.edu", "email_verified": True}) == "ada@example.edu"
    assert provider().name_of({"sub": "1", "email": "ada@example.edu"}) == "1"


def test_the_name_in_a_header_has_one_spelling_unless_case_matters():
    header = {"name": "X-User", "proxies": ["10.0.0.0/8", "::1/128"]}
    assert TrustedHeader.model_validate(header).subject("\uff21DA") == "ada"
    assert TrustedHeader.model_validate(header | {"case_matters": True}).subject("Ada") == "Ada"


@pytest.mark.parametrize(
    ("host", "is_proxy"), [("10.1.2.3", True), ("::1", True), ("11.0.0.1", False), ("proxy", False), ("", False)]
)
def test_the_header_is_read_from_the_proxies_alone(host, is_proxy):
    header = TrustedHeader.model_validate({"name": "X-User", "proxies": ["10.0.0.0/8", "::1/128"]})
    assert header.comes_from(host) is is_proxy


def test_two_providers_have_two_names():
    with pytest.raises(ValidationError, match="two providers have one name"):
        SignInFile.model_validate({"provider": [PROVIDER, PROVIDER | {"client_id": "other"}]})


@pytest.mark.parametrize(
    "address", ["//evil.com", "/\\evil.com", "/a\\b", "https://evil.com", "", "/é", "/a\n", "/" + "a" * 200]
)
def test_somebody_who_has_signed_in_stays_in_the_arena(address):
    assert return_path(address) == "/"
    assert return_path("/owners?a=b#c") == "/owners?a=b#c"
