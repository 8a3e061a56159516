import pytest
from fastapi import Request

from arena.api.http.clients import client_of
from arena.domain.terms import Client


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({}, Client.PROGRAM),
        ({"user-agent": "python-httpx2/1"}, Client.PROGRAM),
        ({"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"}, Client.DESKTOP),
        ({"user-agent": "Mozilla/5.0 (iPhone) AppleWebKit/605 Mobile/15E148 Safari/604"}, Client.PHONE),
        ({"user-agent": "Mozilla/5.0 (Linux; Android 16) Chrome/150", "sec-ch-ua-mobile": "?1"}, Client.PHONE),
    ],
)
def test_the_kind_of_a_client_is_what_its_headers_say(headers, kind):
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert client_of(Request({"type": "http", "headers": raw})) is kind
