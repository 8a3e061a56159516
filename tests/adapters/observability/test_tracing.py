"""What traces of a battle contain, and what they must not contain."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from arena.adapters.observability import metrics
from arena.adapters.observability.tracing import span
from arena_providers.errors import EndpointUnavailable
from tests.conftest import NAMES

pytestmark = pytest.mark.sqlite
PROMPT = "a prompt that no span may hold"


@pytest.fixture(scope="module")
def memory():
    """All spans of this process; OpenTelemetry accepts one provider per process."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    yield exporter
    provider.shutdown()


@pytest.fixture
def taken(memory):
    """Every span that has ended, by name."""
    memory.clear()

    def found() -> dict[str, list]:
        ended = memory.get_finished_spans()
        return {span.name: [twin for twin in ended if twin.name == span.name] for span in ended}

    return found


async def battle(client) -> str:
    answer = await client.post("/api/v1/battles", json={"prompt": PROMPT})
    await client.get(f"/api/v1/battles/{answer.json()['id']}/stream")
    return answer.headers["x-request-id"]


async def test_a_request_leads_to_a_turn_its_calls_and_its_commits_in_one_trace(client, runtime, taken):
    request_id = await battle(client)
    await runtime.close(5)
    spans = taken()
    (request,) = [span for span in spans["request"] if span.attributes["request"] == request_id]
    assert (request.attributes["method"], request.attributes["status"]) == ("POST", 201)
    (turn,) = spans["turn"]
    assert turn.parent.span_id == request.context.span_id
    assert turn.attributes["end"] == "ready"
    assert [call.parent.span_id for call in spans["call"]] == [turn.context.span_id] * 2
    parents = [span.parent.span_id for span in spans["commit"] if span.parent]
    assert {request.context.span_id, turn.context.span_id} <= set(parents)


async def test_a_vote_waits_for_the_round_that_saves_it(client, runtime, taken):
    answer = await client.post("/api/v1/battles", json={"prompt": PROMPT})
    path = f"/api/v1/battles/{answer.json()['id']}"
    await client.get(f"{path}/stream")
    voted = await client.post(f"{path}/vote", json={"outcome": "a"})
    spans = taken()
    (request,) = [span for span in spans["request"] if span.attributes["request"] == voted.headers["x-request-id"]]
    (waited,) = spans["batch"]
    assert waited.parent.span_id == request.context.span_id
    parents = [span.parent for span in spans["commit"] if span.start_time > waited.start_time]
    assert parents
    assert set(parents) == {None}


async def test_a_failed_call_is_marked_by_its_kind_and_no_span_quotes_anything(client, runtime, taken, scripted, part):
    part("red-7b", PROMPT, error=EndpointUnavailable("https://secret.example/v1 said: key sk-123 is wrong"))
    part("blue-7b", "an answer that no span may hold")
    await battle(client)
    await runtime.close(5)
    failed = [call for call in taken()["call"] if not call.status.is_ok]
    assert failed
    text = "".join(span.to_json() for group in taken().values() for span in group)
    for word in (*NAMES, "no span may hold", "secret.example", "sk-123", "127.0.0.1"):
        assert word not in text


async def test_a_path_in_a_span_names_nobody(client, taken):
    for path in ("models/maker/red-7b", "shared/secret-token", "battles/some-id/stream"):
        await client.get(f"/api/v1/{path}")
    paths = [span.attributes["path"] for span in taken()["request"]]
    assert paths == ["/api/v1/models/*", "/api/v1/shared/*", "/api/v1/battles/*/stream"]


async def test_the_framework_adds_no_spans_of_its_own(client, taken):
    await client.get("/api/v1/shared/secret-token")
    assert set(taken()) <= {"request", "commit", "batch"}


async def test_what_a_stranger_says_of_traces_is_not_heard(client, taken):
    forged = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    await client.get("/api/v1/status", headers={"traceparent": forged})
    (request,) = taken()["request"]
    assert request.parent is None
    assert f"{request.context.trace_id:032x}" not in forged


def printed(code: str, **variables: str) -> str:
    env = {**os.environ, **variables}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout


@pytest.mark.process
def test_no_exporter_is_imported_and_nothing_recorded_unless_the_operator_wants_it():
    code = """
import sys, arena.serving.composition, arena.serving.worker
from opentelemetry.trace import INVALID_SPAN, get_current_span
from arena.adapters.observability.tracing import span
with span("request", method="GET") as outer, span("turn") as inner:
    print(outer is inner is INVALID_SPAN is get_current_span(), {"opentelemetry.sdk", "google"} & set(sys.modules))
"""
    assert printed(code) == "True set()\n"


def test_spans_of_a_trace_that_is_not_sampled_stay_together(memory):
    with trace.use_span(trace.NonRecordingSpan(trace.SpanContext(1, 2, is_remote=False))), span("turn") as turn:
        context = turn.get_span_context()
    assert (context.trace_id, context.trace_flags.sampled) == (1, False)


@contextmanager
def collector(request: Any = ExportTraceServiceRequest):
    """A collector that records requests; yields its URL and the records."""
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            received.append((self.path, request.FromString(content)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", received
        server.shutdown()
        thread.join()


@pytest.mark.process
def test_spans_reach_the_collector_that_the_usual_variables_name():
    code = """
from arena.adapters.observability.tracing import span
from arena.serving.trace_export import exported
from arena.settings import Settings
with exported(Settings(otel=True)), span("turn", turn=7) as turn:
    turn.set_attribute("end", "ready")
"""
    with collector() as (url, received):
        printed(code, OTEL_EXPORTER_OTLP_ENDPOINT=url, OTEL_EXPORTER_OTLP_COMPRESSION="none")
    ((path, body),) = received
    assert path == "/v1/traces"
    (resource,) = body.resource_spans
    assert ("service.name", "arena") in {
        (attribute.key, attribute.value.string_value) for attribute in resource.resource.attributes
    }
    (span,) = resource.scope_spans[0].spans
    assert (span.name, {attribute.key for attribute in span.attributes}) == ("turn", {"turn", "end"})


TELLING = """
import logging, sys
from arena.adapters.observability import metrics
from arena.adapters.observability.logging import configure
from arena.serving.trace_export import exported
from arena.settings import Settings
configure("text", logging.INFO)
with exported(Settings()):
    metrics.VOTES.labels("a", "true").inc(3)
    metrics.WRITES.observe(0.004)
    metrics.WRITES.observe(7)
    metrics.PLACES.labels("all").set(300)
    logging.getLogger("arena").warning("The disk is nearly full.", extra={"free_gb": 2})
"""


@pytest.mark.process
def test_metrics_reach_the_collector_under_the_names_that_the_alerts_ask_for():
    with collector(ExportMetricsServiceRequest) as (url, received):
        settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_EXPORTER_OTLP_COMPRESSION": "none"}
        printed(TELLING, **settings)
        assert received == []
        printed(TELLING, ARENA_OTEL_METRICS="true", **settings)
    ((path, body),) = received
    assert path == "/v1/metrics"
    (resource,) = body.resource_metrics
    assert "service.instance.id" in {attribute.key for attribute in resource.resource.attributes}
    by_name = {metric.name: metric for metric in resource.scope_metrics[0].metrics}
    assert by_name.keys() == {
        f"{family.name}_total" if family.type == "counter" else family.name for family in metrics.REGISTRY.collect()
    }
    (votes,) = by_name["arena_votes_total"].sum.data_points
    assert (votes.as_double, {attribute.key: attribute.value.string_value for attribute in votes.attributes}) == (
        3,
        {"outcome": "a", "counted": "true"},
    )
    (writes,) = by_name["arena_write_seconds"].histogram.data_points
    counts = dict(zip([*writes.explicit_bounds, float("inf")], writes.bucket_counts, strict=True))
    assert (writes.count, writes.sum) == (2, 7.004)
    assert {bound: count for bound, count in counts.items() if count} == {0.005: 1, float("inf"): 1}
    (places,) = by_name["arena_places"].gauge.data_points
    assert places.as_double == 300


@pytest.mark.process
def test_lines_of_the_log_reach_the_collector_where_the_operator_wants_them():
    with collector(ExportLogsServiceRequest) as (url, received):
        settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_EXPORTER_OTLP_COMPRESSION": "none"}
        printed(TELLING, ARENA_OTEL_LOGS="true", **settings)
    ((path, body),) = received
    assert path == "/v1/logs"
    (scope,) = body.resource_logs[0].scope_logs
    (line,) = scope.log_records
    assert (scope.scope.name, line.body.string_value, line.severity_text) == (
        "arena",
        "The disk is nearly full.",
        "warning",
    )
    assert {attribute.key: attribute.value.int_value for attribute in line.attributes} == {"free_gb": 2}
