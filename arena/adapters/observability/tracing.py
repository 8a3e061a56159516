"""Spans of one request and all that it leads to: its turns, the calls of models, what was committed, and the fits.

Spans go through OpenTelemetry's API, which does nothing unless `arena.serving.trace_export` has installed a provider.
No span names a prompt, an answer, a voter, an address, a key or a model; `endpoint` is an endpoint's number. Nor are
trace headers sent to a model's server: two servers could find out that they are in the same battle.
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
    from opentelemetry.trace import get_tracer  # commands that only read have no span

    return get_tracer("arena")


def span(name: str, **attributes: str | int) -> AbstractContextManager[Span]:
    """A span around the block, child of the span that is current there.

    An exception leaves its type and nothing else: its text may quote what no span may hold. Without a provider the
    span is not made current either, which would cost ten times as much as the rest.
    """
    started = _tracer().start_span(name, attributes=attributes)
    return _current(started) if started.get_span_context().is_valid else nullcontext(started)


@contextmanager
def _current(started: Span) -> Generator[Span]:
    from opentelemetry.trace import StatusCode, use_span  # as above

    with use_span(started, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield started
        except BaseException as error:
            started.set_attribute("error.type", type(error).__name__)
            started.set_status(StatusCode.ERROR)
            raise
