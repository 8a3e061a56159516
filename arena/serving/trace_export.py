"""Export of spans to an OpenTelemetry collector, where the operator wants it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from opentelemetry import trace

from arena.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Generator

    from opentelemetry.sdk.trace import TracerProvider

    from arena.settings import Settings

_MISSING: Final = "ARENA_OTEL needs the packages of `pip install battle-arena[otel]`: {}"


@contextmanager
def exported(settings: Settings) -> Generator[None]:
    """Send spans as the variables OTEL_… say, OTEL_EXPORTER_OTLP_ENDPOINT above all, if ARENA_OTEL is on.

    OpenTelemetry accepts one provider per process, so use it once; what is queued is sent when the block ends.

    Raises:
        Unavailable: The packages are not installed.
    """
    if not settings.otel:
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        provider = _provider()
    except ImportError as error:
        raise Unavailable(_MISSING.format(error)) from None
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        provider.shutdown()


def _provider() -> TracerProvider:
    """A provider whose service is called `arena` unless the environment names it."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    resource = Resource.create()
    if str(resource.attributes["service.name"]).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": "arena"}))
    return TracerProvider(resource=resource)
