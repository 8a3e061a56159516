"""The benchmark of routes: its calls, its table, and a small run."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from typer.testing import CliRunner

from benchmarks.commands import app
from benchmarks.routes.calls import Call, calls, sample
from benchmarks.routes.loop_cost import PIECE, Answer, Client, TimedLoop
from benchmarks.routes.report import dearest, longest_lag

CONTRACT = {
    "paths": {
        "/a/{name}": {
            "delete": {"summary": "Delete it."},
            "get": {"parameters": [{"in": "query", "name": "limit", "schema": {"type": "integer", "minimum": 3}}]},
            "post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}},
        }
    },
    "components": {
        "schemas": {"A": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}
    },
}


def test_every_route_is_called_plainly_and_with_all_parameters_and_what_deletes_last():
    found = [(call.method, call.target, call.body) for call in calls(CONTRACT, {"name": "x/y"}, {})]
    assert found == [
        ("GET", "/a/x%2Fy", b""),
        ("GET", "/a/x%2Fy?limit=3", b""),
        ("POST", "/a/x%2Fy", b'{"text": "a"}'),
        ("DELETE", "/a/x%2Fy", b""),
    ]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 1),
        ({"enum": ["a", "b"]}, "a"),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 2}, [True, True]),
        ({"type": "string", "minLength": 3}, "aaa"),
    ],
)
def test_a_sample_fits_its_schema(schema, value):
    assert sample({}, schema) == value


def test_a_route_is_as_dear_as_its_dearest_call_at_its_best():
    plain, filtered, other = (
        Call("GET", path, target) for path, target in (("/a", "/a"), ("/a", "/a?b=1"), ("/c", "/c"))
    )
    rows = dearest(
        [
            (plain, [Answer(200, cpu_ms=9), Answer(200, cpu_ms=1)]),
            (filtered, [Answer(200, cpu_ms=7)]),
            (other, [Answer(404, cpu_ms=2)]),
        ],
        None,
    )
    assert [(row.work, row.value) for row in rows] == [("GET /a", 7), ("GET /c", 2)]


def test_a_path_may_need_another_id_than_others():
    found = [call.target for call in calls(CONTRACT, {"name": "x", "/a/{name} name": "y z"}, {})]
    assert found == ["/a/y%20z", "/a/y%20z?limit=3", "/a/y%20z", "/a/y%20z"]


def test_the_longest_lag_is_named_with_its_call():
    calm, late = (Call("GET", path, path) for path in ("/a", "/b"))
    row = longest_lag([(calm, [Answer(200, lag_ms=1)]), (late, [Answer(200, lag_ms=9), Answer(503, lag_ms=2)])])
    assert (row.value, row.note) == (9, "GET /b; 200; 2 calls")


def compute(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_a_call_costs_what_its_own_steps_take_of_the_processor():
    async def application(scope, receive, send):
        first = await receive()
        second = await receive()
        body = first["body"] + second["body"]
        assert (first["more_body"], second["more_body"], len(body)) == (True, False, PIECE + 1)
        compute(0.01)
        await asyncio.create_task(asyncio.sleep(0.05))
        await asyncio.create_task(asyncio.to_thread(compute, 0.2))
        compute(0.02)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def other():
        while True:
            compute(0.1)
            await asyncio.sleep(0)

    async def measured():
        background = asyncio.create_task(other())
        answer = await Client(application).send(Call("POST", "/a", "/a", b"0" * (PIECE + 1)), {})
        background.cancel()
        return answer

    with asyncio.Runner(loop_factory=TimedLoop) as runner:
        answer = runner.run(measured())
    assert answer.status == 200
    assert 20 <= answer.step_ms < 100
    assert 30 <= answer.cpu_ms < 130


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_a_flood_of_any_open_route_leaves_an_honest_visitor_served():
    found = CliRunner().invoke(app, ["routes", "--votes", "1000", "--flood", "1", "--json"])
    assert found.exit_code == 0, found.output
    rows = json.loads(found.output[found.output.index("{") :])["rows"]
    flooded = {row["work"]: row for row in rows if row["case"] == "flooded"}
    assert "GET /api/v1/sign-in/{provider}" in flooded
    assert len(flooded) > 80
    assert "no flood" in flooded
