"""Egress policy: public addresses, the operator's exceptions, and objections to URLs at registration."""

from __future__ import annotations

import ipaddress
import re

import pytest

from arena.domain.errors import Invalid
from arena_providers.transport.egress import PUBLIC_ONLY, Policy, allowed

PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.215.14 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.88.98.255
    192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 203.0.112.255 223.255.255.255
    2001:200:: 2001:4860:4860::8888 2400:cb00::1 2606:4700:4700::1111 2a00:1450::1 2c0f:fb50::1
    ::ffff:8.8.8.8 ::ffff:5db8:d70e
"""
INSIDE = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
    168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 169.254.169.123 172.16.0.1 172.31.255.255 192.0.0.1
    192.0.0.8 192.0.0.170 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255
    192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1
    255.255.255.255
    :: ::1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe ::ffff:168.63.129.16 ::ffff:0:8.8.8.8
    64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::808:808 64:ff9b:1::1 100::1 100:0:0:1::1
    2001::1 2001:0:7f00:1:: 2001:0:53aa:64c:: 2001:10::1 2001:20::1 2001:1ff:ffff:: 2001:db8::1
    2002:7f00:1:: 2002:a9fe:a9fe:: 2002:808:808:: 2620:4f:8000::1 3fff::1 3fff:fff:ffff:: 5f00::1 4000::1 1fff::1
    fc00::1 fd00:ec2::254 fd20:ce::254 fdff:ffff::1 fe80::1 fe80::a9fe:a9fe febf::1 fec0::1 feff::1 ff02::1 ff0e::1
    fe80::1%lo fe80::1%1 2606:4700:4700::1111%eth0
"""


@pytest.mark.parametrize("address", PUBLIC.split())
def test_a_public_address_is_allowed(address):
    assert allowed(address)
    assert allowed(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", INSIDE.split())
def test_an_address_that_is_not_public_is_denied(address):
    assert not allowed(address)
    assert not allowed(ipaddress.ip_address(address))


@pytest.mark.parametrize("text", ["", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "8.8.8.8:443"])
def test_what_is_no_full_address_is_denied(text):
    assert not allowed(text)


def test_nothing_that_python_calls_private_or_special_is_allowed():
    step = 2**32 // 50_021
    for number in range(0, 2**32, step):
        address = ipaddress.IPv4Address(number)
        if not address.is_global or address.is_multicast or address.is_reserved:
            assert not allowed(address)
            assert not allowed(f"::ffff:{address}")


def test_the_operator_opens_exact_pairs_only():
    policy = Policy.parse(" 10.0.0.5:8000, GPU.lan:443,[fd00::5]:8000,, ")
    assert policy.allow == {("10.0.0.5", 8000), ("gpu.lan", 443), ("fd00::5", 8000)}
    routes = {
        ("http", "10.0.0.5", 8000): "open",
        ("https", "10.0.0.5", 8000): "open",
        ("http", "10.0.0.5", 8001): None,
        ("http", "10.0.0.6", 8000): None,
        ("https", "gpu.lan", None): "open",
        ("https", "GPU.LAN", 443): "open",
        ("http", "gpu.lan", None): None,
        ("https", "a.gpu.lan", None): "guarded",
        ("https", "gpu.lan.", None): "guarded",
        ("http", "fd00::5", 8000): "open",
        ("https", "api.acme.example", None): "guarded",
        ("https", "api.acme.example", 443): "guarded",
        ("https", "api.acme.example", 8443): None,
        ("http", "api.acme.example", None): None,
        ("http", "api.acme.example", 443): None,
    }
    assert {asked: policy.route(*asked, private=False) for asked in routes} == routes
    assert policy.route("http", "anything", 1, private=True) == "open"


@pytest.mark.parametrize(
    "text",
    [
        *("10.0.0.5", "10.0.0.0/8:80", "*:80", "host:", ":80", "host:0", "host:65536", "host:-1", "host:８０"),
        *("fd00::5:80", "[host]:80", "http://host:80", "a b:80", "u@host:80", "host:1e3", "[]:80", "a;b:80"),
    ],
)
def test_a_pair_that_is_not_exact_is_told_as_such(text):
    with pytest.raises(ValueError, match=f"^{re.escape(repr(text))} is not an exact host:port$"):
        Policy.parse(text)


@pytest.mark.parametrize(
    "url",
    [
        *("https://api.openai.com/v1", "https://API.Acme.Example:443/v1/", "https://dashscope.aliyuncs.com/x"),
        *(
            "https://bücher.example/v1",
            "https://例子.测试/v1",
            "https://xn--bcher-kva.example",
            "https://a-b.c1.example.",
        ),
        *("https://1password.com", "https://0xab.example", "https://local.acme.example"),
    ],
)
def test_a_public_name_over_https_is_welcome(url):
    assert PUBLIC_ONLY.objection(url) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://api.acme.example/v1", "https on port 443"),
        ("https://api.acme.example:8443/v1", "https on port 443"),
        ("https://93.184.215.14/v1", "a name"),
        ("https://[2606:4700:4700::1111]/v1", "a name"),
        ("https://0x7f.1/", "a name"),
        ("https://2130706433/", "a name"),
        ("https://localhost/v1", "private network"),
        ("https://metadata.google.internal./", "private network"),
        ("https://[v1.x]/", "a name"),
        ("https://[v1.x]:443/v1", "a name"),
        ("https://api.acme.invalid/v1", "or nowhere"),
        ("https://api.acme.test./v1", "or nowhere"),
        ("https://abcdefghij.onion/v1", "or nowhere"),
        ("https://a..example/", "resolvable"),
        ("https://a_b%2e.example/", "resolvable"),
    ],
)
def test_what_the_text_alone_shows_is_told_at_registration(url, reason):
    assert reason in Invalid.details[str(PUBLIC_ONLY.objection(url))]


def test_an_opened_pair_may_be_registered():
    policy = Policy.parse("10.0.0.5:8000")
    assert policy.objection("http://10.0.0.5:8000/v1") is None
    assert policy.objection("http://10.0.0.5:8001/v1")
