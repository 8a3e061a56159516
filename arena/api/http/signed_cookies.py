"""Cookies whose content the arena has signed, so that a browser can keep it and nobody can change it."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from arena.domain.privacy.keyed_digest import keyed_digest

if TYPE_CHECKING:
    from fastapi import Request, Response

    from arena.api.http.voter_cookie import Cookies


@dataclass(frozen=True, slots=True)
class SignedCookie:
    """A cookie for the addresses below `path`; `purpose` keeps its signatures apart from those of other cookies."""

    name: str
    path: str
    purpose: str
    same_site: Literal["lax", "strict"] = "lax"

    def keep(self, response: Response, content: dict[str, Any], seconds: int, cookies: Cookies) -> None:
        """Have the browser keep `content` for so many seconds, in place of what it kept before."""
        response.set_cookie(
            self.name,
            seal(content, seconds, self.purpose, cookies),
            path=self.path,
            max_age=seconds,
            httponly=True,
            samesite=self.same_site,
            secure=cookies.secure,
        )

    def read(self, request: Request, cookies: Cookies) -> dict[str, Any] | None:
        """The content of a request's cookie; None without one that the arena has signed and that has not ended."""
        return unseal(request.cookies.get(self.name, ""), self.purpose, cookies)

    def drop(self, response: Response, cookies: Cookies) -> None:
        """Delete the cookie."""
        response.delete_cookie(self.name, path=self.path, httponly=True, samesite=self.same_site, secure=cookies.secure)


def seal(content: dict[str, object], seconds: int, purpose: str, cookies: Cookies) -> str:
    """Content as a text that holds for so many seconds and that the arena alone can make."""
    dated = content | {"until": int(time.time()) + seconds}
    text = urlsafe_b64encode(json.dumps(dated).encode()).decode()
    return f"{text}.{keyed_digest(cookies.secret, f'{purpose} {text}')}"


def unseal(sealed: str, purpose: str, cookies: Cookies) -> dict[str, Any] | None:
    """The content of a text that the arena has sealed for this purpose and that still holds; None of any other."""
    text, _, signature = sealed.partition(".")
    if not text or not hmac.compare_digest(
        signature.encode(), keyed_digest(cookies.secret, f"{purpose} {text}").encode()
    ):
        return None
    content: dict[str, Any] = json.loads(urlsafe_b64decode(text))
    return content if content["until"] >= time.time() else None
