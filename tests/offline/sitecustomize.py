"""Refuses connections and name look-ups that lead beyond this machine, in every Python process of the tests.

Python imports a module of this name at its start; `tests/conftest.py` puts the folder on PYTHONPATH and imports it for
the process of the tests. A refused process meets what it would meet on a machine without a network, so the outcome of a
test does not depend on where it runs. It sees what goes through Python's sockets; a loop that connects by itself, as
uvloop does when it is given a host name, and programs in other languages are not held (the browser has a rule of its
own in `tests/frontend/conftest.py`).
"""

from __future__ import annotations

import os
import socket
import sys
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

_SERVERS = ("ARENA_TEST_POSTGRES", "ARENA_TEST_REDIS")
"""Where a developer names servers for the tests; they may be elsewhere."""
_GIVEN = {urlsplit(os.environ.get(name, "")).hostname for name in _SERVERS}
_LOOKUPS = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_CONNECTIONS = {"socket.connect", "socket.sendto", "socket.sendmsg"}


class BeyondThisMachine(socket.gaierror):
    """Something asked for a place that is not on this machine."""


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _numeric(host: str) -> bool:
    """Whether it spells an address, be it as oddly as 0x7f000001: such a look-up asks nobody."""
    try:
        return bool(_address(host) or socket.inet_aton(host))
    except OSError:
        return False


def _here(host: str) -> bool:
    """Whether a name or an address is this machine's own, or of a server that was given to the tests."""
    if host in {"", "localhost", socket.gethostname(), *_GIVEN}:
        return True
    address = _address(host)
    return address is not None and (address.is_loopback or address.is_unspecified)


def _wanted(event: str, arguments: tuple[Any, ...]) -> str | None:
    """The host that somebody wants to reach, if any; looking up what is an address already asks nobody."""
    if event in _LOOKUPS:
        host = arguments[0].decode() if isinstance(arguments[0], bytes) else arguments[0]
        return None if host is None or _numeric(host) else host
    if event in _CONNECTIONS and isinstance(arguments[1], tuple):  # the address of a Unix socket is a text
        return arguments[1][0]
    return None


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if not event.startswith("socket."):
        return
    host = _wanted(event, arguments)
    if host is not None and not _here(host):
        raise BeyondThisMachine(socket.EAI_FAIL, f"tests may not reach beyond this machine: {event} {host}")


sys.addaudithook(_refuse)
