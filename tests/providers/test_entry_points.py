"""Dialects of other packages, found by their entry points."""

from __future__ import annotations

import logging
from importlib.metadata import entry_points

import httpx2
import pytest

from arena_providers import registry
from arena_providers.base import Target, Usage
from arena_providers.registry import WIRE, build_providers, dialects
from arena_providers.terms import Finish
from arena_providers.transport.connection import BODY
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import Body, hear
from tests.providers.dialects import sse
from tests.providers.example_dialect import TextGeneration


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a distribution with these lines of `arena.providers` on the path, before all others."""

    def put(*lines: str, name: str = "stranger") -> None:
        info = tmp_path / name / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("\n".join(["[arena.providers]", *lines, ""]))
        monkeypatch.syspath_prepend(info.parent)

    return put


EXAMPLE = "tgi_generate = tests.providers.example_dialect:TextGeneration"


async def test_an_installed_dialect_is_spoken(install):
    install(EXAMPLE)
    said = [
        sse({"token": {"text": "Hel"}}),
        sse({"token": {"text": "lo"}}),
        sse({"token": {"special": True}, "details": {"finish_reason": "eos_token", "generated_tokens": 3}}),
    ]
    asked = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        body = Body(said)
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=body, extensions={BODY: body})

    async with HttpClient(transport=httpx2.MockTransport(answer)) as client:
        providers = build_providers(client)
        target = Target("tgi_generate", "https://model.test", "m", key="k")
        heard = await hear(providers["tgi_generate"], target)
    assert (heard.text, heard.finish, heard.usage) == ("Hello", Finish.STOP, Usage(0, 3))
    assert str(asked[0].url) == "https://model.test/generate_stream"
    assert asked[0].headers["authorization"] == "Bearer k"
    assert dialects() == (*WIRE, "tgi_generate")


def test_the_installed_packages_are_read_once(install, monkeypatch):
    install(EXAMPLE)
    read = []
    monkeypatch.setattr(registry, "entry_points", lambda group: read.append(group) or entry_points(group=group))
    assert dialects() == dialects() == (*WIRE, "tgi_generate")
    assert read == ["arena.providers"]


async def test_a_word_of_the_arenas_own_cannot_be_taken(install, caplog):
    install("anthropic = tests.providers.example_dialect:TextGeneration", "demo = os:getcwd", "local = os:getcwd")
    async with HttpClient() as client:
        providers = build_providers(client)
    assert not isinstance(providers["anthropic"], TextGeneration)
    assert sorted(providers) == sorted(WIRE)
    assert sum("the name is taken" in message for message in caplog.messages) == 3


async def test_the_first_of_two_packages_keeps_a_word(install, caplog):
    install("tgi_generate = os:getcwd", name="second")
    install(EXAMPLE, name="first")
    async with HttpClient() as client:
        assert "tgi_generate" in build_providers(client)
    assert "the name is taken" in caplog.text


@pytest.mark.parametrize("value", ["nowhere.at.all:Provider", "tests.providers.example_dialect:Missing", "os:getcwd"])
async def test_a_broken_dialect_is_logged_and_left_out(install, caplog, value):
    install(f"broken = {value}", EXAMPLE)
    with caplog.at_level(logging.WARNING):
        async with HttpClient() as client:
            providers = build_providers(client)
    assert "broken" not in providers
    assert "tgi_generate" in providers
    (message,) = caplog.messages
    assert "'broken'" in message
    assert "skipped" in message
