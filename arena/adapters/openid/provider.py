"""Sign-in by OpenID Connect (Core 1.0, Discovery 1.0): authorization code flow with PKCE (RFC 7636), state and nonce.

Authlib makes the requests and checks the claims. The operator chooses the signature algorithm, never the token or the
provider.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlencode

import httpx2
from authlib.integrations.base_client.errors import OAuthError
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import BadSignatureError, ExpiredTokenError, InvalidClaimError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from pydantic import ValidationError

from arena.adapters.openid.answers import SharedAnswer
from arena.adapters.openid.connection import new_client
from arena.adapters.openid.keys import ProviderKeys, ReadKeys, lifetime_of
from arena.domain.errors import ProviderAway, SignInRefused
from arena.domain.sign_in import ProviderMetadata
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.adapters.openid.attempt import Attempt
    from arena.domain.sign_in import SignInProvider

log = logging.getLogger(__name__)
T = TypeVar("T")

DISCOVERY: Final = "/.well-known/openid-configuration"
STEP_SECONDS: Final = 10.0
"""Longest time for all requests to a provider of one step of a sign-in."""
_SKEW: Final = 60
"""Largest difference of the clocks of provider and arena, in seconds."""
_MALFORMED: Final = (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError)
"""Errors of the libraries for JSON whose values have other types, or sizes, than they expect."""
SUBJECT_LIMIT: Final = 255
"""Longest subject in characters (OpenID Connect Core 1.0, section 2)."""


class OpenIdProvider:
    """A provider with one client for all sign-ins; client, metadata and keys are made on demand and shared.

    `callback` is the redirect URI.
    """

    def __init__(
        self,
        rules: SignInProvider,
        callback: str,
        transport: httpx2.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rules = rules
        self._registry = JWSRegistry(algorithms=[rules.algorithm], strict_check_header=False)
        # In a thread, since a TLS context holds the loop up.
        make_client = partial(new_client, rules, callback, transport)
        self._client: SharedAnswer[Any] = SharedAnswer(lambda: asyncio.to_thread(make_client), clock, lambda _: inf)
        self._metadata = SharedAnswer(self._discover, clock)
        self._keys = ProviderKeys(self._read_keys, clock)

    async def aclose(self) -> None:
        """Close the connections to the provider."""
        for answer in (self._metadata, self._keys):
            answer.close()
        if client := self._client.current:
            await client.aclose()

    async def start(self, attempt: Attempt) -> str:
        """The URL at the provider where a person signs in.

        Raises:
            ProviderAway: The provider does not answer.
        """
        metadata, client = await self._within(self._metadata_and_client())
        levels = {"acr_values": " ".join(attempt.levels)} if attempt.levels else {}
        address, _ = client.create_authorization_url(
            metadata.authorization_endpoint,
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
        return await self._within(self._claims(code, issuer, attempt))

    async def farewell(self, to: str) -> str:
        """The URL at which the provider ends its own session, leading back to `to`; `to` itself if it has none."""
        try:
            endpoint = (await self._within(self._metadata.get())).end_session_endpoint
        except ProviderAway:
            endpoint = None
        query = urlencode({"client_id": self.rules.client_id, "post_logout_redirect_uri": to})
        return f"{endpoint}?{query}" if endpoint else to

    async def _within(self, step: Coroutine[None, None, T]) -> T:
        try:
            async with asyncio.timeout(STEP_SECONDS):
                return await step
        except TimeoutError as error:
            raise self._away(error) from None

    async def _metadata_and_client(self) -> tuple[ProviderMetadata, Any]:
        return await self._metadata.get(), await self._client.get()

    async def _claims(self, code: str, issuer: str | None, attempt: Attempt) -> JsonObject:
        metadata = await self._metadata.get()
        if issuer != (self.rules.issuer if metadata.names_issuer is True or issuer is not None else None):
            raise SignInRefused(rule="token")
        token = await self._token(metadata.token_endpoint, code, attempt)
        claims = await self._complete(await self._check(token, attempt.nonce), metadata, token)
        self.rules.check_texts(claims)
        return claims

    async def _token(self, endpoint: str, code: str, attempt: Attempt) -> JsonObject:
        client = await self._client.get()
        try:
            return dict(
                await client.fetch_token(
                    endpoint, code=code, code_verifier=attempt.verifier, grant_type="authorization_code"
                )
            )
        except OAuthError as error:
            log.warning("%s refused a code: %s", self.rules.name, error)
            raise SignInRefused(rule="token") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, *_MALFORMED) as error:
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
        except (JoseError, *_MALFORMED) as error:
            log.warning("a token of %s was refused: %s", self.rules.name, error)
            raise SignInRefused(rule="token") from None
        subject = id_token.claims["sub"]
        if not isinstance(subject, str) or not 1 <= len(subject) <= SUBJECT_LIMIT:
            raise SignInRefused(rule="token")
        return id_token.claims

    async def _decode(self, text: str) -> jwt.Token:
        keys = await self._keys.get()
        try:
            return jwt.decode(text, keys.keys, registry=self._registry)
        except (InvalidKeyIdError, BadSignatureError):  # the provider may have a new key, even under a known name
            newer = await self._keys.newer(keys)
            if newer is None:
                raise
            return jwt.decode(text, newer.keys, registry=self._registry)

    async def _complete(self, claims: JsonObject, metadata: ProviderMetadata, token: JsonObject) -> JsonObject:
        """The claims, with those of the UserInfo endpoint added if a required one is missing."""
        endpoint = metadata.userinfo_endpoint
        if self.rules.required_claims <= claims.keys() or not endpoint:
            return claims
        user_info = await self._get(endpoint, {"Authorization": f"Bearer {token.get('access_token')}"})
        if user_info.get("sub") != claims["sub"]:
            raise SignInRefused(rule="token")
        # `email` and `email_verified` must come from one source: the two sources may have different addresses.
        has_verification = "email_verified" in user_info and "email_verified" not in claims
        return user_info | {name: value for name, value in claims.items() if name != "email" or not has_verification}

    async def _discover(self) -> ProviderMetadata:
        """The provider's metadata (OpenID Connect Discovery 1.0, section 4)."""
        content = await self._get(self.rules.issuer.rstrip("/") + DISCOVERY)
        try:
            metadata = ProviderMetadata.model_validate(content)
        except ValidationError as error:
            fault = error.errors()[0]
            log.error("the metadata of %s: %s: %s", self.rules.name, ".".join(map(str, fault["loc"])), fault["msg"])  # noqa: TRY400 - the fault says all
            raise ProviderAway from None
        if metadata.issuer != self.rules.issuer:
            log.error("the issuer in the metadata of %s is not that of ARENA_SIGN_IN", self.rules.name)
            raise ProviderAway
        return metadata

    async def _read_keys(self) -> ReadKeys:
        answer = await self._request((await self._metadata.get()).jwks_uri)
        try:
            # In a thread, since a provider may have thousands of them.
            keys = await asyncio.to_thread(KeySet.import_key_set, answer.json())
        except (JoseError, *_MALFORMED) as error:
            raise self._away(error) from None
        return ReadKeys(keys, lifetime_of(answer.headers.get("cache-control", "")))

    async def _get(self, address: str, headers: dict[str, str] | None = None) -> JsonObject:
        answer = await self._request(address, headers)
        try:
            return dict(answer.json())
        except _MALFORMED as error:
            raise self._away(error) from None

    async def _request(self, address: str, headers: dict[str, str] | None = None) -> httpx2.Response:
        client = await self._client.get()
        try:
            answer = await client.request("GET", address, headers=headers, withhold_token=True)
            return answer.raise_for_status()
        except (httpx2.HTTPError, httpx2.InvalidURL, *_MALFORMED) as error:
            raise self._away(error) from None

    def _away(self, error: Exception) -> ProviderAway:
        log.warning("the sign-in provider %s failed: %r", self.rules.name, error)
        return ProviderAway(retry_after=10)
