"""Export of the lines of a process's log to an OpenTelemetry collector: what they say on standard error, no more."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from opentelemetry._logs import LogRecord, SeverityNumber

from arena.adapters.observability.logging import given

if TYPE_CHECKING:
    from collections.abc import Generator

    from opentelemetry._logs import LoggerProvider


class OtelHandler(logging.Handler):
    """Hands lines to a provider; those of the exporter itself are left out, which could go on for ever."""

    def __init__(self, provider: LoggerProvider) -> None:
        super().__init__()
        self._provider = provider

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("opentelemetry"):
            return
        extra = given(record).items()
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
