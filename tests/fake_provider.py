"""An OpenID provider in the test process: correct by default, and faulty where a test sets it so."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from joserfc import jws, jwt
from joserfc.jwk import RSAKey

ISSUER = "https://login.example.edu"
CLIENT = "arena"
KEY = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
FOREIGN_KEY = RSAKey.generate_key(2048, {"kid": "one"})


def unsigned_token(claims: dict[str, Any]) -> str:
    """A token without a signature."""
    return f"{_base64(_json({'alg': 'none'}))}.{_base64(_json(claims))}."


def key_confusion_token(claims: dict[str, Any]) -> str:
    """A token whose HMAC has the provider's public key as its secret."""
    text = f"{_base64(_json({'alg': 'HS256', 'kid': 'one'}))}.{_base64(_json(claims))}"
    return f"{text}.{_base64(hmac.digest(KEY.as_pem(private=False), text.encode(), 'sha256'))}"


def signed_token(claims: dict[str, Any], key: RSAKey = KEY, **header: str) -> str:
    """A correctly signed token."""
    head = {"alg": "RS256", "kid": "one"} | header
    return jwt.encode(head, claims, key, algorithms=[head["alg"]])


def escaped_token(claims: dict[str, Any]) -> str:
    """A correctly signed token whose JSON escapes all but ASCII, as lone surrogates have to be."""
    return jws.serialize_compact({"alg": "RS256", "kid": "one"}, _json(claims), KEY, algorithms=["RS256"])


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode()


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class FakeProvider:
    """Serves discovery, keys, tokens and user info; a test may change `claims` and `sign`."""

    claims: dict[str, Any] = field(default_factory=dict[str, Any])
    sign: Callable[[dict[str, Any]], str] = signed_token
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "ada"})
    is_down: bool = False
    issuer: str = ISSUER
    query: dict[str, str] = field(default_factory=dict[str, str])
    requests: Counter[str] = field(default_factory=Counter[str])
    """Number of requests by path."""
    stead: dict[str, Callable[[], httpx2.Response]] = field(default_factory=dict[str, Callable[[], httpx2.Response]])
    """Answers in place of the right ones, by path."""

    def transport(self) -> httpx2.AsyncBaseTransport:
        """The transport by which a client reaches it."""
        return httpx2.MockTransport(self.answer)

    def login(self, address: str) -> dict[str, str]:
        """Let somebody sign in at the address to which they were sent; returns the query they come back with."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        self.query = query
        return {"code": "a code", "state": query["state"]}

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        """The answer to a request of the arena."""
        self.requests[request.url.path] += 1
        if self.is_down:
            raise httpx2.ConnectError("down")
        pages: dict[str, Callable[[httpx2.Request], Any]] = {
            "/.well-known/openid-configuration": self._discovery,
            "/keys": lambda _: {"keys": [KEY.as_dict(private=False)]},
            "/token": self._token,
            "/person": lambda _: self.person,
        }
        if answer := self.stead.get(request.url.path):
            return answer()
        answer = pages[request.url.path](request)
        return answer if isinstance(answer, httpx2.Response) else httpx2.Response(200, json=answer)

    def _discovery(self, _: httpx2.Request) -> dict[str, Any]:
        addresses = {
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/person",
            "end_session_endpoint": f"{self.issuer}/end",
        }
        return {"issuer": self.issuer} | addresses | self.metadata

    def _token(self, request: httpx2.Request) -> Any:
        form = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        challenge = _base64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if challenge != self.query.get("code_challenge") or self.query.get("code_challenge_method") != "S256":
            return httpx2.Response(400, json={"error": "invalid_grant"})
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": "ada",
            "aud": CLIENT,
            "exp": now + 300,
            "iat": now,
            "nonce": self.query["nonce"],
        }
        claims = {name: value for name, value in (claims | self.claims).items() if value is not None}
        return {"access_token": "an access token", "token_type": "Bearer", "id_token": self.sign(claims)}
