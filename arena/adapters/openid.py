"""OpenID Connect (Core 1.0, Discovery 1.0): a person is sent to their provider and comes back with a signed token.

Authorization code flow with PKCE (RFC 7636), state and nonce. Authlib speaks to the provider and checks the claims; the
algorithm of signatures is the operator's choice, never the token's or the provider's.
"""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlencode

import httpx2
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import ExpiredTokenError, InvalidClaimError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from arena.domain.errors import ProviderAway, SignInRefused
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.domain.sign_in import SignInProvider

log = logging.getLogger(__name__)

DISCOVERY: Final = "/.well-known/openid-configuration"
ATTEMPT_SECONDS: Final = 600
"""Seconds that somebody has at their provider."""
_SKEW: Final = 60
"""Seconds by which the clocks of provider and arena may be apart."""
_KEPT: Final = 3_600
"""Seconds for which a provider's addresses and keys are kept."""
_KEYS_AGAIN: Final = 60
"""Seconds before keys are read again for a token that names an unknown one."""
_SECONDS: Final = 10
SUBJECT_LIMIT: Final = 255
"""Longest subject in characters (OpenID Connect Core 1.0, section 2)."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sign-in under way: what the answer of the provider must match, and where it leads afterwards."""

    provider: str
    to: str
    levels: tuple[str, ...] = ()
    """Levels of authentication that are asked for."""
    state: str = field(default_factory=secrets.token_urlsafe)
    nonce: str = field(default_factory=secrets.token_urlsafe)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))


class OpenIdProvider:
    """A provider, whose addresses and keys are read when they are needed; `callback` is where it sends people back."""

    def __init__(
        self,
        rules: SignInProvider,
        callback: str,
        transport: httpx2.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.rules = rules
        self._registry = JWSRegistry(algorithms=[rules.algorithm], strict_check_header=False)
        self._callback = callback
        self._transport = transport
        self._clock = clock
        self._metadata: JsonObject = {}
        self._keys: KeySet | None = None
        self._read_at = self._keys_at = 0.0

    async def start(self, attempt: Attempt) -> str:
        """Return the address at the provider to which somebody is sent."""
        metadata = await self._discovered()
        levels = {"acr_values": " ".join(attempt.levels)} if attempt.levels else {}
        address, _ = self._client().create_authorization_url(
            metadata["authorization_endpoint"],
            state=attempt.state,
            nonce=attempt.nonce,
            code_verifier=attempt.verifier,
            **levels,
        )
        return address

    async def claims(self, code: str, issuer: str | None, attempt: Attempt) -> JsonObject:
        """Exchange the code that somebody came back with for what the provider says of them.

        `issuer` is the parameter `iss` of the answer (RFC 9207), by which one provider cannot pass for another.

        Raises:
            SignInRefused: The token does not hold.
            ProviderAway: The provider does not answer.
        """
        metadata = await self._discovered()
        promised = metadata.get("authorization_response_iss_parameter_supported") is True
        if issuer != (self.rules.issuer if promised or issuer is not None else None):
            raise SignInRefused(rule="token")
        token = await self._token(metadata["token_endpoint"], code, attempt)
        claims = await self._checked(token, attempt.nonce)
        return await self._completed(claims, metadata, token)

    async def farewell(self, to: str) -> str:
        """Return the address at which the provider ends its own session too; `to` where it has none."""
        try:
            place = (await self._discovered()).get("end_session_endpoint")
        except ProviderAway:
            place = None
        query = urlencode({"client_id": self.rules.client_id, "post_logout_redirect_uri": to})
        return f"{place}?{query}" if place else to

    async def _token(self, endpoint: str, code: str, attempt: Attempt) -> JsonObject:
        try:
            async with self._client() as client:
                return dict(
                    await client.fetch_token(
                        endpoint, code=code, code_verifier=attempt.verifier, grant_type="authorization_code"
                    )
                )
        except OAuthError as error:
            log.warning("%s refused a code: %s", self.rules.name, error)
            raise SignInRefused(rule="token") from None
        except (httpx2.HTTPError, ValueError) as error:
            raise self._away(error) from None

    async def _checked(self, token: JsonObject, nonce: str) -> JsonObject:
        """The claims of a token whose signature, issuer, audience, times and nonce hold."""
        options = {
            "iss": {"essential": True, "value": self.rules.issuer},
            "aud": {"essential": True, "value": self.rules.client_id},
        }
        params = {"nonce": nonce, "client_id": self.rules.client_id, "access_token": token.get("access_token")}
        try:
            signed = await self._signed(str(token.get("id_token", "")))
            checked: Any = CodeIDToken(signed.claims, signed.header, options, params)
            checked.validate(leeway=_SKEW)
        except (ExpiredTokenError, InvalidClaimError) as error:
            late = isinstance(error, ExpiredTokenError) or getattr(error, "claim", "") in {"nbf", "iat"}
            log.warning("a token of %s was refused: %s", self.rules.name, error)
            raise SignInRefused(rule="clock" if late else "token") from None
        except (JoseError, ValueError, TypeError, KeyError) as error:
            log.warning("a token of %s was refused: %s", self.rules.name, error)
            raise SignInRefused(rule="token") from None
        subject = signed.claims["sub"]
        if not isinstance(subject, str) or not 1 <= len(subject) <= SUBJECT_LIMIT:
            raise SignInRefused(rule="token")
        return signed.claims

    async def _signed(self, text: str) -> jwt.Token:
        try:
            return jwt.decode(text, await self._key_set(), registry=self._registry)
        except InvalidKeyIdError:  # the provider has new keys
            if self._clock() - self._keys_at < _KEYS_AGAIN:
                raise
            self._keys = None
            return jwt.decode(text, await self._key_set(), registry=self._registry)

    async def _completed(self, claims: JsonObject, metadata: JsonObject, token: JsonObject) -> JsonObject:
        """The claims, with those of the provider's endpoint for them where a rule asks for one that is missing."""
        place = metadata.get("userinfo_endpoint")
        if self.rules.required_claims <= claims.keys() or not place:
            return claims
        further = await self._get(place, {"Authorization": f"Bearer {token.get('access_token')}"})
        if further.get("sub") != claims["sub"]:
            raise SignInRefused(rule="token")
        # An address and whether it is verified come from one place: the mark of one says nothing of another.
        elsewhere = "email_verified" in further and "email_verified" not in claims
        return further | {name: value for name, value in claims.items() if name != "email" or not elsewhere}

    async def _discovered(self) -> JsonObject:
        """The provider's addresses (OpenID Connect Discovery 1.0, section 4)."""
        if not self._metadata or self._clock() - self._read_at > _KEPT:
            metadata = await self._get(self.rules.issuer.rstrip("/") + DISCOVERY)
            if metadata.get("issuer") != self.rules.issuer:
                log.error("%s calls itself another issuer than ARENA_SIGN_IN does", self.rules.name)
                raise ProviderAway
            self._metadata, self._read_at = metadata, self._clock()
        return self._metadata

    async def _key_set(self) -> KeySet:
        if self._keys is None or self._clock() - self._keys_at > _KEPT:
            self._keys = KeySet.import_key_set(cast("Any", await self._get((await self._discovered())["jwks_uri"])))
            self._keys_at = self._clock()
        return self._keys

    async def _get(self, address: str, headers: dict[str, str] | None = None) -> JsonObject:
        client = httpx2.AsyncClient(transport=self._transport, timeout=_SECONDS, trust_env=False)
        try:
            async with client:
                return dict((await client.get(address, headers=headers)).raise_for_status().json())
        except (httpx2.HTTPError, ValueError, TypeError) as error:
            raise self._away(error) from None

    def _away(self, error: Exception) -> ProviderAway:
        log.warning("%s does not answer as it should: %r", self.rules.name, error)
        return ProviderAway(retry_after=10)

    def _client(self) -> Any:  # noqa: ANN401 - Authlib gives no types
        return AsyncOAuth2Client(
            client_id=self.rules.client_id,
            client_secret=self.rules.client_secret.get_secret_value() or None,
            token_endpoint_auth_method="client_secret_basic" if self.rules.client_secret.get_secret_value() else "none",
            scope=self.rules.scope,
            redirect_uri=self._callback,
            code_challenge_method="S256",
            transport=self._transport,
            timeout=_SECONDS,
            trust_env=False,
        )
