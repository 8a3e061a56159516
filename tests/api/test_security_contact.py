"""`security.txt` names a contact and a day that is always to come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from arena.settings import Settings

PATH = "/.well-known/security.txt"


@pytest.mark.parametrize(
    ("settings", "contact"),
    [
        ({"security_contact": "alarm@arena.example"}, "mailto:alarm@arena.example"),
        ({"security_contact": "https://arena.example/report"}, "https://arena.example/report"),
        ({"public_url": "https://arena.example:8443/"}, "mailto:security@arena.example"),
        ({}, ""),
    ],
)
def test_the_contact_is_the_operator_s_or_the_usual_one_of_the_public_host(settings, contact):
    assert Settings(**settings).contact_for_security == contact


async def test_it_names_contact_address_and_a_day_to_come(app, client):
    app.state.security = ("mailto:security@arena.example", "https://arena.example")
    answer = await client.get(PATH)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:security@arena.example"
    assert fields["Canonical"] == f"https://arena.example{PATH}"
    expires = datetime.strptime(fields["Expires"], "%Y-%m-%dT%H:%M:%S%z")
    assert timedelta(days=178) < expires - datetime.now(UTC) < timedelta(days=365)


async def test_without_contact_and_public_address_there_is_none(client):
    assert (await client.get(PATH)).status_code == 404


async def test_pages_do_not_hide_it(app, client):
    async def pages(_scope, _receive, _send):
        raise AssertionError("a page was asked for")

    app.state.pages, app.state.security = pages, ("mailto:security@arena.example", "")
    assert (await client.get(PATH)).status_code == 200
