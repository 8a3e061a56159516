"""The arena's address for absolute links: the operator's, or that of a request to this machine or its own network.

A host name comes from the request, which anybody can write, so that no other name is ever put into a page.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import cache
from typing import Final

_HOST: Final = re.compile(r"(\[[0-9a-f:]{2,45}\]|[a-z0-9.-]{1,253})(:\d{1,5})?")


def link_address(configured: str, scheme: str, host: str) -> str:
    """Return `configured`, or else SCHEME://HOST for an allowed `host` of a request, or else an empty string."""
    if configured:
        return configured
    match = _HOST.fullmatch(host.lower())
    return f"{scheme}://{match[0]}" if match and _is_local(match[1].strip("[]")) else ""


def _is_local(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_private
    except ValueError:
        return name in _names()


@cache
def _names() -> frozenset[str]:
    """Names of this machine."""
    return frozenset({"localhost", socket.gethostname().lower()})
