from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from typing import cast
from unittest.mock import AsyncMock

import pytest

from arena.providers.base import Chunk, Target
from arena.providers.demo import DEMO_ENDPOINTS, DemoProvider
from arena.providers.errors import RequestRefused
from arena.terms import Finish, Message, Role
from tests.providers.demo.talking import CHINESE, ENGLISH, SPEAKERS, ask, chunks, conversation

HELLO = conversation("hello")


def test_every_demo_endpoint_has_a_speaker_and_says_that_it_is_a_demo() -> None:
    assert tuple(sorted(row.wire_model for row in DEMO_ENDPOINTS)) == tuple(sorted(SPEAKERS))
    assert len({row.name for row in DEMO_ENDPOINTS}) == len(DEMO_ENDPOINTS) >= 6
    for row in DEMO_ENDPOINTS:
        assert (row.dialect, row.owner) == ("demo", "Arena demo")
        assert row.description_en.startswith("Demo.")
        assert row.description_zh.startswith("演示")


@pytest.mark.parametrize("speaker", SPEAKERS)
async def test_an_answer_comes_in_small_pieces_and_ends_with_stop(speaker: str) -> None:
    received = await chunks(speaker, conversation(ENGLISH[0]))

    assert received[-1] == Chunk(finish=Finish.STOP)
    assert all(0 < len(chunk.text) <= 9 and chunk.finish is None for chunk in received[:-1])


@pytest.mark.parametrize("speaker", SPEAKERS)
async def test_the_same_seed_gives_the_same_answer(speaker: str) -> None:
    for prompt in (*ENGLISH, *CHINESE):
        assert await ask(speaker, prompt, seed=7) == await ask(speaker, prompt, seed=7)


@pytest.mark.parametrize("speaker", sorted(set(SPEAKERS) - {"calculator"}))
async def test_another_seed_gives_another_answer_sooner_or_later(speaker: str) -> None:
    answers = {await ask(speaker, "Which cheese goes with pears?", seed=seed) for seed in range(6)}

    assert len(answers) > 1


async def test_without_a_seed_each_request_draws_its_own() -> None:
    provider = DemoProvider(seed=None, wait=0)
    target = Target(dialect="demo", url="", wire_model="chain")
    answers = {"".join([chunk.text async for chunk in provider.stream(target, HELLO)]) for _ in range(3)}

    assert len(answers) == 3


_DIGEST = """
import asyncio, hashlib
from tests.providers.demo.talking import CHINESE, ENGLISH, SPEAKERS, ask
async def main():
    digest = hashlib.sha256()
    for speaker in SPEAKERS:
        for prompt in (*ENGLISH[:4], *CHINESE[:4]):
            digest.update((await ask(speaker, prompt)).encode())
    print(digest.hexdigest())
asyncio.run(main())
"""


async def test_the_same_seed_gives_the_same_answer_in_another_process() -> None:
    digest = hashlib.sha256()
    for speaker in SPEAKERS:
        for prompt in (*ENGLISH[:4], *CHINESE[:4]):
            digest.update((await ask(speaker, prompt)).encode())
    for seed in ("1", "2"):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _DIGEST, env=os.environ | {"PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        output, _ = await process.communicate()
        assert output.decode().strip() == digest.hexdigest()


@pytest.mark.parametrize("prompt", [ENGLISH[7], CHINESE[7]])
async def test_max_tokens_cuts_the_answer_and_says_so(prompt: str) -> None:
    whole = await chunks("essayist", conversation(prompt))
    cut = await chunks("essayist", conversation(prompt), max_tokens=30)
    text = "".join(chunk.text for chunk in cut)

    assert cut[-1].finish is Finish.LENGTH
    assert "".join(chunk.text for chunk in whole).startswith(text)
    assert 20 <= len(text) <= 130
    assert (await chunks("essayist", conversation(prompt), max_tokens=5_000))[-1].finish is Finish.STOP


async def test_an_unknown_speaker_is_refused() -> None:
    with pytest.raises(RequestRefused):
        await chunks("nobody", HELLO)


@pytest.mark.parametrize("messages", [[], [Message(Role.SYSTEM, "be brief")], [*HELLO, Message(Role.ASSISTANT, "hi")]])
async def test_a_talk_that_does_not_end_with_the_user_is_refused(messages: list[Message]) -> None:
    with pytest.raises(RequestRefused):
        await chunks("parrot", messages)


async def test_a_slow_speaker_takes_its_time_and_wait_zero_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target(dialect="demo", url="", wire_model="mirror")
    waits: list[float] = []
    monkeypatch.setattr(asyncio, "sleep", AsyncMock(side_effect=waits.append))
    received = [chunk async for chunk in DemoProvider(wait=0.1).stream(target, HELLO)]
    slow, waits[:] = sum(waits), []
    assert [chunk async for chunk in DemoProvider(wait=0).stream(target, HELLO)] == received

    assert slow > 0.1
    assert sum(waits) == 0


async def test_the_stream_can_be_closed_in_the_middle() -> None:
    stream = cast(
        "AsyncGenerator[Chunk]",
        DemoProvider(wait=0).stream(Target(dialect="demo", url="", wire_model="essayist"), HELLO),
    )
    async for _ in stream:
        break
    await stream.aclose()

    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_forty_talks_at_once_do_not_hold_each_other_up() -> None:
    async def one(number: int) -> str:
        return await ask(SPEAKERS[number % len(SPEAKERS)], f"What is number {number}?")

    assert all(await asyncio.gather(*(one(number) for number in range(40))))
