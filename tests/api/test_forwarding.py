"""Two processes serve one arena; a battle continues whichever of them gets a request."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import httpx2
import pytest
import uvicorn
from sqlalchemy import update

from arena.adapters.store.tables.conversations import TurnRow
from arena.api.http.voter_cookie import Cookies
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.serving.composition import whole_app
from tests.api.conftest import events
from tests.conftest import NAMES

SECRET = b"a secret of the tests"
NOBODY = "http://127.0.0.1:1"


@asynccontextmanager
async def served(runtime):
    """Serve the application of a runtime on a free port; yields its URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    runtime.process = f"http://127.0.0.1:{listener.getsockname()[1]}"
    config = uvicorn.Config(whole_app(runtime, Cookies(SECRET)), log_config=None, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    vars(server)["capture_signals"] = no_signals
    running = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield runtime.process
    server.should_exit = True
    await runtime.close(0)
    await running


@asynccontextmanager
async def two(runtime):
    other = replace(runtime, runs={}, _tasks=set())
    async with served(runtime) as here, served(other) as there:
        yield here, there


class no_signals:  # noqa: N801 - stands for a function
    def __enter__(self):
        return None

    def __exit__(self, *_):
        return None


async def begun(client, here) -> str:
    answer = await client.post(f"{here}/api/v1/battles", json={"prompt": "Hello"})
    return answer.json()["id"]


async def test_a_reader_who_reaches_another_process_sees_the_answers_as_they_are_written(runtime, part):
    for name in NAMES:
        part(name, *["word "] * 20, pause=0.02)
    async with two(runtime) as (here, there), httpx2.AsyncClient() as client:
        battle = await begun(client, here)
        moments, text = [], ""
        async with client.stream("GET", f"{there}/api/v1/battles/{battle}/stream") as stream:
            async for piece in stream.aiter_text():
                moments.append(asyncio.get_running_loop().time())
                text += piece
        assert events(text)[-1][0] == "turn_ready"
        assert len(moments) > 5
        assert moments[-1] - moments[0] > 0.2


async def test_stop_and_look_reach_the_process_that_answers(runtime, part):
    for name in NAMES:
        part(name, *["word "] * 400, pause=0.02)
    async with two(runtime) as (here, there), httpx2.AsyncClient() as client:
        battle = await begun(client, here)
        while True:
            turn = (await client.get(f"{there}/api/v1/battles/{battle}")).json()["turns"][0]
            if len(turn["answers"]) == 2 and all(turn["answers"].values()):
                break
            await asyncio.sleep(0.02)
        stopped = (await client.post(f"{there}/api/v1/battles/{battle}/stop")).json()["turns"][0]
        assert stopped["state"] == "ready"
        voted = await client.post(f"{there}/api/v1/battles/{battle}/vote", json={"outcome": "tie"})
        assert {voted.json()["a"]["name"], voted.json()["b"]["name"]} == set(NAMES)


async def test_a_chat_is_followed_through_another_process_as_a_battle_is(runtime, part):
    part(NAMES[0], *["word "] * 20, pause=0.02)
    async with two(runtime) as (here, there), httpx2.AsyncClient() as client:
        begun = await client.post(f"{here}/api/v1/chats", json={"prompt": "Hello", "models": NAMES[:1]})
        stream = await client.get(f"{there}/api/v1/chats/{begun.json()['id']}/stream")
        texts = [data["text"] for name, data in events(stream.text) if name == "delta"]
        assert "".join(texts) == "word " * 20


async def test_a_reader_of_html_reaches_another_process_with_the_query(runtime, part):
    for name in NAMES:
        part(name, *["**word** "] * 20, pause=0.02)
    async with two(runtime) as (here, there), httpx2.AsyncClient() as client:
        battle = await begun(client, here)
        stream = await client.get(f"{there}/api/v1/battles/{battle}/stream?as=html")
        names = [name for name, _ in events(stream.text)]
        assert "blocks" in names
        assert "delta" not in names
        assert "<strong>word</strong>" in stream.text


async def raw_answer(address: str, method: str, path: str, cookie: str) -> bytes:
    """All bytes of an answer but its request id and date."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"{method} {path} HTTP/1.1", f"Host: {host}:{port}", f"Cookie: {cookie}", "Connection: close", "", ""
    writer.write("\r\n".join(head).encode())
    answer = await reader.read()
    writer.close()
    return re.sub(rb"(?im)^(x-request-id|date): .*$", b"", answer)


@pytest.mark.parametrize("rest", ["GET ", "GET /stream", "POST /stop", "POST /skip"])
@pytest.mark.parametrize("votes_too", [False, True])
async def test_a_foreign_running_battle_is_answered_as_an_unknown_one_to_the_byte(runtime, part, rest, votes_too):
    for name in NAMES:
        part(name, *["word "] * 100, pause=0.02)
    method, path = rest.split(" ")
    async with two(runtime) as (here, there), httpx2.AsyncClient() as client, httpx2.AsyncClient() as stranger:
        battle = await begun(client, here)
        if votes_too:
            await begun(stranger, here)
        cookie = "; ".join(f"{name}={value}" for name, value in stranger.cookies.items())
        unknown = "0" * len(battle)
        answers = [
            await raw_answer(there, method, f"/api/v1/battles/{number}{path}", cookie) for number in (battle, unknown)
        ]
        assert answers[0] == answers[1]
        assert answers[0].startswith(b"HTTP/1.1 404")


@pytest.mark.parametrize("mark", ["1", "{now}.abc", "1.{digest}", "{now}", "٣.x"])
async def test_a_client_cannot_mark_a_request_as_forwarded(runtime, part, mark):
    for name in NAMES:
        part(name, *["word "] * 400, pause=0.02)
    runtime.now = lambda: datetime.now(UTC)
    async with two(runtime) as (here, there), httpx2.AsyncClient() as client:
        battle = await begun(client, here)
        now = int(datetime.now(UTC).timestamp())
        value = mark.format(now=now, digest=keyed_digest(b"another secret", f"forwarded {battle} 1")).encode()
        while True:
            answer = await client.get(f"{there}/api/v1/battles/{battle}", headers={"X-Arena-Passed-On": value})
            if any(answer.json()["turns"][0].get("answers", {}).values()):
                break
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("path", ["", "/stream"])
async def test_when_the_other_process_is_gone_the_rest_is_answered_from_what_is_stored(runtime, part, path):
    for name in NAMES:
        part(name, *["word "] * 400, pause=0.02)
    async with two(runtime) as (here, there), httpx2.AsyncClient() as client:
        battle = await begun(client, here)
        await runtime.database.write(lambda session: session.execute(update(TurnRow).values(process=NOBODY)) and None)
        answer = await client.get(f"{there}/api/v1/battles/{battle}{path}")
        assert answer.status_code == 200
        state = json.loads(answer.text)["turns"][0]["state"] if not path else events(answer.text)[-1][0]
        assert state == ("closing" if path else "running")
