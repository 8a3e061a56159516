"""Where the server may connect to: public addresses on HTTPS, and what the operator names. Pure; nothing is asked here.

An endpoint's URL is a stranger's wish. Its text proves nothing, because every spelling and every answer of a name
server can lead inside; so `objection` only spares honest people a late surprise, and `allowed` decides, at connect.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

from arena.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

Address = IPv4Address | IPv6Address
HTTPS: Final = 443
_LAST_PORT: Final = 65535
_DEFAULT_PORTS: Final = {"http": 80, "https": HTTPS}

# Own tables, because `ipaddress` changed its mind between patch releases of Python (2002::/16, 192.0.0.0/24) and takes
# the metadata servers of two clouds for public. Sources: the IANA special-purpose registries and the clouds' manuals.
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
"""All that has ever been given out; loopback, link-local, private, site-local, multicast and NAT64 lie outside."""
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
_LOCAL_NAMES: Final = ("localhost", "local", "internal", "intranet", "lan", "localdomain", "home.arpa", "in-addr.arpa")
"""Last labels of names that no public name server knows."""


def allowed(address: Address | str) -> bool:
    """Whether a stranger's endpoint may live at this address. Text that is no address in full form is not allowed.

    Of the forms that carry an IPv4 address inside, the mapped one is judged by what it carries; NAT64, 6to4, Teredo
    and compatible addresses are denied whatever they carry, because where they end is up to a relay.
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
    """What the operator opened: exact pairs of host as written in URLs, lower case, and port."""

    allow: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `host:port` pairs with commas between, as in `10.0.0.5:8000, [fd00::5]:8000, gpu.lan:443`.

        Raises:
            Invalid: A pair is not an exact host and port.
        """
        return cls(frozenset(_pair(pair.strip()) for pair in text.split(",") if pair.strip()))

    def route(self, scheme: str, host: str, port: int | None, *, private: bool) -> Literal["open", "guarded"] | None:
        """How a request may leave: to any address, to public addresses only, or not at all.

        Args:
            scheme: `http` or `https`.
            host: As it will be looked up, without brackets.
            port: None is the scheme's own.
            private: The operator registered this very URL as a private one.
        """
        port = _DEFAULT_PORTS.get(scheme) if port is None else port
        if private or (host.lower(), port) in self.allow:
            return "open"
        return "guarded" if (scheme, port) == ("https", HTTPS) else None

    def objection(self, url: str) -> str | None:
        """Why this well-formed URL cannot be registered as a public endpoint, or None.

        Only what the text alone shows is told here; where its name leads is judged at each connect.
        """
        parts = urlsplit(url)
        host = parts.hostname or ""
        if self.route(parts.scheme, host, parts.port, private=False) == "open":
            return None
        return next(_objections(parts.scheme, host, parts.port), None)


def origin(url: str) -> str:
    """Scheme, host and port of a well-formed URL in one spelling; who may receive a key is told apart by it."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{parts.port or _DEFAULT_PORTS[parts.scheme]}"


PUBLIC_ONLY: Final = Policy()
"""Nothing is open but public addresses over HTTPS."""


def _objections(scheme: str, host: str, port: int | None) -> Iterator[str]:
    if scheme != "https" or port not in {None, HTTPS}:
        yield "a public endpoint is asked over https on port 443"
    labels = host.rstrip(".").split(".")
    if ":" in host or _is_number(labels[-1]):
        yield "a public endpoint has a name, not a bare address"
    if len(labels) == 1 or any(f".{host.rstrip('.')}".endswith(f".{name}") for name in _LOCAL_NAMES):
        yield "this name is known inside a network only"
    if not all(_is_label(label) for label in labels):
        yield "the host is not a name that can be looked up"


def _is_number(label: str) -> bool:
    """Whether resolvers read a name that ends so as an IPv4 address. Source: WHATWG URL, "ends in a number checker"."""
    return label.isdigit() or label.lower().startswith("0x")


def _is_label(label: str) -> bool:
    """Letters and digits of any script, and inner hyphens; nothing that another program may read as another host."""
    return 0 < len(label) <= 63 and label.replace("-", "").isalnum() and "-" not in {label[0], label[-1]}  # noqa: PLR2004 - DNS


def _pair(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    exact = bool(colon) and port.isascii() and port.isdigit() and 0 < int(port) <= _LAST_PORT
    if not exact or not bare or not set("/@*?#%;,= []").isdisjoint(bare) or (":" in bare) != host.startswith("["):
        raise Invalid(f"ARENA_EGRESS_ALLOW: {text!r} is not an exact host:port")
    return bare.lower(), int(port)
