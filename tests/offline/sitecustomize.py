"""Refuses connections and name look-ups to other machines, in every Python process of the tests.

Python imports a module of this name at its start; `tests/conftest.py` puts the folder on PYTHONPATH and imports it into
the test process. A refused call fails as on a machine without a network, so a test has the same result everywhere. Only
Python's sockets are covered: not a loop that connects by itself, as uvloop does for a host name, and not programs in
other languages. The browser has its own rule in `tests/frontend/conftest.py`.
"""

from __future__ import annotations

import os
import socket
import sys
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

_SERVERS = ("ARENA_TEST_POSTGRES", "ARENA_TEST_REDIS")
"""Variables that name servers for the tests; those servers may be on other machines."""
_GIVEN = {urlsplit(os.environ.get(name, "")).hostname for name in _SERVERS}
_LOOKUPS = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_CONNECTIONS = {"socket.connect", "socket.sendto", "socket.sendmsg"}


class BeyondThisMachine(socket.gaierror):
    """A call to another machine."""


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _numeric(host: str) -> bool:
    """Whether the host is an address in any spelling, such as 0x7f000001; looking it up needs no name server."""
    try:
        return bool(_address(host) or socket.inet_aton(host))
    except OSError:
        return False


def _here(host: str) -> bool:
    """Whether a host is this machine, or a server that a developer has named for the tests."""
    if host in {"", "localhost", socket.gethostname(), *_GIVEN}:
        return True
    address = _address(host)
    return address is not None and (address.is_loopback or address.is_unspecified)


def _wanted(event: str, arguments: tuple[Any, ...]) -> str | None:
    """The host that an audit event is about, if it needs the network."""
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
