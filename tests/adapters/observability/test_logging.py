"""A log line has its fields, the request id and the traceback, and no value can start a new line."""

from __future__ import annotations

import json
import logging
import sys

from arena.adapters.observability.logging import REQUEST, JsonLines, TextLines


def record(message="saved %s", given="all", **extra):
    line = logging.makeLogRecord({"name": "arena.test", "levelname": "WARNING", "msg": message, "args": (given,)})
    vars(line).update(extra)
    return line


def test_a_json_line_has_what_was_given_and_the_usual_fields():
    fields = json.loads(JsonLines().format(record(number=3, odd={1})))
    assert fields.pop("timestamp").endswith("Z")
    assert fields == {"event": "saved all", "number": 3, "odd": "{1}", "level": "warning", "logger": "arena.test"}


def test_a_line_names_the_request_it_belongs_to():
    bound = REQUEST.set("proxy-1234567")
    lines = [form.format(record()) for form in (JsonLines(), TextLines())]
    REQUEST.reset(bound)
    assert json.loads(lines[0])["request"] == "proxy-1234567"
    assert lines[1].endswith("request='proxy-1234567'")
    assert "request" not in JsonLines().format(record())


def test_a_given_value_forges_no_second_line():
    forged = "/one\n2026-11-23 [error    ] two"
    assert "\n" not in TextLines().format(record(path=forged))
    assert "\n" not in JsonLines().format(record(path=forged))


def test_an_error_comes_with_its_traceback():
    try:
        json.loads("{")
    except ValueError:
        failed = record(exc_info=sys.exc_info())
    assert "JSONDecodeError" in TextLines().format(failed).splitlines()[-1]
    assert "Traceback" in json.loads(JsonLines().format(failed))["exception"]
