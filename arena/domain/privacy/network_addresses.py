"""Addresses that name one connection or device on a network: IP and MAC. For texts in lower case."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

_V4: Final = re.compile(r"(?<![\w.])(?<!v)(?<!version )(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)", re.ASCII)
_V6: Final = re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){1,6}(?![\w:])", re.ASCII)
_MAC: Final = re.compile(
    r"(?<![\w:.-])(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})"
    r"(?![\w]|[:.-][0-9a-f])"
    r"|(?:mac|物理地址|网卡地址|蓝牙地址|bluetooth)(?: ?(?:address|addr|地址|is|是|为|[:=]))* ?(?:[0-9a-f]{12}|(?:[0-9a-f]{2} ){5}[0-9a-f]{2})(?!\w)",
    re.ASCII,
)
_SHARED: Final = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "224.0.0.0/3",
            "::/127",
            "fc00::/7",
            "fe80::/10",
            "ff00::/8",
        ),
    )
)
"""Networks whose addresses identify nobody. Those for documentation are not here: people write them for their own."""
_RESOLVERS: Final = frozenset(
    map(
        ip_address,
        (
            "1.1.1.1",
            "1.0.0.1",
            "1.2.3.4",
            "8.8.8.8",
            "8.8.4.4",
            "9.9.9.9",
            "114.114.114.114",
            "223.5.5.5",
            "223.6.6.6",
            "119.29.29.29",
            "180.76.76.76",
            "208.67.222.222",
            "208.67.220.220",
        ),
    )
)
"""Public DNS resolvers, and the example 1.2.3.4."""
_FEWEST_SIGNS: Final = 3
"""Least number of different hexadecimal digits of a real hardware address; examples such as ff:ff:… have fewer."""


def holds_ip(text: str) -> bool:
    """Whether a text in lower case has a public IP address that may identify a person's connection."""
    return any(_is_personal(match[0]) for pattern in (_V4, _V6) for match in pattern.finditer(text))


def holds_mac(text: str) -> bool:
    """Whether a text in lower case has a hardware (MAC) address."""
    return any(len(set(match[0]) - set(":-.")) >= _FEWEST_SIGNS for match in _MAC.finditer(text))


def _is_personal(text: str) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return address not in _RESOLVERS and not any(_in(address, network) for network in _SHARED)


def _in(address: IPv4Address | IPv6Address, network: object) -> bool:
    return address in network  # type: ignore[operator]
