"""Export of spans, metrics, logs and evaluation events to an OpenTelemetry collector, where the operator wants them."""

from __future__ import annotations

import logging
import os
import socket
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final

from opentelemetry import trace
from opentelemetry._logs import LogRecord, SeverityNumber

from arena.adapters.observability.logging import extra_fields
from arena.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Generator

    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    from arena.settings import Settings

_MISSING: Final = "ARENA_OTEL, …_EVENTS, …_METRICS and …_LOGS need the packages of `pip install battle-arena[otel]`: {}"


@contextmanager
def exported(settings: Settings) -> Generator[None]:
    """Send spans as the variables OTEL_… say, OTEL_EXPORTER_OTLP_ENDPOINT above all, if ARENA_OTEL is on.

    With ARENA_OTEL_METRICS the metrics are sent, with ARENA_OTEL_LOGS the lines of the log, and with ARENA_OTEL_EVENTS
    an event for each counted vote and each judgement. OpenTelemetry accepts one provider per process, so use it once;
    what is queued is sent when the block ends.

    Raises:
        Unavailable: The packages are not installed.
    """
    with ExitStack() as stack:
        try:
            _send(settings, stack)
        except ImportError as error:
            raise Unavailable(_MISSING.format(error)) from None
        yield


def _send(settings: Settings, stack: ExitStack) -> None:
    if settings.otel:
        stack.callback(_send_spans().shutdown)
    if settings.otel_metrics:
        from arena.serving.metric_export import sending

        stack.enter_context(sending(_resource()))
    if settings.otel_events or settings.otel_logs:
        provider = _log_provider()
        stack.callback(provider.shutdown)
        if settings.otel_events:
            _send_events(provider)
        if settings.otel_logs:
            stack.enter_context(handling(provider))


def _send_spans() -> TracerProvider:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=_resource())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider


def _log_provider() -> LoggerProvider:
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

    provider = LoggerProvider(resource=_resource())
    provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
    return provider


def _send_events(provider: LoggerProvider) -> None:
    from opentelemetry._logs import set_logger_provider

    set_logger_provider(provider)


def _resource() -> Resource:
    """The attributes of this process; the service is `arena` unless the environment names it."""
    from opentelemetry.sdk.resources import Resource

    resource = Resource.create({"service.instance.id": f"{socket.gethostname()}:{os.getpid()}"})
    if str(resource.attributes["service.name"]).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": "arena"}))
    return resource


class OtelHandler(logging.Handler):
    """Hands log records to a provider, except OpenTelemetry's own, which could cause further ones for ever."""

    def __init__(self, provider: LoggerProvider) -> None:
        super().__init__()
        self._provider = provider

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("opentelemetry"):
            return
        extra = extra_fields(record).items()
        attributes = {name: value if isinstance(value, (int, float)) else str(value) for name, value in extra}
        if record.exc_info and record.exc_info[0]:
            attributes["exception.type"] = record.exc_info[0].__name__
        self._provider.get_logger(record.name).emit(
            LogRecord(
                timestamp=int(record.created * 1e9),
                severity_text=record.levelname.lower(),
                severity_number=SeverityNumber(max(1, 4 * (record.levelno // 10) + 1)),
                body=record.getMessage(),
                attributes=attributes,
            )
        )


@contextmanager
def handling(provider: LoggerProvider) -> Generator[None]:
    """Send the lines of all loggers while the block runs."""
    handler = OtelHandler(provider)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
