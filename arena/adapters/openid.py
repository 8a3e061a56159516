"""Sign-in by OpenID Connect (Core 1.0, Discovery 1.0): authorization code flow with PKCE (RFC 7636), state and nonce.

Authlib makes the requests and checks the claims. The operator chooses the signature algorithm, never the token or the
provider.
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
"""Seconds within which a sign-in has to return from the provider."""
_SKEW: Final = 60
"""Largest difference of the clocks of provider and arena, in seconds."""
_CACHE_SECONDS: Final = 3_600
"""Seconds for which a provider's metadata and keys are cached."""
_KEYS_AGAIN: Final = 60
"""Least seconds between two reads of the keys because of a token with an unknown key."""
_SECONDS: Final = 10
"""Timeout of a request to a provider."""
SUBJECT_LIMIT: Final = 255
"""Longest subject in characters (OpenID Connect Core 1.0, section 2)."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in that has begun: values that the provider's answer must match, and `to`, the path to return to."""

    provider: str
    to: str
    levels: tuple[str, ...] = ()
    """Required levels of authentication (`acr_values`)."""
    state: str = field(default_factory=secrets.token_urlsafe)
    nonce: str = field(default_factory=secrets.token_urlsafe)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))


class OpenIdProvider:
    """A provider, whose metadata and keys are read on demand; `callback` is the redirect URI."""

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
        """The URL at the provider where a person signs in."""
        metadata = await self._discover()
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
        """Exchange the code of the provider's answer for a token, and return the claims about the person.

        `issuer` is the parameter `iss` of the answer (RFC 9207), which prevents mix-up attacks between providers.

        Raises:
            SignInRefused: The token is not valid.
            ProviderAway: The provider does not answer.
        """
        metadata = await self._discover()
        has_issuer = metadata.get("authorization_response_iss_parameter_supported") is True
        if issuer != (self.rules.issuer if has_issuer or issuer is not None else None):
            raise SignInRefused(rule="token")
        token = await self._token(metadata["token_endpoint"], code, attempt)
        claims = await self._check(token, attempt.nonce)
        return await self._complete(claims, metadata, token)

    async def farewell(self, to: str) -> str:
        """The URL at which the provider ends its own session, leading back to `to`; `to` itself if it has none."""
        try:
            endpoint = (await self._discover()).get("end_session_endpoint")
        except ProviderAway:
            endpoint = None
        query = urlencode({"client_id": self.rules.client_id, "post_logout_redirect_uri": to})
        return f"{endpoint}?{query}" if endpoint else to

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

    async def _check(self, token: JsonObject, nonce: str) -> JsonObject:
        """The claims of an id token after a check of signature, issuer, audience, times and nonce."""
        options = {
            "iss": {"essential": True, "value": self.rules.issuer},
            "aud": {"essential": True, "value": self.rules.client_id},
        }
        params = {"nonce": nonce, "client_id": self.rules.client_id, "access_token": token.get("access_token")}
        try:
            id_token = await self._decode(str(token.get("id_token", "")))
            claims: Any = CodeIDToken(id_token.claims, id_token.header, options, params)
            claims.validate(leeway=_SKEW)
        except (ExpiredTokenError, InvalidClaimError) as error:
            is_of_time = isinstance(error, ExpiredTokenError) or getattr(error, "claim", "") in {"nbf", "iat"}
            log.warning("a token of %s was refused: %s", self.rules.name, error)
            raise SignInRefused(rule="clock" if is_of_time else "token") from None
        except (JoseError, ValueError, TypeError, KeyError) as error:
            log.warning("a token of %s was refused: %s", self.rules.name, error)
            raise SignInRefused(rule="token") from None
        subject = id_token.claims["sub"]
        if not isinstance(subject, str) or not 1 <= len(subject) <= SUBJECT_LIMIT:
            raise SignInRefused(rule="token")
        return id_token.claims

    async def _decode(self, text: str) -> jwt.Token:
        try:
            return jwt.decode(text, await self._key_set(), registry=self._registry)
        except InvalidKeyIdError:  # the provider has new keys
            if self._clock() - self._keys_at < _KEYS_AGAIN:
                raise
            self._keys = None
            return jwt.decode(text, await self._key_set(), registry=self._registry)

    async def _complete(self, claims: JsonObject, metadata: JsonObject, token: JsonObject) -> JsonObject:
        """The claims, with those of the UserInfo endpoint added if a required one is missing."""
        endpoint = metadata.get("userinfo_endpoint")
        if self.rules.required_claims <= claims.keys() or not endpoint:
            return claims
        user_info = await self._get(endpoint, {"Authorization": f"Bearer {token.get('access_token')}"})
        if user_info.get("sub") != claims["sub"]:
            raise SignInRefused(rule="token")
        # `email` and `email_verified` must come from one source: the two sources may have different addresses.
        has_verification = "email_verified" in user_info and "email_verified" not in claims
        return user_info | {name: value for name, value in claims.items() if name != "email" or not has_verification}

    async def _discover(self) -> JsonObject:
        """The provider's metadata (OpenID Connect Discovery 1.0, section 4)."""
        if not self._metadata or self._clock() - self._read_at > _CACHE_SECONDS:
            metadata = await self._get(self.rules.issuer.rstrip("/") + DISCOVERY)
            if metadata.get("issuer") != self.rules.issuer:
                log.error("the issuer in the metadata of %s is not that of ARENA_SIGN_IN", self.rules.name)
                raise ProviderAway
            self._metadata, self._read_at = metadata, self._clock()
        return self._metadata

    async def _key_set(self) -> KeySet:
        if self._keys is None or self._clock() - self._keys_at > _CACHE_SECONDS:
            self._keys = KeySet.import_key_set(cast("Any", await self._get((await self._discover())["jwks_uri"])))
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
        log.warning("the sign-in provider %s failed: %r", self.rules.name, error)
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
