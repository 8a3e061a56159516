"""The supervised child process with a tiny random model: started, restarted, given up, stopped, never orphaned.

Then the same with the real small model, if its weights are installed.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import os
import signal
import sys
from pathlib import Path

import pytest

from arena_providers.base import Target
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.errors import EndpointUnavailable
from arena_providers.local import provider
from arena_providers.local.provider import (
    LOCAL_ENDPOINTS,
    LocalModel,
    LocalServer,
    LocalUnavailable,
    find_weights,
)
from arena_providers.terms import Message, Role
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import hear

pytestmark = pytest.mark.process

HERE = Target("local", "", "tiny", max_tokens=8)
PARENT = """
import asyncio, signal, sys
from pathlib import Path
from arena_providers.local.provider import LocalServer

async def main():
    async with LocalServer(Path(sys.argv[1])) as server:
        print(server.pid, flush=True)
        await asyncio.sleep(600)

# Whoever started the tests may have told all of them to leave Ctrl-C alone.
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.argv[2] == "uvloop":
    import uvloop
    uvloop.run(main())
else:
    asyncio.run(main())
"""


@pytest.fixture
def tiny(endless_gguf) -> Path:
    return endless_gguf


def alive(pid: int | None) -> bool:
    """Whether the process runs; a zombie does not."""
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Started:
    """Every child process that the supervisor starts; `instead` makes it start something else."""

    def __init__(self) -> None:
        self.pids: list[int] = []
        self.calls: list[tuple[tuple[str, ...], dict]] = []
        self.instead: tuple[str, ...] = ()
        self._create = asyncio.create_subprocess_exec

    async def create(self, program: str, *command: str, **extra):
        self.calls.append((command, extra))
        process = await self._create(program, *(self.instead or command), **extra)
        self.pids.append(process.pid)
        return process


@pytest.fixture
def started(monkeypatch) -> Started:
    started = Started()
    monkeypatch.setattr(asyncio, "create_subprocess_exec", started.create)
    return started


async def until(true, seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


async def test_the_server_is_ready_when_the_block_begins_and_gone_when_it_ends(tiny):
    async with LocalServer(tiny) as server, HttpClient() as client:
        pid, url = server.pid, server.url
        assert url.startswith("http://127.0.0.1:")
        heard = await hear(LocalModel(OpenAIChat(client), server), HERE)
        assert heard.usage.output_tokens == 8
    assert not alive(pid)
    assert (server.url, server.pid) == (None, None)


@pytest.mark.parametrize(
    ("question", "is_declined"),
    [
        ("你能推荐三本好书吗？", True),
        ("Посоветуй хорошую книгу", True),
        ("Explain the word 朋友 to me", False),
        ("Où est la gare ?", False),
        ("2 + 2 = ?", False),
    ],
)
async def test_a_question_in_another_script_is_declined_in_a_sentence(tiny, question, is_declined):
    async with LocalServer(tiny) as server, HttpClient() as client:
        heard = await hear(LocalModel(OpenAIChat(client), server), HERE, (Message(Role.USER, question),))
    assert ("I only know English" in heard.text) is is_declined
    assert heard.text or not is_declined


async def test_a_killed_server_is_restarted_and_unavailable_meanwhile(tiny):
    async with LocalServer(tiny, back_off=0.3) as server, HttpClient() as client:
        model = LocalModel(OpenAIChat(client), server)
        first = server.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await until(lambda: server.url is None)
        with pytest.raises(EndpointUnavailable, match="not up"):
            await hear(model, HERE)
        await until(lambda: server.url is not None)
        assert server.pid != first
        assert (await hear(model, HERE)).usage.output_tokens == 8


async def test_an_answer_running_on_a_killed_server_is_cut_as_unavailable(tiny):
    async with LocalServer(tiny, back_off=60) as server, HttpClient() as client:
        model = LocalModel(OpenAIChat(client), server)
        talk = asyncio.create_task(hear(model, Target("local", "", "tiny", max_tokens=8000)))
        await asyncio.sleep(0.2)
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(EndpointUnavailable):
            await talk


async def test_a_server_that_keeps_dying_is_given_up(tiny, caplog):
    async with LocalServer(tiny, restarts=2, back_off=0.01) as server:
        for _ in range(3):
            await until(lambda: server.url is not None)
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
            await until(lambda: server.url is None)
        await until(lambda: "stays down" in caplog.text)
        await asyncio.sleep(0.1)
        assert server.url is None


@pytest.mark.parametrize(
    ("content", "reason"), [(b"GGUF", "ended|failed|error|load"), (None, "ended|failed|error|load")]
)
async def test_weights_that_do_not_load_are_told_in_one_line_and_leave_nothing_running(tmp_path, content, reason):
    path = tmp_path / "broken.gguf"
    if content:
        path.write_bytes(content)
    with pytest.raises(LocalUnavailable, match=f"(?i){reason}") as caught:
        async with LocalServer(path):
            pass
    assert "\n" not in str(caught.value)


async def test_a_server_that_is_not_ready_in_time_is_ended(tiny, started, monkeypatch):
    started.instead = ("-c", "import time; time.sleep(60)")
    monkeypatch.setattr(provider, "_END_SECONDS", 0.1)
    with pytest.raises(LocalUnavailable, match=r"not ready within 0\.2 seconds"):
        async with LocalServer(tiny, ready=0.2):
            pass
    assert not alive(started.pids[0])


async def test_a_server_still_starting_is_ended_when_the_start_is_cancelled(tiny, started):
    task = asyncio.create_task(LocalServer(tiny).__aenter__())
    await until(lambda: started.pids)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not alive(started.pids[0])


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_no_server_outlives_its_parent_however_that_ends(tiny, loop, how):
    command = (sys.executable, "-c", PARENT, tiny, loop)
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    parent = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=nothing)
    pid = int(await parent.stdout.readline())
    assert alive(pid)
    parent.send_signal(how)
    await parent.wait()
    await until(lambda: not alive(pid))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_ctrl_c_or_a_service_manager_leaves_the_server_to_its_parent(tiny, number):
    async with LocalServer(tiny) as server, HttpClient() as client:
        first = server.pid
        assert first is not None
        os.kill(first, number)
        await asyncio.sleep(0.2)
        assert server.pid == first
        assert (await hear(LocalModel(OpenAIChat(client), server), HERE)).usage.output_tokens == 8


async def test_the_key_of_the_server_is_neither_on_its_command_line_nor_in_its_environment(tiny, started):
    async with LocalServer(tiny) as server:
        ((command, extra),) = started.calls
        assert "arena_providers.local.llama_server" in command
        assert server.key not in repr((command, extra))


async def test_a_missing_package_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(LocalUnavailable, match=r"^the package xllamacpp is not installed$"):
        find_weights()


@pytest.fixture
def weights() -> Path:
    try:
        return find_weights()
    except LocalUnavailable as reason:
        pytest.skip(str(reason))


@pytest.mark.local_model
async def test_the_small_model_answers_in_english_as_each_of_its_endpoints(weights):
    question = (Message(Role.USER, "What is the capital of France?"),)
    async with LocalServer(weights) as server, HttpClient() as client:
        for each in LOCAL_ENDPOINTS:
            target = Target(
                each.dialect,
                "",
                each.wire_model,
                system_prompt=each.system_prompt,
                temperature=0 if each.temperature < 0.5 else each.temperature,
                max_tokens=32,
            )
            heard = await hear(LocalModel(OpenAIChat(client), server), target, question)
            assert len(heard.chunks) > 3
            assert sum(sign.isascii() for sign in heard.text) > 0.9 * len(heard.text)
            if target.temperature == 0:
                assert "Paris" in heard.text


@pytest.mark.local_model
async def test_the_small_model_comes_back_after_a_kill(weights, caplog):
    caplog.set_level(logging.WARNING)
    async with LocalServer(weights, back_off=0.01) as server, HttpClient() as client:
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        await until(lambda: server.url is None)
        await until(lambda: server.url is not None, 60)
        target = Target("local", "", "small", temperature=0, max_tokens=16)
        heard = await hear(LocalModel(OpenAIChat(client), server), target, (Message(Role.USER, "Say hello."),))
        pid = server.pid
    assert heard.text
    assert not alive(pid)
    assert "the local model server is up again" in caplog.messages
