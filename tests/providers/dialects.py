"""The same messages in each wire dialect; the conformance tests run over every row of `DIALECTS`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from arena_providers import finish_reasons
from arena_providers.base import Provider
from arena_providers.dialects.anthropic import Anthropic
from arena_providers.dialects.gemini import Gemini
from arena_providers.dialects.ollama import Ollama
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.dialects.openai_responses import OpenAIResponses
from arena_providers.terms import Finish
from arena_providers.transport.http_client import HttpClient


def line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def sse(value: object) -> bytes:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


@dataclass(frozen=True)
class Dialect:
    """Messages of one dialect as bytes; `ended` makes the end of a complete answer after its text."""

    name: str
    provider: Callable[[HttpClient], Provider]
    media_type: str
    delta: Callable[[str], bytes]
    hidden: Callable[[str], bytes]
    ended: Callable[[str], bytes]
    error: Callable[[str, int], bytes]
    called: bytes
    """A complete answer that calls a tool and has no text."""
    closing: Callable[[str, str], bytes]
    """A delta with a text (perhaps empty) that also states a finish reason, as some servers do in every event."""
    bulky: Callable[[str], bytes]
    """An event with this text in a field that is never shown."""
    reasons: Mapping[str, Finish | None]
    whole: Callable[[str], bytes]
    """The response with this text to a request without streaming."""
    bare: Callable[[str], bytes]
    """A delta of a server that never states a finish reason."""
    stop: str = "stop"
    length: str = "length"
    filtered: str | None = "content_filter"
    statuses_in_stream: bool = True

    def answer(self, *texts: str) -> bytes:
        return b"".join(map(self.delta, texts)) + self.ended(self.stop)


FUNCTION = {"name": "search", "arguments": "{}"}


def _choice(delta: dict[str, object], reason: str | None = None) -> bytes:
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
    called=(
        _choice({"role": "assistant", "content": None})
        + _choice({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": FUNCTION}]})
        + _openai_ended("tool_calls")
    ),
    closing=lambda text, reason: _choice({"content": text}, reason),
    bare=lambda text: sse({"choices": [{"index": 0, "delta": {"content": text}}]}),
    bulky=lambda text: sse({"choices": [{"index": 0, "delta": {}, "logprobs": {"content": text}}]}),
    reasons=finish_reasons.OPENAI_CHAT,
    whole=lambda text: line({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}),
)


def _typed(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\n".encode() + sse({"type": kind, **fields})


def _responses_ended(reason: str) -> bytes:
    usage = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
    if reason == "completed":
        return _typed("response.completed", response={"status": "completed", "usage": usage})
    details = {"reason": reason}
    response = {"status": "incomplete", "incomplete_details": details, "usage": usage}
    return _typed("response.incomplete", response=response)


RESPONSES_CODES = {401: "invalid_api_key", 429: "rate_limit_exceeded", 503: "server_error"}
OPENAI_RESPONSES = Dialect(
    name="openai_responses",
    provider=OpenAIResponses,
    media_type="text/event-stream",
    delta=lambda text: _typed("response.output_text.delta", output_index=0, delta=text),
    hidden=lambda text: (
        _typed("response.reasoning_text.delta", delta=text)
        + _typed("response.reasoning_summary_text.delta", delta=text)
        + _typed("response.output_item.done", item={"type": "reasoning", "summary": [{"text": text}]})
    ),
    ended=_responses_ended,
    error=lambda message, code: _typed("error", code=RESPONSES_CODES[code], message=message, param=None),
    called=(
        _typed("response.output_item.added", item={"type": "function_call", "call_id": "c1", "name": "search"})
        + _typed("response.function_call_arguments.delta", delta="{}")
        + _responses_ended("completed")
    ),
    # Only the last event states a reason, and it is the end mark.
    closing=lambda text, _reason: _typed("response.output_text.delta", output_index=0, delta=text),
    bare=lambda text: _typed("response.output_text.delta", output_index=0, delta=text),
    bulky=lambda text: _typed("response.output_text.annotation.added", annotation={"title": text}),
    reasons=finish_reasons.OPENAI_RESPONSES,
    whole=lambda text: line(
        {
            "output": [
                {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "hm " * 99}]},
                {"type": "message", "content": [{"type": "output_text", "text": text}]},
            ],
        }
    ),
    stop="completed",
    length="max_output_tokens",
)


def _delta(**delta: object) -> bytes:
    return _typed("content_block_delta", index=0, delta=delta)


def _anthropic_ended(reason: str) -> bytes:
    return (
        _typed("content_block_stop", index=0)
        + _typed("message_start", message={"usage": {"input_tokens": 5, "cache_read_input_tokens": 2}})
        + _typed("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 3})
        + _typed("message_stop")
    )


ANTHROPIC_TYPES = {401: "authentication_error", 429: "rate_limit_error", 503: "overloaded_error"}
ANTHROPIC = Dialect(
    name="anthropic",
    provider=Anthropic,
    media_type="text/event-stream",
    delta=lambda text: _delta(type="text_delta", text=text),
    hidden=lambda text: (
        _typed("content_block_start", index=0, content_block={"type": "thinking", "thinking": text})
        + _delta(type="thinking_delta", thinking=text)
        + _delta(type="signature_delta", signature=text)
    ),
    ended=_anthropic_ended,
    error=lambda message, code: _typed("error", error={"type": ANTHROPIC_TYPES[code], "message": message}),
    called=(
        _typed("content_block_start", index=0, content_block={"type": "tool_use", "id": "c1", "name": "search"})
        + _delta(type="input_json_delta", partial_json="{}")
        + _anthropic_ended("tool_use")
    ),
    closing=lambda text, reason: (
        _typed("message_delta", delta={"stop_reason": reason}, usage={"input_tokens": 7, "output_tokens": 3})
        + _delta(type="text_delta", text=text)
    ),
    bare=lambda text: _delta(type="text_delta", text=text),
    bulky=lambda text: _delta(type="signature_delta", signature=text),
    reasons=finish_reasons.ANTHROPIC,
    whole=lambda text: line(
        {"content": [{"type": "thinking", "thinking": "hm " * 99}, {"type": "text", "text": text}]},
    ),
    stop="end_turn",
    length="max_tokens",
    filtered="refusal",
)


def _candidate(*parts: dict[str, object], **more: object) -> bytes:
    return sse({"candidates": [{"content": {"role": "model", "parts": list(parts)}, "index": 0, **more}]})


def _gemini_ended(reason: str) -> bytes:
    counts = {"promptTokenCount": 7, "candidatesTokenCount": 1, "thoughtsTokenCount": 2}
    return sse({"candidates": [{"finishReason": reason, "index": 0}], "usageMetadata": counts})


GEMINI = Dialect(
    name="gemini",
    provider=Gemini,
    media_type="text/event-stream",
    delta=lambda text: _candidate({"text": text}),
    hidden=lambda text: _candidate({"text": text, "thought": True}),
    ended=_gemini_ended,
    error=lambda message, code: sse({"error": {"code": code, "message": message, "status": "X"}}),
    called=_candidate({"functionCall": {"name": "search", "args": {}}}) + _gemini_ended("STOP"),
    closing=lambda text, reason: _candidate(*([{"text": text}] if text else []), finishReason=reason),  # pyright: ignore[reportArgumentType]
    bare=lambda text: _candidate({"text": text}),
    bulky=lambda text: _candidate({"text": "", "thoughtSignature": text}),
    reasons={reason.upper(): finish for reason, finish in finish_reasons.GEMINI.items()},
    whole=lambda text: line(
        {"candidates": [{"content": {"parts": [{"text": "hm " * 99, "thought": True}, {"text": text}]}}]}
    ),
    stop="STOP",
    length="MAX_TOKENS",
    filtered="SAFETY",
)


def _message(**message: object) -> bytes:
    return line({"model": "m", "message": {"role": "assistant", **message}, "done": False})


OLLAMA = Dialect(
    name="ollama",
    provider=Ollama,
    media_type="application/x-ndjson",
    delta=lambda text: _message(content=text),
    hidden=lambda text: _message(content="", thinking=text),
    ended=lambda reason: line(
        {"message": {"content": ""}, "done": True, "done_reason": reason, "prompt_eval_count": 7, "eval_count": 3}
    ),
    error=lambda message, _code: line({"error": message}),
    called=(
        _message(content="", tool_calls=[{"function": {"name": "search", "arguments": {}}}])
        + line({"message": {"content": ""}, "done": True, "done_reason": "stop"})
    ),
    closing=lambda text, reason: line({"message": {"content": text}, "done": True, "done_reason": reason}),
    bare=lambda text: line({"message": {"role": "assistant", "content": text}}),
    bulky=lambda text: _message(content="", context=text),
    reasons=finish_reasons.OLLAMA,
    whole=lambda text: line({"message": {"content": text, "thinking": "hm " * 99}, "done": True}),
    filtered=None,
    statuses_in_stream=False,
)
DIALECTS = [OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC, GEMINI, OLLAMA]
