"""The operator's file of providers, and the rules by which a person whom one of them vouches for enters.

OpenID Connect Core 1.0 names the claims. A person is known by issuer and subject alone; names and addresses are read
for the rules and not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from fnmatch import fnmatchcase
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints, field_validator

from arena.domain.errors import SignInRefused

Domain = Annotated[str, StringConstraints(pattern=r"^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$")]
LOCAL: Final = ("127.0.0.1", "localhost", "::1")
"""Hosts on which a provider may do without TLS."""
ADDRESS_LIMIT: Final = 200
"""Longest address in the arena to which somebody returns after signing in."""


class SignInProvider(BaseModel):
    """One OpenID provider, and whom of its people the arena takes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    """The provider in addresses of the arena."""
    title: str = Field(min_length=1, max_length=80)
    """The text on its button."""
    issuer: str
    client_id: str = Field(min_length=1)
    client_secret: SecretStr = SecretStr("")
    algorithm: Literal["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"] = "RS256"
    """The only algorithm in which its tokens may be signed."""
    scope: str = "openid email"
    domains: tuple[Domain, ...] = ()
    """Domains of mail addresses, such as `example.edu` or `*.example.edu`; empty means any."""
    trust_email: bool = False
    """Whether an address counts that the provider does not call verified."""
    groups: tuple[str, ...] = ()
    """Groups of which a member must be in one; empty means any."""
    groups_claim: str = "groups"
    hours: int = Field(default=12, ge=1, le=720)
    """Hours until a member has to sign in again."""

    @field_validator("issuer")
    @classmethod
    def _secure(cls, issuer: str) -> str:
        parts = urlsplit(issuer)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOCAL):
            raise ValueError("an issuer begins with https://")
        return issuer

    @property
    def lasting(self) -> timedelta:
        """How long a member stays signed in."""
        return timedelta(hours=self.hours)

    def admit(self, claims: Mapping[str, Any]) -> None:
        """Check the claims of a person against the domains and groups.

        Raises:
            SignInRefused: A claim is missing or does not fit.
        """
        if self.domains:
            self._admit_domain(claims)
        if self.groups:
            self._admit_groups(claims.get(self.groups_claim))

    def _admit_domain(self, claims: Mapping[str, Any]) -> None:
        email = claims.get("email")
        if not isinstance(email, str) or email.count("@") != 1:
            raise SignInRefused(rule="claim", claim="email")
        if not self.trust_email and claims.get("email_verified") is not True:
            raise SignInRefused(rule="unverified")
        domain = email.rpartition("@")[2].lower()
        if not any(fnmatchcase(domain, pattern) for pattern in self.domains):
            raise SignInRefused(rule="domain")

    def _admit_groups(self, groups: object) -> None:
        if not isinstance(groups, list):
            raise SignInRefused(rule="claim", claim=self.groups_claim)
        if not any(group in groups for group in self.groups):
            raise SignInRefused(rule="group")


class TrustedHeader(BaseModel):
    """A header in which a proxy that has signed somebody in names them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,63}$")
    proxies: tuple[IPv4Network | IPv6Network, ...] = Field(min_length=1)
    """Networks of the proxies, the only ones that may send it."""

    def comes_from(self, host: str) -> bool:
        """Whether a connection from this host may bring the header."""
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


def return_path(address: str) -> str:
    """The address within the arena to return to, or the first page for any other address."""
    inside = address.startswith("/") and not address.startswith(("//", "/\\")) and len(address) <= ADDRESS_LIMIT
    return address if inside and address.isascii() and address.isprintable() and "\\" not in address else "/"
