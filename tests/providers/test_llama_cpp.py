"""Chat Completions against a third-party server: llama.cpp's own, with a tiny model of random weights.

Its answers are noise: arbitrary bytes, split anywhere, which is a good test of the parser.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from arena_providers.base import Target
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.errors import BadCredentials, ContextTooLong, RequestRefused
from arena_providers.terms import Finish, Message, Role
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import HELLO, hear

pytestmark = pytest.mark.process


@pytest.fixture
def target(server) -> Target:
    return Target("openai_chat", server.url, "tiny", key=server.key, temperature=1.0, max_tokens=40, private=True)


@pytest.fixture
async def chat():
    async with HttpClient() as client:
        yield OpenAIChat(client)


async def test_a_talk_of_several_turns_is_counted(chat, target):
    talk, sent = list(HELLO), 0
    for _ in range(4):
        heard = await hear(chat, target, talk)
        assert heard.finish is Finish.LENGTH
        assert heard.usage.output_tokens == 40
        assert heard.usage.input_tokens > sent
        sent = heard.usage.input_tokens
        talk += [Message(Role.ASSISTANT, heard.text), Message(Role.USER, "再来一次 🙂 \u2028")]


async def test_the_same_question_at_temperature_zero_has_the_same_answer(chat, target):
    cold = replace(target, temperature=0.0)
    assert (await hear(chat, cold)).text == (await hear(chat, cold)).text


async def test_system_prompt_and_parameters_reach_the_server(chat, target):
    plain = await hear(chat, replace(target, max_tokens=3))
    briefed = await hear(chat, replace(target, max_tokens=3, system_prompt="Be brief and kind.", top_p=0.5))
    assert plain.usage.output_tokens == briefed.usage.output_tokens == 3
    assert briefed.usage.input_tokens > plain.usage.input_tokens + 10


async def test_an_answer_begins_before_it_ends(chat, target):
    """A long answer, since pieces that arrive together are one chunk, and on a busy machine many do."""
    heard = await hear(chat, replace(target, max_tokens=800))
    assert heard.usage.output_tokens == 800
    assert len(heard.chunks) > 1


@pytest.mark.parametrize("how", ["cancelled", "left"])
async def test_a_reader_that_goes_frees_the_servers_only_slot(chat, target, how):
    long = replace(target, max_tokens=8000)
    got = asyncio.Event()

    async def read() -> None:
        async with aclosing(chat.stream(long, HELLO)) as chunks:
            async for _chunk in chunks:
                got.set()
                if how == "left":
                    return

    task = asyncio.create_task(read())
    await got.wait()
    if how == "cancelled":
        task.cancel()
    await asyncio.wait([task])
    async with asyncio.timeout(3):
        assert (await hear(chat, target)).usage.output_tokens == 40


async def test_an_answer_without_a_reader_that_goes_would_hold_the_slot(chat, target):
    """Shows that the test above can fail."""
    long = asyncio.create_task(hear(chat, replace(target, max_tokens=8000)))
    await asyncio.sleep(0.3)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await hear(chat, target)
    assert not long.done()
    long.cancel()
    await asyncio.wait([long])


async def test_a_wrong_key_is_bad_credentials(chat, target):
    with pytest.raises(BadCredentials):
        await hear(chat, replace(target, key="guessed"))


async def test_without_a_key_nobody_is_served(chat, target):
    with pytest.raises(BadCredentials):
        await hear(chat, replace(target, key=None))


async def test_a_talk_beyond_the_context_is_told_as_such(chat, target):
    with pytest.raises(ContextTooLong):
        await hear(chat, target, (Message(Role.USER, "x" * 20_000),))


async def test_a_wrong_path_is_a_refusal(chat, target):
    with pytest.raises(RequestRefused, match="404"):
        await hear(chat, replace(target, url=target.url + "/nowhere"))
