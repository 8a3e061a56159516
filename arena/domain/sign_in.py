"""The operator's file of OpenID providers, and the rules by which people may sign in.

The claims are those of OpenID Connect Core 1.0. A member is identified by issuer and subject; other claims are read for
the rules and not stored, except the name of an operator.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from fnmatch import fnmatchcase
from ipaddress import IPv4Network, IPv6Network, ip_address
from re import fullmatch
from typing import Annotated, Final, Literal, Self, cast
from unicodedata import normalize
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    field_validator,
    model_validator,
)

from arena.domain.errors import SignInRefused
from arena.domain.operators import NAME_LIMIT, OperatorRole
from arena.domain.site import LOCAL
from arena.domain.terms import JsonObject

_HOST: Final = r"[a-z0-9-]+(\.[a-z0-9-]+)+"
Domain = Annotated[str, StringConstraints(pattern=rf"^(\*\.)?{_HOST}$")]
ADDRESS_LIMIT: Final = 200
"""Longest address in the arena to which somebody returns after signing in."""


def _secure_address(address: str) -> str:
    parts = urlsplit(address)
    is_local = parts.scheme == "http" and parts.hostname in LOCAL
    if not (address.isascii() and address.isprintable() and parts.hostname and (parts.scheme == "https" or is_local)):
        raise ValueError("an address of a provider begins with https://")
    return address


ProviderAddress = Annotated[str, AfterValidator(_secure_address)]
"""An address at a provider: over HTTPS, or on this machine."""


class ProviderMetadata(BaseModel):
    """Metadata of a provider (OpenID Connect Discovery 1.0, section 3)."""

    model_config = ConfigDict(frozen=True, strict=True)

    issuer: str
    authorization_endpoint: ProviderAddress
    token_endpoint: ProviderAddress
    jwks_uri: ProviderAddress
    userinfo_endpoint: ProviderAddress | None = None
    end_session_endpoint: ProviderAddress | None = None
    names_issuer: object = Field(default=False, alias="authorization_response_iss_parameter_supported")
    """Whether its answers carry the parameter `iss` (RFC 9207)."""


class OperatorRule(BaseModel):
    """A role on the arena for people with one of the addresses, groups or subjects."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: OperatorRole
    emails: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    amr: tuple[str, ...] = ()
    """Methods of authentication (RFC 8176), such as `mfa`, of which the provider must name one; empty means any."""
    acr: tuple[str, ...] = ()
    """Levels of authentication of which the provider must state one; empty means any."""
    hours: int = Field(default=8, ge=1, le=24)
    """Hours until the operator has to sign in again."""

    @model_validator(mode="after")
    def _names_somebody(self) -> Self:
        if not (self.emails or self.groups or self.subjects):
            raise ValueError("a role needs emails, groups or subjects")
        return self

    @property
    def digest(self) -> str:
        """A digest of all fields, which identifies the rule."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:32]

    def names(self, email: str | None, groups: object, subject: str) -> bool:
        """Whether a person with these claims has the role."""
        addresses = set(map(_without_case, self.emails))
        is_in_group = isinstance(groups, list) and any(group in groups for group in self.groups)
        return is_in_group or subject in self.subjects or (email is not None and _without_case(email) in addresses)

    def proven(self, claims: Mapping[str, object]) -> bool:
        """Whether the claims have the methods and levels of authentication that the role requires."""
        methods = claims.get("amr")
        has_method = not self.amr or (isinstance(methods, list) and any(method in methods for method in self.amr))
        return has_method and (not self.acr or claims.get("acr") in self.acr)


class SignInProvider(BaseModel):
    """An OpenID provider, and which of its people may sign in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    """Name of the provider in URLs of the arena."""
    title: str = Field(min_length=1, max_length=80)
    """Text of its button."""
    issuer: ProviderAddress
    client_id: str = Field(min_length=1)
    client_secret: SecretStr = SecretStr("")
    algorithm: Literal["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"] = "RS256"
    """The only signature algorithm that is accepted for its tokens."""
    scope: str = "openid email"
    domains: tuple[Domain, ...] = ()
    """Domains of mail addresses, such as `example.edu` or `*.example.edu`; empty means any."""
    trust_email: bool = False
    """Whether mail addresses count without the claim `email_verified`."""
    groups: tuple[str, ...] = ()
    """Groups of which a member must be in one; empty means any."""
    groups_claim: str = "groups"
    hours: int = Field(default=12, ge=1, le=720)
    """Hours until a member has to sign in again."""
    owners: bool = False
    """Whether its people may register models, and sign in as owners."""
    operator: tuple[OperatorRule, ...] = ()
    """Roles on the arena; a person with several has the highest one whose factors are proven."""

    @property
    def lasting(self) -> timedelta:
        """Time for which a member stays signed in."""
        return timedelta(hours=self.hours)

    @property
    def required_claims(self) -> set[str]:
        """Names of the claims that the rules need."""
        emails = bool(self.domains) or any(rule.emails for rule in self.operator)
        groups = bool(self.groups) or any(rule.groups for rule in self.operator)
        verified = emails and not self.trust_email
        claims = {"email": emails, "email_verified": verified, self.groups_claim: groups}
        return {claim for claim, requested in claims.items() if requested}

    def operator_rule(self, claims: JsonObject) -> OperatorRule:
        """The rule by which a person has a role on the arena.

        Raises:
            SignInRefused: They have no role, or do not prove the factors that it requires.
        """
        email, groups = self.address(claims), claims.get(self.groups_claim)
        candidates = [rule for rule in self.operator if rule.names(email, groups, claims["sub"])]
        if not candidates:
            raise SignInRefused(rule="role")
        rules = [rule for rule in candidates if rule.proven(claims)]
        if not rules:
            raise SignInRefused(rule="factor")
        return max(rules, key=lambda rule: list(OperatorRole).index(rule.role))

    def address(self, claims: JsonObject) -> str | None:
        """The mail address of a person if it is verified or trusted, else None."""
        email, verified = claims.get("email"), claims.get("email_verified") is True
        return email if isinstance(email, str) and (verified or self.trust_email) else None

    def name_of(self, claims: JsonObject) -> str:
        """The name under which an operator's acts are recorded: the address, or else the subject."""
        return (self.address(claims) or str(claims["sub"]))[:NAME_LIMIT]

    def check_texts(self, claims: JsonObject) -> None:
        """Check that the claims that the rules read are printable text, as far as they are text.

        Raises:
            SignInRefused: One has control characters or lone surrogates, which no database stores and no page shows.
        """
        values = [claims.get(name) for name in ("sub", "email", self.groups_claim, "amr", "acr")]
        texts = [text for value in values for text in _texts(value)]
        if not all(text.isprintable() for text in texts):
            raise SignInRefused(rule="token")

    def admit(self, claims: JsonObject) -> None:
        """Check the claims of a person against the domains and groups.

        Raises:
            SignInRefused: A claim is missing or does not fit.
        """
        if self.domains:
            self._admit_domain(claims)
        if self.groups:
            self._admit_groups(claims.get(self.groups_claim))

    def _admit_domain(self, claims: Mapping[str, object]) -> None:
        email = claims.get("email")
        if not isinstance(email, str) or email.count("@") != 1:
            raise SignInRefused(rule="claim", claim="email")
        if not self.trust_email and claims.get("email_verified") is not True:
            raise SignInRefused(rule="unverified")
        domain = _without_case(email.rpartition("@")[2])
        if not fullmatch(_HOST, domain) or not any(fnmatchcase(domain, pattern) for pattern in self.domains):
            raise SignInRefused(rule="domain")

    def _admit_groups(self, groups: object) -> None:
        if not isinstance(groups, list):
            raise SignInRefused(rule="claim", claim=self.groups_claim)
        if not any(group in groups for group in self.groups):
            raise SignInRefused(rule="group")


class TrustedHeader(BaseModel):
    """A header in which a proxy names the person whom it has signed in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,63}$")
    proxies: tuple[IPv4Network | IPv6Network, ...] = Field(min_length=1)
    """Networks of the proxies; the header is accepted from no others."""
    case_matters: bool = False
    """Whether `Ada` and `ada` are two people. Many proxies pass a name on as typed, so the default is False."""

    def subject(self, name: str) -> str:
        """The subject for a name."""
        return name if self.case_matters else normalize("NFKC", name).casefold()

    def comes_from(self, host: str) -> bool:
        """Whether a host is one of the proxies."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.proxies)


class SignInFile(BaseModel):
    """The file that `ARENA_SIGN_IN` names."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: tuple[SignInProvider, ...] = ()
    header: TrustedHeader | None = None

    @field_validator("provider")
    @classmethod
    def _distinct(cls, providers: tuple[SignInProvider, ...]) -> tuple[SignInProvider, ...]:
        names = [provider.name for provider in providers]
        if len(set(names)) < len(names):
            raise ValueError("two providers have one name")
        return providers


def _texts(value: object) -> list[str]:
    """A text, or the texts in a list, which may come from anybody's JSON."""
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


def _without_case(address: str) -> str:
    """An address in lower case, if all of it is ASCII: `lower` makes `k` of the Kelvin sign, another address."""
    return address.lower() if address.isascii() else address


def return_path(address: str) -> str:
    """The address if it is a path within the arena, else the first page; prevents open redirects."""
    is_path = address.startswith("/") and not address.startswith(("//", "/\\")) and len(address) <= ADDRESS_LIMIT
    return address if is_path and address.isascii() and address.isprintable() and "\\" not in address else "/"
