"""How a process writes down what happens: lines for a person, or JSON for whatever collects them."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any, Literal

import structlog

if TYPE_CHECKING:
    from typing import TextIO

Form = Literal["text", "json"]


def configure(form: Form, level: int, stream: TextIO | None = None) -> None:
    """Send every log line of this process to `stream` (standard error) in one form.

    No line holds a prompt, an answer, an address or a key: what logs here is given none.
    """
    shared = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_last(form)],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("httpx", "httpx2", "httpcore2", "alembic"):  # they name addresses, or what nobody asked for
        logging.getLogger(name).setLevel(logging.WARNING)


def _last(form: Form) -> list[Any]:
    if form == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
