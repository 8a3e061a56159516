"""The example of the package's README runs as it stands, and asks no address that nobody has opened."""

from __future__ import annotations

import asyncio
import os
import re
import sys

import pytest

from tests.paths import ROOT
from tests.providers.dialects import OPENAI_CHAT
from tests.providers.test_http_client import HEAD, Talker

pytestmark = pytest.mark.process

README = (ROOT / "packages" / "arena-providers" / "README.md").read_text("utf-8")


@pytest.fixture
def talker() -> Talker:
    body = OPENAI_CHAT.answer("In the east.")
    return Talker(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)


async def run(url: str, **environment: str) -> str:
    """Run the example with these variables; returns what it prints."""
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    variables = {**os.environ, "CHAT_URL": url, "CHAT_MODEL": "m", **environment}
    command = (sys.executable, "-c", example)
    process = await asyncio.create_subprocess_exec(*command, env=variables, stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed.decode()


async def test_the_example_streams_an_answer_from_an_address_that_is_opened(talker):
    async with talker.listening() as target:
        place = target.url.removeprefix("http://").removesuffix("/v1")
        printed = await run(target.url, CHAT_ALLOW=place, CHAT_KEY="sk-0123456789")
    assert printed.startswith("In the east.\nstop, ")
    assert b"authorization: bearer sk-0123456789\r\n" in talker.requests[0].lower()


async def test_the_example_asks_no_other_address_of_this_machine(talker):
    async with talker.listening() as target:
        assert (await run(target.url)).startswith("unreachable: ")
    assert talker.requests == []
