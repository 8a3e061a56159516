"""Every dialect against aimock (npm: @copilotkit/aimock), Ollama's included; skipped unless it is installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess

import pytest

from arena.domain.text import well_formed
from arena_providers.base import Target
from arena_providers.errors import EndpointUnavailable, RateLimitedUpstream
from arena_providers.registry import WIRE
from arena_providers.terms import Finish, Message, Role
from arena_providers.transport.http_client import HttpClient
from tests.paths import ROOT
from tests.providers.conftest import hear

pytestmark = pytest.mark.process

ANSWER = "Ein längerer Satz, 汉字 und 🙂, in vielen Stücken gesagt."
FIXTURES = [
    {"match": {"userMessage": "please think"}, "response": {"content": ANSWER, "reasoning": "hidden thoughts"}},
    {"match": {"userMessage": "please wait"}, "response": {"error": {"message": "slow down"}, "status": 429}},
    {"match": {"userMessage": "please break"}, "response": {"content": ANSWER}, "truncateAfterChunks": 2},
    {"match": {"userMessage": "hello"}, "response": {"content": ANSWER}},
]
PATHS = {"openai_chat": "/v1", "openai_responses": "/v1", "anthropic": "/v1", "gemini": "/v1beta", "ollama": ""}


def command() -> list[str] | None:
    """The command that starts it offline: installed in the project, on the path, or in npm's cache."""
    here = ROOT / "node_modules" / ".bin"
    if found := shutil.which("llmock", path=f"{here}") or os.environ.get("ARENA_TEST_AIMOCK"):
        return [found]
    if npx := shutil.which("npx"):
        cached = [npx, "--offline", "--yes", "-p", "@copilotkit/aimock", "llmock"]
        if not subprocess.run([*cached, "--help"], capture_output=True, check=False, timeout=20).returncode:
            return cached
    return None


@pytest.fixture(scope="module")
def aimock(tmp_path_factory):
    start = command()
    if start is None:
        pytest.skip("the npm package @copilotkit/aimock is not installed")
    fixtures = tmp_path_factory.mktemp("aimock") / "fixtures.json"
    fixtures.write_text(json.dumps({"fixtures": FIXTURES}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--fixtures", str(fixtures), "--chunk-size", "3", "--log-level", "silent"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen([*start, *options], stdout=quiet, stderr=quiet, start_new_session=True) as server:
        try:
            yield port
        finally:
            # The group, because npx has the server as its child.
            os.killpg(server.pid, signal.SIGTERM)


@pytest.fixture(params=PATHS)
async def ask(request, aimock):
    for _ in range(1200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", aimock)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            break
    target = Target(request.param, f"http://127.0.0.1:{aimock}{PATHS[request.param]}", "m-1", key="k", private=True)
    async with HttpClient() as client:
        provider = WIRE[target.dialect](client)
        yield lambda words: hear(provider, target, (Message(Role.USER, words),))


@pytest.mark.parametrize("words", ["hello", "please think"])
async def test_an_answer_arrives_whole_and_reasoning_does_not(ask, words):
    heard = await ask(words)
    assert well_formed(heard.text) == ANSWER
    assert heard.finish is Finish.STOP


async def test_a_rate_limit_has_its_class(ask):
    with pytest.raises(RateLimitedUpstream):
        await ask("please wait")


async def test_a_stream_that_breaks_is_no_answer(ask):
    with pytest.raises(EndpointUnavailable):
        await ask("please break")
