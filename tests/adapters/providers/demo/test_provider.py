from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import cast
from unittest.mock import AsyncMock

import pytest

from arena.adapters.providers.base import Chunk, Target
from arena.adapters.providers.demo import DemoProvider
from arena.adapters.providers.errors import RequestRefused
from arena.domain.terms import Finish, Message, Role
from tests.adapters.providers.demo.asking import NAMES, ask, chunks

HELLO = [Message(Role.USER, "hello")]


@pytest.mark.parametrize("name", NAMES)
async def test_an_answer_comes_in_small_pieces_and_ends_with_stop(name: str) -> None:
    received = await chunks(name, "What is 17×23?")
    assert received[-1] == Chunk(finish=Finish.STOP)
    assert all(0 < len(chunk.text) <= 9 and chunk.finish is None for chunk in received[:-1])


@pytest.mark.parametrize("prompt", ["hello", "你好"])
async def test_max_tokens_cuts_the_answer_and_says_so(prompt: str) -> None:
    cut = await chunks("letter", prompt, max_tokens=30)
    text = "".join(chunk.text for chunk in cut)
    assert cut[-1].finish is Finish.LENGTH
    assert (await ask("letter", prompt)).startswith(text)
    assert 20 <= len(text) <= 130
    assert (await chunks("letter", prompt, max_tokens=5_000))[-1].finish is Finish.STOP


async def test_the_last_prompt_is_the_question() -> None:
    assert "391" in "".join(chunk.text for chunk in await chunks("brief", "hello", "17×23"))


async def test_an_unknown_manner_is_refused() -> None:
    with pytest.raises(RequestRefused):
        await chunks("nobody", "hello")


@pytest.mark.parametrize("messages", [[], [Message(Role.SYSTEM, "be brief")], [*HELLO, Message(Role.ASSISTANT, "hi")]])
async def test_a_conversation_that_does_not_end_with_the_user_is_refused(messages: list[Message]) -> None:
    with pytest.raises(RequestRefused):
        async for _ in DemoProvider(wait=0).stream(Target(dialect="demo", url="", wire_model="brief"), messages):
            pass


async def test_the_letter_is_slower_than_the_brief_and_wait_zero_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    # The provider's own name alone: other tests' servers may still sleep in threads of this process.
    clock = SimpleNamespace(sleep=AsyncMock(side_effect=waits.append), to_thread=asyncio.to_thread)
    monkeypatch.setattr("arena.adapters.providers.demo.provider.asyncio", clock)

    async def waited(name: str, wait: float) -> float:
        waits.clear()
        target = Target(dialect="demo", url="", wire_model=name)
        assert [chunk async for chunk in DemoProvider(wait=wait).stream(target, HELLO)]
        return sum(waits)

    assert await waited("letter", 1.0) > 3 * await waited("brief", 1.0) > 0
    assert await waited("letter", 0) == 0


async def test_the_stream_can_be_closed_in_the_middle() -> None:
    target = Target(dialect="demo", url="", wire_model="letter")
    stream = cast("AsyncGenerator[Chunk]", DemoProvider(wait=0).stream(target, HELLO))
    async for _ in stream:
        break
    await stream.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_forty_answers_at_once_do_not_hold_each_other_up() -> None:
    asked = [ask(NAMES[number % len(NAMES)], f"What is {number} × {number}?") for number in range(40)]
    assert all(await asyncio.gather(*asked))
