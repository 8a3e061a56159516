"""Responses and Messages against a third-party server: llama.cpp's own, with a tiny random model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_providers.base import Target
from arena_providers.dialects.anthropic import Anthropic
from arena_providers.dialects.openai_responses import OpenAIResponses
from arena_providers.errors import BadCredentials, ContextTooLong, RequestRefused
from arena_providers.terms import Finish, Message, Role
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import HELLO, hear

pytestmark = pytest.mark.process


# This server reports every response as completed, even a truncated one.
@pytest.mark.parametrize(
    ("dialect", "build", "finish"),
    [("openai_responses", OpenAIResponses, Finish.STOP), ("anthropic", Anthropic, Finish.LENGTH)],
)
async def test_a_talk_is_streamed_and_counted_and_failures_have_their_class(server, dialect, build, finish):
    target = Target(
        dialect,
        server.url,
        "tiny",
        key=server.key,
        system_prompt="Be brief.",
        temperature=0.0,
        top_p=0.5,
        max_tokens=40,
        private=True,
    )
    async with HttpClient() as client:
        provider = build(client)
        first = await hear(provider, target)
        assert (first.finish, first.usage.output_tokens) == (finish, 40)
        talk = (*HELLO, Message(Role.ASSISTANT, first.text), Message(Role.USER, "再来一次 🙂 \u2028"))
        second = await hear(provider, replace(target, max_tokens=3), talk)
        assert second.usage.input_tokens > first.usage.input_tokens
        assert second.usage.output_tokens == 3
        with pytest.raises(BadCredentials):
            await hear(provider, replace(target, key="guessed"))
        with pytest.raises(ContextTooLong):
            await hear(provider, target, (Message(Role.USER, "x" * 20_000),))
        with pytest.raises(RequestRefused, match="404"):
            await hear(provider, replace(target, url=server.url + "/nowhere"))
