import io
import json
import logging

import httpx2
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from arena.adapters.observability import logging as logs
from arena.adapters.observability import tracing
from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from tests.api.conftest import ORIGIN
from tests.api.path_parameters import SECRET, secret_calls

KEY = "k" * 40


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


@pytest.fixture
def spans(monkeypatch):
    """All spans that end meanwhile."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(tracing, "_tracer", lambda: provider.get_tracer("tests"))
    yield exporter.get_finished_spans
    provider.shutdown()


def spellings(path: str) -> list[str]:
    """A path and its likely misspellings."""
    return [
        path,
        f"{path}/",
        f"{path}/more",
        path.replace(SECRET, f"/{SECRET}"),
        path.upper().replace(SECRET.upper(), SECRET),
    ]


async def test_no_secret_of_a_path_is_in_a_log_a_span_or_an_answer(runtime, lines, spans):
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))
    calls = [(method, spelling) for method, path in secret_calls(app.openapi()) for spelling in spellings(path)]
    transport, headers = httpx2.ASGITransport(app, raise_app_exceptions=False), {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as client:
        for method, path in calls:
            answer = await client.request(method, path, json={})
            assert SECRET not in f"{answer.headers} {answer.text}", path
    assert len(calls) > 100
    requests = [line for line in lines() if line["event"] == "request"]
    paths = [span.attributes["path"] for span in spans() if span.name == "request"]
    assert len(requests) == len(paths) == len(calls)
    assert SECRET not in json.dumps(lines())
    assert SECRET not in "".join(span.to_json() for span in spans())
    assert all("*" in path for path in paths)


async def test_the_proxy_s_id_is_taken_over_and_a_strange_one_is_not(client):
    answer = await client.get("/api/v1/status", headers={"X-Request-ID": "proxy-1234567"})
    strange = await client.get("/api/v1/status", headers={"X-Request-ID": "two words; or more"})
    assert answer.headers["x-request-id"] == "proxy-1234567"
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
