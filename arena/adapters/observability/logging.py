"""Log output of a process: lines of text for people, or JSON for log collectors."""

from __future__ import annotations

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from logging import LogRecord
    from typing import TextIO

Form = Literal["text", "json"]

REQUEST: Final[ContextVar[str]] = ContextVar("request")
"""Id of the current request, which is in every line."""
_STANDARD: Final = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}
"""Attributes of every record; all others come from `extra`."""
NOTES: Final = ("arena.serving", "arena.usecases.work_lease", "arena.adapters.store.engine.files")
"""Loggers whose notes every operator sees: how a service starts and ends, who holds a lease, modes of files."""


class TextLines(logging.Formatter):
    """One line of text per record: time, level, message, logger and extra fields, then a traceback."""

    def format(self, record: LogRecord) -> str:
        extra = "".join(f" {name}={value!r}" for name, value in extra_fields(record).items())
        level = record.levelname.lower()
        line = f"{_moment(record)} [{level:<9}] {record.getMessage():<30} [{record.name}]{extra}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """One JSON object per record, with a traceback as `exception`."""

    def format(self, record: LogRecord) -> str:
        fields = {
            "event": record.getMessage(),
            **extra_fields(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": _moment(record),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False, default=repr)


def configure(form: Form, level: int, stream: TextIO | None = None) -> None:
    """Send all logs of this process to `stream` (by default standard error) in one format.

    No log record contains a prompt, an answer, an address or a key; callers never pass them.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("httpx", "httpx2", "httpcore2", "alembic"):  # they log URLs, or too much
        logging.getLogger(name).setLevel(logging.WARNING)


def configure_service(form: Form, *, verbose: bool) -> None:
    """Send the logs of a service: warnings and `NOTES`, with `verbose` or as JSON all notes."""
    configure(form, logging.INFO if verbose or form == "json" else logging.WARNING)
    for name in NOTES:
        logging.getLogger(name).setLevel(logging.INFO)


def extra_fields(record: LogRecord) -> dict[str, object]:
    """The caller's `extra` fields, and the id of the request."""
    extra = {name: value for name, value in vars(record).items() if name not in _STANDARD}
    request = REQUEST.get(None)
    return extra if request is None else {**extra, "request": request}


def _moment(record: LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
