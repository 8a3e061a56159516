import io
import json
import logging

import pytest

from arena.adapters.observability import logging as logs


@pytest.fixture
def lines():
    """All that is logged as JSON meanwhile, at INFO."""
    stream, root = io.StringIO(), logging.getLogger()
    before = root.handlers[:], root.level
    logs.configure("json", logging.INFO, stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:], _ = before[0], root.setLevel(before[1])


async def test_a_request_leaves_one_line_with_its_id(client, lines):
    answer = await client.get("/api/v1/status?secret=hunter2")
    (line,) = [line for line in lines() if line["event"] == "request"]
    assert line["request"] == answer.headers["x-request-id"]
    assert (line["method"], line["path"], line["status"]) == ("GET", "/api/v1/status", 200)
    assert "hunter2" not in json.dumps(lines())


@pytest.mark.parametrize("path", ["shared/{}", "battles/{}/stream", "chats/{}", "endpoints/{}/pause", "models/{}"])
async def test_what_a_path_names_is_in_no_log(client, lines, path):
    await client.get("/api/v1/" + path.format("hunter2"))
    (line,) = [line for line in lines() if line["event"] == "request"]
    assert line["path"] == "/api/v1/" + path.format("*")
    assert "hunter2" not in json.dumps(lines())


async def test_the_proxy_s_id_is_taken_over_and_a_strange_one_is_not(client):
    known = await client.get("/api/v1/status", headers={"X-Request-ID": "proxy-1234567"})
    strange = await client.get("/api/v1/status", headers={"X-Request-ID": "two words; or more"})
    assert known.headers["x-request-id"] == "proxy-1234567"
    assert len(strange.headers["x-request-id"]) == 16


async def test_what_a_request_has_started_logs_under_its_id(client, runtime, lines):
    runtime.providers = dict.fromkeys(runtime.providers, None)  # breaks in a way nobody foresaw
    answer = await client.post("/api/v1/battles", json={"prompt": "a prompt that no log may hold"})
    await client.get(f"/api/v1/battles/{answer.json()['id']}/stream")
    failed = [line for line in lines() if "failed" in line["event"]]
    assert failed
    assert {line["request"] for line in failed} == {answer.headers["x-request-id"]}
    assert "no log may hold" not in json.dumps(lines())


def test_text_is_for_a_person(capsys):
    stream = io.StringIO()
    before = logging.getLogger().handlers[:], logging.getLogger().level
    logs.configure("text", logging.WARNING, stream)
    logging.getLogger("arena.serving").warning("the worker's round failed: %s", "disk full")
    logging.getLogger().handlers[:] = before[0]
    logging.getLogger().setLevel(before[1])
    assert "the worker's round failed: disk full" in stream.getvalue()
