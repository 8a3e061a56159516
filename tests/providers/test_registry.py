"""The registry of providers and built-in endpoints."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import pytest

from arena_providers import registry
from arena_providers.base import Target
from arena_providers.demo.practice_models import DEMO_ENDPOINTS
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.errors import ProviderError, UnknownDialect
from arena_providers.local.provider import LOCAL_ENDPOINTS, LocalUnavailable, find_weights
from arena_providers.registry import build_providers
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import hear
from tests.scripted import Scripted


async def test_a_dialect_that_nobody_speaks_is_a_provider_error():
    async with HttpClient() as client:
        providers = build_providers(client, demo=Scripted())
    with pytest.raises(UnknownDialect, match="no provider speaks 'local'") as caught:
        providers["local"]
    assert isinstance(caught.value, ProviderError)
    assert providers.get("local") is None
    assert "local" not in providers


async def test_providers_are_a_mapping_of_what_is_spoken():
    demo = Scripted()
    async with HttpClient() as client:
        providers = build_providers(client, demo=demo)
    assert isinstance(providers, Mapping)
    assert sorted(providers) == ["anthropic", "demo", "gemini", "ollama", "openai_chat", "openai_responses"]
    assert len(providers) == 6
    assert providers["demo"] is demo
    assert isinstance(providers["openai_chat"], OpenAIChat)


async def test_without_the_local_model_the_demo_endpoints_stay(monkeypatch, caplog):
    def missing():
        raise LocalUnavailable("the package xllamacpp is not installed")

    monkeypatch.setattr(registry, "find_weights", missing)
    with caplog.at_level(logging.WARNING):
        async with registry.opened(connect=1, local=True) as builtin:
            assert builtin.endpoints == DEMO_ENDPOINTS
            assert sorted(builtin.providers) == [
                "anthropic",
                "demo",
                "gemini",
                "ollama",
                "openai_chat",
                "openai_responses",
            ]
    assert caplog.messages == ["the local model is left out: the package xllamacpp is not installed"]


@pytest.mark.process
@pytest.mark.local_model
async def test_with_the_local_model_its_endpoints_join_and_answer():
    try:
        find_weights()
    except LocalUnavailable as reason:
        pytest.skip(str(reason))
    async with registry.opened(connect=1, local=True) as builtin:
        assert builtin.endpoints == DEMO_ENDPOINTS + LOCAL_ENDPOINTS
        each = builtin.endpoints[-1]
        heard = await hear(builtin.providers[each.dialect], Target(each.dialect, "", each.wire_model, max_tokens=4))
        assert heard.text


async def test_built_in_endpoints_have_names_of_their_own_and_both_descriptions():
    every = DEMO_ENDPOINTS + LOCAL_ENDPOINTS
    assert len({each.name for each in every}) == len(every) >= 5
    assert all(each.description_en and each.description_zh for each in every)
