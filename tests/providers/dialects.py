"""How each wire dialect says the same things; the conformance list runs over every row of `DIALECTS`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from arena.providers.base import Provider
from arena.providers.http import Client
from arena.providers.openai_chat import OpenAIChat


def sse(value: object) -> bytes:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


@dataclass(frozen=True)
class Dialect:
    """Bytes of one dialect; `ended` is what a complete answer has behind its text."""

    name: str
    provider: Callable[[Client], Provider]
    media_type: str
    delta: Callable[[str], bytes]
    hidden: Callable[[str], bytes]
    ended: Callable[[str], bytes]
    error: Callable[[str, int], bytes]
    stop: str = "stop"
    length: str = "length"
    filtered: str = "content_filter"

    def answer(self, *texts: str) -> bytes:
        return b"".join(map(self.delta, texts)) + self.ended(self.stop)


def _choice(delta: dict[str, str], reason: str | None = None) -> bytes:
    return sse({"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})


def _openai_ended(reason: str) -> bytes:
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    return _choice({}, reason) + sse({"id": "x", "choices": [], "usage": usage}) + sse("[DONE]")


OPENAI_CHAT = Dialect(
    name="openai_chat",
    provider=OpenAIChat,
    media_type="text/event-stream",
    delta=lambda text: _choice({"content": text}),
    hidden=lambda text: _choice({"reasoning_content": text}),
    ended=_openai_ended,
    error=lambda message, code: sse({"error": {"message": message, "code": code}}),
)
DIALECTS = [OPENAI_CHAT]
