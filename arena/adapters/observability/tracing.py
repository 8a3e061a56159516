"""Spans of requests and the work that they cause: turns, calls of models, commits and fits.

OpenTelemetry's API does nothing unless `arena.serving.trace_export` has installed a provider. No span has a prompt, an
answer, a voter, an address, a key or the name of a model; `endpoint` is an endpoint's number. Model servers get no
trace headers, by which two of them could find out that they are in the same battle.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import AbstractContextManager

    from opentelemetry.trace import Span, Tracer


@cache
def _tracer() -> Tracer:
    from opentelemetry.trace import get_tracer  # not needed by commands that only read

    return get_tracer("arena")


def span(name: str, **attributes: str | int) -> AbstractContextManager[Span]:
    """A span around the block, child of the current span.

    Of an exception only the type is recorded, since its text may have private data. Without a provider the span does
    not become the current one, which would take ten times as long as the rest.
    """
    new_span = _tracer().start_span(name, attributes=attributes)
    return _as_current(new_span) if new_span.get_span_context().is_valid else nullcontext(new_span)


@contextmanager
def _as_current(new_span: Span) -> Generator[Span]:
    from opentelemetry.trace import StatusCode, use_span  # as above

    with use_span(new_span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield new_span
        except BaseException as error:
            new_span.set_attribute("error.type", type(error).__name__)
            new_span.set_status(StatusCode.ERROR)
            raise
