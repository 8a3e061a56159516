"""Egress policy: the server may connect to public addresses over HTTPS, and to the operator's exceptions.

An endpoint's URL is untrusted, and any name can resolve to an internal address. So `objection` only gives honest owners
an early error, and `allowed` decides when connecting.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

Address = IPv4Address | IPv6Address
HTTPS: Final = 443
_LAST_PORT: Final = 65535
_LONGEST_LABEL: Final = 63
DEFAULT_PORTS: Final = {"http": 80, "https": HTTPS}

# Own tables, because `ipaddress` changed between patch releases of Python (2002::/16, 192.0.0.0/24) and treats the
# metadata servers of two clouds as public. Sources: the IANA special-purpose registries and the clouds' manuals.
_DENIED_4: Final = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # behind a carrier's NAT; 100.100.100.200 is Alibaba's metadata server
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's metadata server
        "169.254.0.0/16",  # link-local, with the metadata server of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; 192.0.0.192 is Oracle's metadata server
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # measuring
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_PUBLIC_6: Final = ipaddress.IPv6Network("2000::/3")
"""All of the allocated global unicast space; excludes loopback, link-local, private, site-local, multicast, NAT64."""
_DENIED_6: Final = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_LOCAL_NAMES: Final = (
    *("localhost", "local", "internal", "intranet", "lan", "localdomain", "home.arpa", "in-addr.arpa"),
    *("invalid", "test", "onion", "alt"),
)
"""Last labels of names that do not resolve publicly. Sources: RFC 6761, RFC 7686, RFC 9476."""


def allowed(address: Address | str) -> bool:
    """Whether untrusted endpoints may be at this address. Text that is not a complete address is not allowed.

    An IPv4-mapped address is judged by the IPv4 address in it; NAT64, 6to4, Teredo and IPv4-compatible addresses are
    always denied, because a relay decides where they lead.
    """
    if isinstance(address, str):
        try:
            address = ipaddress.ip_address(address)
        except ValueError:
            return False
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _DENIED_4)
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None:
        return allowed(address.ipv4_mapped)
    return address in _PUBLIC_6 and not any(address in network for network in _DENIED_6)


@dataclass(frozen=True, slots=True)
class Policy:
    """The operator's exceptions: exact pairs of host, as written in URLs in lower case, and port."""

    allow: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse comma-separated `host:port` pairs, as in `10.0.0.5:8000, [fd00::5]:8000, gpu.lan:443`.

        Raises:
            ValueError: A pair is not an exact host and port.
        """
        return cls(frozenset(_pair(pair.strip()) for pair in text.split(",") if pair.strip()))

    def route(self, scheme: str, host: str, port: int | None, *, private: bool) -> Literal["open", "guarded"] | None:
        """Whether a request may go to any address, to public addresses only, or not at all.

        Args:
            scheme: `http` or `https`.
            host: As it will be resolved, without brackets.
            port: None means the scheme's default.
            private: The operator registered this URL as a private one.
        """
        port = DEFAULT_PORTS.get(scheme) if port is None else port
        if private or (host.lower(), port) in self.allow:
            return "open"
        return "guarded" if (scheme, port) == ("https", HTTPS) else None

    def objection(self, url: str) -> str | None:
        """The first reason why the policy will never allow this well-formed URL, or None.

        One of `public_https`, `bare_address`, `inside` (of a private network) and `host` (which no resolver takes).
        Only the text is checked here; the addresses of the name are checked when connecting.
        """
        parts = urlsplit(url)
        host = parts.hostname or ""
        if self.route(parts.scheme, host, parts.port, private=False) == "open":
            return None
        literal = parts.netloc.rpartition("@")[2].startswith("[")
        return "bare_address" if literal else next(_objections(parts.scheme, host, parts.port), None)


def origin(url: str) -> str:
    """Normalised scheme, host and port of a well-formed URL, to which a stored key is bound."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{parts.port or DEFAULT_PORTS[parts.scheme]}"


PUBLIC_ONLY: Final = Policy()
"""Public addresses over HTTPS, without exceptions."""


def _objections(scheme: str, host: str, port: int | None) -> Iterator[str]:
    if scheme != "https" or port not in {None, HTTPS}:
        yield "public_https"
    labels = host.rstrip(".").split(".")
    if ":" in host or _is_number(labels[-1]):
        yield "bare_address"
    if len(labels) == 1 or any(f".{host.rstrip('.')}".endswith(f".{name}") for name in _LOCAL_NAMES):
        yield "inside"
    if not all(_is_label(label) for label in labels):
        yield "host"


def _is_number(label: str) -> bool:
    """Whether a name with this last label is an IPv4 address. Source: WHATWG URL, "ends in a number checker"."""
    return label.isdigit() or label.lower().startswith("0x")


def _is_label(label: str) -> bool:
    """Whether a label has only letters and digits of any script and inner hyphens, on which all parsers agree."""
    return 0 < len(label) <= _LONGEST_LABEL and label.replace("-", "").isalnum() and "-" not in {label[0], label[-1]}


def _pair(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    name = host.removeprefix("[").removesuffix("]")
    has_port = bool(colon) and port.isascii() and port.isdigit() and 0 < int(port) <= _LAST_PORT
    if not has_port or not name or not set("/@*?#%;,= []").isdisjoint(name) or (":" in name) != host.startswith("["):
        raise ValueError(f"{text!r} is not an exact host:port")
    return name.lower(), int(port)
