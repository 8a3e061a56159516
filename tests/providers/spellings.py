"""URLs by which an attacker may try to reach internal hosts: addresses in all spellings, and internal names."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

INNER = ("127.0.0.1", "169.254.169.254", "10.0.0.1", "192.168.1.1", "100.100.100.200", "168.63.129.16", "0.0.0.0")  # noqa: S104 - hostile
METADATA = (
    *("metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"),
    *("metadata.azure.internal", "metadata.tencentyun.com", "metadata.packet.net", "kubernetes.default.svc"),
    *("kubernetes.default.svc.cluster.local", "host.docker.internal", "gateway.docker.internal", "rancher-metadata"),
)
REBOUND = (
    *("localtest.me", "lvh.me", "vcap.me", "127.0.0.1.nip.io", "7f000001.nip.io", "127-0-0-1.sslip.io"),
    *("make-127-0-0-1-rr.1u.ms", "7f000001.c0a80001.rbndr.us", "spoofed.burpcollaborator.net", "evil.example"),
)
LOCAL = (
    *("localhost", "LOCALHOST", "LocalHost", "localhost.", "foo.localhost", "localhost.localdomain", "ip6-localhost"),
    *("ip6-loopback", "router.lan", "db.internal", "printer.local", "wiki.intranet", "nas.home.arpa", "broadcasthost"),
)
_WIDE = {ord(digit): 0xFF10 + int(digit) for digit in "0123456789"}
_CIRCLED = str.maketrans("123456789", "①②③④⑤⑥⑦⑧⑨")


def urls() -> list[str]:
    """All URLs, without duplicates."""
    return list(dict.fromkeys(_urls()))


def _urls() -> Iterator[str]:
    for address in INNER:
        for host in (*_of_four(address), *_of_six(address)):
            yield f"https://{host}/v1"
    for name in (*METADATA, *REBOUND, *LOCAL):
        yield from (f"https://{name}/v1", f"https://{name}.:443/v1", f"http://{name}/v1", f"https://{name}:8443/v1")
    for address in INNER[:2]:
        yield from _misread(address)
        yield from (f"http://{address}{port}/v1" for port in ("", ":22", ":80", ":443", ":6379", ":8000", ":11434"))
        yield from (
            f"https://{address}:{port}/v1" for port in ("0", "00443", "8443", "+443", "4 43", "65979", "４４３")
        )
        yield from (f"{scheme}://{address}/v1" for scheme in ("HTTP", "hTTpS", "ftp", "gopher", "file", "ws", "unix"))


def _of_four(address: str) -> Iterator[str]:
    """The forms that the C library, browsers and lenient parsers accept for this address."""
    number = int(ipaddress.IPv4Address(address))
    a, b, c, d = map(int, address.split("."))
    yield from (address, f"{address}.", str(number), f"0x{number:x}", f"0X{number:08X}", f"0{number:o}", f"{number}.")
    yield from (f"{a}.{number & 0xFFFFFF}", f"{a}.{b}.{number & 0xFFFF}", f"0x{a:x}.{number & 0xFFFFFF}")
    yield from (f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"{a:#x}.{b:#x}.{c:#x}.{d:#x}", f"{a:#x}.{b}.0{c:o}.{d}")
    yield from (
        f"{a:03}.{b:03}.{c:03}.{d:03}",
        f"00000{a:o}.{b}.{c}.{d}",
        str(number + 2**32),
        f"{a + 256}.{b}.{c}.{d}",
    )
    yield from (address.translate(_WIDE), address.translate(_CIRCLED), str(number).translate(_WIDE))
    yield from (address.replace(".", dot) for dot in ("\u3002", "\uff0e", "\uff61", "%2e", "\u2024"))
    yield from (f"%{ord(address[0]):x}{address[1:]}", f"\u200b{address}", f"{address}\u00ad", f" {address}")
    yield from (address.replace(".", "\u200d."), f"{address}%00.example", f"{address}%20", f"{address}\t")


def _of_six(address: str) -> Iterator[str]:
    """IPv6 addresses that lead to this one by mapping, translation or a tunnel, or claim to."""
    number = int(ipaddress.IPv4Address(address))
    high, low, turned = number >> 16, number & 0xFFFF, number ^ 0xFFFFFFFF
    inner = f"{high:x}:{low:x}"
    yield from (f"[::ffff:{address}]", f"[::ffff:{inner}]", f"[0:0:0:0:0:ffff:{inner}]", f"[::FFFF:{inner.upper()}]")
    yield from (f"[::{address}]", f"[::{inner}]", f"[::ffff:0:{address}]", f"[::ffff:0:{inner}]")
    yield from (f"[64:ff9b::{address}]", f"[64:ff9b::{inner}]", f"[64:ff9b:1::{inner}]", f"[2002:{inner}::1]")
    yield from (f"[2001:0:{inner}::1]", f"[2001:0:808:808:0:0:{turned >> 16:x}:{turned & 0xFFFF:x}]")
    yield from (f"[fe80::5efe:{inner}]", f"[fe80::{inner}%lo]", f"[fe80::{inner}%25lo]", f"[::1%25{low}]")
    yield from (f"[::ffff:{address}%25lo]", f"[::ffff:{inner}", f"::ffff:{inner}", f"[{address}]", f"[v1.{address}]")
    yield from (f"[fec0::{inner}]", f"[fd00:ec2::{inner}]", f"[3fff::{inner}]", f"[5f00::{inner}]", f"[ff02::{inner}]")


def _misread(address: str) -> Iterator[str]:
    """URLs in which one parser sees a public host and another this address."""
    good = "api.acme.example"
    yield from (f"https://{good}@{address}/v1", f"https://{good}:443@{address}/v1", f"https://{good}%40{address}/v1")
    yield from (f"https://user:secret@{address}/", f"https://@{address}/", f"https://a@{good}@{address}/")
    yield from (f"https://{address}\\@{good}/", f"https://{good}\\@{address}/", f"https:\\\\{address}/v1")
    yield from (f"https://{address}#@{good}/", f"https://{address}?@{good}/", f"https://{good}#@{address}/")
    yield from (f"https:///{address}/v1", f"https:/{address}/v1", f"https:{address}/v1", f"//{address}/v1", address)
    yield from (f"https://{address}%0d%0aHost:%20x/", f"https://{address}\r\n/v1", f"ht\ntps://{address}/v1")
    yield from (
        f" https://{address}/",
        f"https://{address} /v1",
        f"https://{address}:443:80/",
        f"https://{address}:@{good}",
    )
    yield from (
        f"https://[{address}/v1",
        f"https://{address}]/v1",
        f"https://{address};{good}/",
        f"https://{good},{address}/",
    )
