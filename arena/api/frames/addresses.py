"""Web pages of models: encrypted addresses, the document with its prelude, and the headers that confine it."""

from __future__ import annotations

import hashlib
import json
import re
import time
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from arena.adapters.store.keyring import seal, unseal
from arena.domain.errors import KeyLost, NotFound
from arena.domain.http_documents import FRAMES, POLICY
from arena.domain.terms import Side
from arena.usecases.battles.web_pages import PagePlace

if TYPE_CHECKING:
    from collections.abc import Callable

LIFETIME: Final = 600
"""Seconds for which an address is valid."""
_BOUND: Final = b"frame"
# Possessive: backtracking over hundreds of comments would take exponential time.
_BEFORE: Final = r"\ufeff?(?:\s|<!--(?:(?!-->).){0,4000}+-->)*+"
_DOCTYPE: Final = re.compile(rf"{_BEFORE}<!doctype[^<>]{{0,400}}>", re.IGNORECASE | re.DOTALL)
_ROOT_MODE: Final = re.compile("(shadowroot)mode", re.IGNORECASE | re.ASCII)
"""The attribute with which a parser makes a shadow root; no name of an attribute has character references."""
SANDBOX: Final = "allow-scripts"
_FEATURES: Final = (
    *("accelerometer", "autoplay"),
    *("browsing-topics", "camera", "clipboard-read", "clipboard-write", "compute-pressure", "display-capture"),
    *("encrypted-media", "focus-without-user-activation", "fullscreen", "gamepad", "geolocation", "gyroscope", "hid"),
    *("identity-credentials-get", "idle-detection", "keyboard-map", "local-fonts", "magnetometer", "microphone"),
    *("midi", "otp-credentials", "payment", "picture-in-picture", "publickey-credentials-create"),
    *("publickey-credentials-get", "screen-wake-lock", "serial", "speaker-selection", "storage-access", "sync-xhr"),
    *("usb", "window-management", "xr-spatial-tracking"),
)
_COMMON: Final = {
    "cache-control": "no-store",
    "connection-allowlist": "()",
    "permissions-policy": ", ".join(f"{feature}=()" for feature in _FEATURES),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "x-robots-tag": "noindex",
    "vary": "sec-fetch-dest",
}
STYLE: Final = "html,body,iframe{margin:0;width:100%;height:100%;border:0;display:block}"
"""Style of the outer page in a tab of its own."""


@dataclass(frozen=True, slots=True)
class FrameAddresses:
    """Makes and reads addresses; each contains its page's place, encrypted, so that any process can read it.

    `origin` is the site that pages are served from if it is not the arena's own, `parent` the arena's public address.
    """

    secret: bytes
    origin: str = ""
    parent: str = ""
    clock: Callable[[], float] = time.time

    def of(self, place: PagePlace) -> str:
        """A new address for the page of this place."""
        data = json.dumps([*place, int(self.clock()) + LIFETIME]).encode()
        token = urlsafe_b64encode(seal(self._cipher, data, _BOUND)).rstrip(b"=").decode()
        return f"{self.origin}{FRAMES}{token}"

    def place(self, token: str) -> PagePlace:
        """The place of the page with this token.

        Raises:
            NotFound: It is not the arena's, or has expired.
        """
        try:
            sealed = urlsafe_b64decode(token + "=" * (-len(token) % 4))
            *place, until = json.loads(unseal(self._cipher, sealed, _BOUND, "the address"))
        except (KeyLost, Error, ValueError):
            raise NotFound from None
        if until < self.clock():
            raise NotFound
        battle, number, generation, side = place
        return PagePlace(battle, number, generation, Side(side))

    @property
    def _cipher(self) -> AESGCM:
        return AESGCM(hashlib.sha256(b"frames" + self.secret).digest())


def framed(source: str) -> str:
    """The source with the prelude behind its doctype, or at the start, so that it runs before the page's scripts.

    Templates stay templates: the prelude could not see a frame in a closed shadow root that the parser makes.
    """
    source = _ROOT_MODE.sub(r"\1none", source)
    match = _DOCTYPE.match(source)
    start = match.end() if match else 0
    return f"{source[:start]}{_prelude()}{source[start:]}"


def guarded(source: str) -> str:
    """A document that writes the framed source inside a frame only, and in a tab of its own is empty.

    It is for browsers that do not say what they load a document for, as none does over plain HTTP.
    """
    text = json.dumps(framed(source)).replace("<", "\\u003c")
    return (
        f"<!DOCTYPE html><script>if (self !== top) document.open(), document.write({text}), document.close();</script>"
    )


@cache
def _prelude() -> str:
    script = resources.files("arena.api.frames").joinpath("prelude.js").read_text(encoding="utf-8")
    return f"<script>{script}</script>"


def document_headers(parent: str) -> dict[str, str]:
    """The headers of a page that a model has made; `parent` is the arena's origin if the page has another one."""
    policy = (
        f"sandbox {SANDBOX}; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; media-src data: blob:; form-action 'none'; base-uri 'none'; "
        f"frame-ancestors 'self'{f' {parent}' if parent else ''}"
    )
    site = {"cross-origin-resource-policy": "cross-origin" if parent else "same-origin"}
    return {**_COMMON, **site, POLICY: policy}


def whole_headers(address: str) -> dict[str, str]:
    """The headers of the outer page in a tab of its own; `address` is its origin."""
    style = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{style}'; frame-src {address}{FRAMES}; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'none'"
    )
    # An empty allowlist of connections would block the frame, too.
    headers = {name: value for name, value in _COMMON.items() if name != "connection-allowlist"}
    return {**headers, "cross-origin-opener-policy": "same-origin", POLICY: policy}


def whole(path: str, title: str) -> str:
    """The outer page in a tab of its own: its frame confines the document, which alone could navigate elsewhere."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<style>{STYLE}</style></head><body><iframe title="{title}" sandbox="{SANDBOX}" '
        f'referrerpolicy="no-referrer" allow="" src="{path}"></iframe>'
        "</body></html>"
    )
