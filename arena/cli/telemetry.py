"""Spans on their way to a collector, where the operator wants them; this file alone knows OpenTelemetry."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from arena import spans
from arena.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Span

    from arena.settings import Settings
    from arena.spans import Fact

_MISSING: Final = "ARENA_OTEL needs the packages of `pip install battle-arena[otel]`: {}"


@contextmanager
def exported(settings: Settings) -> Generator[None]:
    """Send spans as the variables OTEL_… say, OTEL_EXPORTER_OTLP_ENDPOINT above all, if ARENA_OTEL is on.

    Raises:
        Unavailable: The packages are not installed.
    """
    if not settings.otel:
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - optional
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError as error:
        raise Unavailable(_MISSING.format(error)) from None
    with handed_to(BatchSpanProcessor(OTLPSpanExporter())):
        yield


@contextmanager
def handed_to(processor: SpanProcessor) -> Generator[None]:
    """Give every span of this process to `processor` meanwhile."""
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415

    resource = Resource.create()
    if str(resource.attributes["service.name"]).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": "arena"}))
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(processor)
    tracer = provider.get_tracer("arena")

    @contextmanager
    def span(name: str, facts: dict[str, Fact]) -> Generator[Callable[[str, Fact], None]]:
        # The text of an exception may quote what no span may hold, so its kind is all that is kept.
        with tracer.start_as_current_span(
            name, attributes=facts, record_exception=False, set_status_on_exception=False
        ) as made:
            try:
                yield made.set_attribute
            except BaseException as error:
                _mark(made, error)
                raise

    spans.taken_by(span)
    try:
        yield
    finally:
        spans.taken_by(None)
        provider.shutdown()


def _mark(made: Span, error: BaseException) -> None:
    from opentelemetry.trace import StatusCode  # noqa: PLC0415

    made.set_attribute("error.type", type(error).__name__)
    made.set_status(StatusCode.ERROR)
