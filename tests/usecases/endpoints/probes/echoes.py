"""Faulty answers that repeat the API key of the request, in every place where a server can put one."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote

from tests.usecases.endpoints.probes.vendor import DIALECT_BY_NAME, ReceivedRequest, answer

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


def _error(key: str) -> bytes:
    return json.dumps({"error": {"message": f"Incorrect key {key}", "type": key, "code": key, "param": key}}).encode()


def _event(**fields: object) -> bytes:
    return b"data: " + json.dumps(fields).encode() + b"\n\n"


def _stream(body: bytes) -> list[bytes | float]:
    return [OK + b"\r\n" + body]


ECHOES: dict[str, Callable[[str, str], list[bytes | float]]] = {
    "401": lambda key, _: [answer(401, _error(key), WWW_Authenticate=f'Bearer realm="{key}"')],
    "403 in words": lambda key, _: [answer(403, f"{key} may not".encode(), "text/plain")],
    "404": lambda key, _: [answer(404, _error(f"Bearer {key}"))],
    "429": lambda key, _: [answer(429, _error(key), Retry_After=key)],
    "500": lambda key, _: [answer(500, f"trace: headers={{'Authorization': 'Bearer {key}'}}".encode(), "text/plain")],
    "503 page": lambda key, _: [answer(503, f"<pre>{key}</pre>".encode(), "text/html")],
    "400 in escapes": lambda key, _: [answer(400, json.dumps({"key": key}).replace("/", "\\/").encode())],
    "400 in percents": lambda key, _: [answer(400, quote(key, safe="").encode())],
    "400 in code points": lambda key, _: [answer(400, "".join(f"\\u{ord(sign):04x}" for sign in key).encode())],
    "400, cut in the key": lambda key, _: [answer(400, b" " * (8 * 1024 - len(key) // 2) + key.encode())],
    "redirect": lambda key, _: [answer(302, b"", Location=f"https://elsewhere.test/?key={key}")],
    "status line": lambda key, _: [f"HTTP/1.1 2x0 {key}\r\n\r\n".encode()],
    "reason": lambda key, _: [f"HTTP/1.1 500 {key}\r\nContent-Length: 0\r\n\r\n".encode()],
    "header name": lambda key, _: [OK + f"X {key}: 1\r\n\r\n".encode()],
    "media type": lambda key, _: [answer(200, b"x", key)],
    "encoding": lambda key, _: [answer(200, b"x", "text/event-stream", Content_Encoding=key)],
    "chunk size": lambda key, _: [OK + b"Transfer-Encoding: chunked\r\n\r\n" + key.encode() + b"\r\n"],
    "length": lambda key, _: [OK + f"Content-Length: {key}\r\n\r\n".encode()],
    "whole JSON": lambda key, _: [answer(200, _error(key))],
    "whole JSON without an error": lambda key, _: [answer(200, json.dumps({"key": key}).encode())],
    "error in the stream": lambda key, _: _stream(b"event: error\n" + b"data: " + _error(key) + b"\n\n"),
    "typed error": lambda key, _: _stream(_event(type="error", code=key, message=key, error={"message": key})),
    "failed response": lambda key, _: _stream(_event(type="response.failed", response={"error": {"message": key}})),
    "error that is a text": lambda key, _: _stream(_event(error=key)),
    "blocked": lambda key, _: _stream(_event(promptFeedback={"blockReason": key})),
    "base_resp": lambda key, _: _stream(_event(base_resp={"status_code": 1004, "status_msg": key})),
    "no JSON": lambda key, _: _stream(f"data: {key}\n\n{key}\n".encode()),
    "finish": lambda key, _: _stream(
        _event(choices=[{"delta": {}, "finish_reason": key}], candidates=[{"finishReason": key}])
        + _event(type="message_delta", delta={"stop_reason": key})
        + _event(type="response.incomplete", response={"incomplete_details": {"reason": key}})
    ),
    "content that is no text": lambda key, _: _stream(_event(choices=[{"delta": {"content": {"key": key}}}])),
    "line that is no object": lambda key, _: [answer(200, json.dumps([key]).encode() + b"\n", "application/x-ndjson")],
    "line with an error": lambda key, _: [answer(200, _event(error=key)[6:], "application/x-ndjson")],
    "cut after text": lambda _, dialect: [
        OK
        + b"Content-Length: 9999\r\n\r\n"
        + DIALECT_BY_NAME[dialect].delta("Hi")
        + DIALECT_BY_NAME[dialect].hidden("secret")
    ],
    "good": lambda _, dialect: [OK + b"\r\n" + DIALECT_BY_NAME[dialect].answer("All ", "well.")],
}


def echo(number: int, asked: ReceivedRequest, dialect: str) -> list[bytes | float]:
    """The fault with this number, for a request."""
    faults = list(ECHOES.values())
    return faults[number % len(faults)](asked.key or "no key", dialect)
