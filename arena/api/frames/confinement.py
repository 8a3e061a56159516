"""The confinement of a page: the headers of its document, and those of the page around it in a tab of its own."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Final

from arena.domain.http_documents import FRAMES, POLICY

SANDBOX: Final = "allow-scripts"
_FEATURES: Final = (
    *("accelerometer", "autoplay"),
    *("browsing-topics", "camera", "clipboard-read", "clipboard-write", "compute-pressure", "display-capture"),
    *("encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope", "hid"),
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
"""Of the page around a page."""


def document_headers(parent: str) -> dict[str, str]:
    """The headers of a page that a model has made; `parent` is the arena's origin if it is another one."""
    policy = (
        f"sandbox {SANDBOX}; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; media-src data: blob:; form-action 'none'; base-uri 'none'; "
        f"frame-ancestors 'self'{f' {parent}' if parent else ''}"
    )
    site = {"cross-origin-resource-policy": "cross-origin" if parent else "same-origin"}
    return {**_COMMON, **site, POLICY: policy}


def whole_headers(address: str) -> dict[str, str]:
    """The headers of the page around a page in a tab of its own; `address` is its origin."""
    style = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{style}'; frame-src {address}{FRAMES}; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'none'"
    )
    # An allowlist of no connections would keep its own frame out, too.
    headers = {name: value for name, value in _COMMON.items() if name != "connection-allowlist"}
    return {**headers, "cross-origin-opener-policy": "same-origin", POLICY: policy}


def whole(path: str, title: str) -> str:
    """The page around a page in a tab of its own, where alone it could go elsewhere by itself."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<style>{STYLE}</style></head><body><iframe title="{title}" sandbox="{SANDBOX}" '
        f'referrerpolicy="no-referrer" allow="" src="{path}"></iframe>'
        "</body></html>"
    )
