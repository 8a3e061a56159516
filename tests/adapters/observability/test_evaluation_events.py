"""Events of counted votes: the two models and the outcome, without voter and texts."""

from __future__ import annotations

import pytest
from opentelemetry._logs import set_logger_provider
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor

from arena.adapters.observability.evaluation_events import evaluated
from arena.domain.terms import Outcome
from tests.adapters.observability.test_tracing import PROMPT, collector, printed

pytestmark = pytest.mark.sqlite


@pytest.fixture(scope="module")
def memory():
    """All events of this process; OpenTelemetry accepts one provider per process."""
    exporter = InMemoryLogRecordExporter()
    provider = LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    set_logger_provider(provider)
    yield exporter
    provider.shutdown()


@pytest.fixture
def taken(memory):
    memory.clear()
    return lambda: [event.log_record for event in memory.get_finished_logs()]


async def test_a_counted_vote_is_one_event_without_voter_text_or_trace(client, runtime, taken):
    answer = await client.post("/api/v1/battles", json={"prompt": PROMPT})
    path = f"/api/v1/battles/{answer.json()['id']}"
    await client.get(f"{path}/stream")
    assert taken() == []
    reveal = (await client.post(f"{path}/vote", json={"outcome": "b"})).json()
    await client.post(f"{path}/vote", json={"outcome": "b"})
    assert reveal["counted"]
    (event,) = taken()
    assert event.event_name == "gen_ai.evaluation.result"
    assert dict(event.attributes) == {
        "gen_ai.evaluation.name": "arena.vote",
        "gen_ai.evaluation.score.label": "b",
        "gen_ai.evaluation.score.value": 0.0,
        "arena.side.a": reveal["a"]["name"],
        "arena.side.b": reveal["b"]["name"],
    }
    assert (event.body, event.trace_id, event.span_id) == (None, 0, 0)


@pytest.mark.parametrize(
    ("told", "stated"),
    [
        ({"outcome": Outcome.TIE, "b": "y"}, {"score.label": "tie", "score.value": 0.5}),
        ({"outcome": Outcome.BOTH_BAD, "b": "y"}, {"score.label": "both_bad", "score.value": 0.5}),
        ({"score": 7.5, "b": None}, {"score.value": 7.5}),
        ({"b": "y"}, {}),
    ],
)
def test_a_judgement_has_a_score_a_label_or_an_error(taken, told, stated):
    evaluated("arena.judge.pairwise", a="x", by="judge", **told)
    (event,) = taken()
    scores = {name.removeprefix("gen_ai.evaluation."): value for name, value in event.attributes.items()}
    assert {name: value for name, value in scores.items() if name.startswith("score")} == stated
    assert ("error.type" in scores) is not bool(stated)
    assert scores["arena.judge"] == "judge"


@pytest.mark.process
def test_events_reach_the_collector_only_where_the_operator_wants_them():
    code = """
from arena.adapters.observability.evaluation_events import evaluated
from arena.domain.terms import Outcome
from arena.serving.trace_export import exported
from arena.settings import Settings
with exported(Settings()):
    evaluated("arena.vote", a="x", b="y", outcome=Outcome.A)
"""
    with collector(ExportLogsServiceRequest) as (url, received):
        settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_EXPORTER_OTLP_COMPRESSION": "none"}
        printed(code, **settings)
        assert received == []
        printed(code, ARENA_OTEL_EVENTS="true", **settings)
    ((path, body),) = received
    assert path == "/v1/logs"
    (record,) = body.resource_logs[0].scope_logs[0].log_records
    assert record.event_name == "gen_ai.evaluation.result"
