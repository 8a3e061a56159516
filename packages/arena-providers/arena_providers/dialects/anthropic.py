"""The dialect `anthropic`: `POST /messages` with `stream: true`, content in typed blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena_providers import finish_reasons
from arena_providers.answer import AnswerState, JsonObject, count, fields, parse, part, parts, text_of, thought_of
from arena_providers.answer_stream import AnswerRequest, AnswerStream
from arena_providers.base import Usage
from arena_providers.presets import API_KEY
from arena_providers.refusals import error_in_stream, error_object
from arena_providers.whole_answer import whole_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_providers.base import Target
    from arena_providers.terms import Image, Message
    from arena_providers.transport.http_client import HttpClient
    from arena_providers.transport.sse import Event

_VERSION: Final = {"anthropic-version": "2023-06-01"}
_LONGEST: Final = 4096
"""Default limit on tokens of an answer: the dialect requires a number, and every model allows this one."""
_CALLS: Final = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_KINDS: Final = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "ping",
    }
)
_SENT: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Anthropic:
    """Streams answers of servers with the Messages API; thinking blocks are never shown."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AnswerStream:
        """Yield the answer; raises `ProviderError`."""
        request = AnswerRequest.to(target, "/messages", _body(target, messages), API_KEY, **_VERSION)
        return AnswerStream(self._client, request, _MessagesAnswer(request.key))

    async def whole(self, target: Target, messages: Sequence[Message]) -> str:
        """The text blocks of an answer without streaming; raises `ProviderError`."""
        body = _body(target, messages) | {"stream": False}
        request = AnswerRequest.to(target, "/messages", body, API_KEY, **_VERSION)
        return await whole_text(
            self._client, request, lambda reply: "".join(_text(block, "text") for block in parts(reply.get("content")))
        )


def _body(target: Target, messages: Sequence[Message]) -> JsonObject:
    return {
        "model": target.wire_model,
        "messages": [{"role": str(message.role), "content": _content(message)} for message in messages],
        "max_tokens": target.max_tokens or _LONGEST,
        "stream": True,
        **fields(system=target.system_prompt or None, temperature=target.temperature, top_p=target.top_p),
    }


def _content(message: Message) -> str | list[JsonObject]:
    """Plain text, or typed blocks where there are images."""
    if not message.images:
        return message.content
    return [*map(_block, message.images), {"type": "text", "text": message.content}]


def _block(image: Image) -> JsonObject:
    source = {"type": "base64", "media_type": image.media_type, "data": image.base64}
    return {"type": "image", "source": source}


class _MessagesAnswer(AnswerState):
    """Blocks of content, then a `message_delta` with the reason and the last counts, then `message_stop`."""

    def __init__(self, key: str | None) -> None:
        super().__init__(key, finish_reasons.ANTHROPIC)
        self._counts: dict[str, int] = {}

    def read(self, event: Event) -> str:
        """The text of a text delta; thinking, signatures and tool input are other kinds of delta."""
        if self.marked or not event.data.strip():
            return ""
        content = parse(event.data)
        kind = str(content.get("type"))
        if error := error_object(content, formed=kind in _KINDS) or (content if kind == "error" else None):
            raise error_in_stream(error, self.key)
        self._count(part(content, "message", "usage") or part(content, "usage"))
        if kind == "content_block_start":
            block = part(content, "content_block")
            self.called = self.called or str(block.get("type")) in _CALLS
            return _text(block, "text")
        if kind == "content_block_delta":
            return self._take(part(content, "delta"))
        self._end(kind, content)
        return ""

    def _take(self, delta: JsonObject) -> str:
        if text := thought_of(delta.get("thinking")):
            self.thoughts.add(text)
        elif delta.get("type") == "text_delta":
            self.field = "text"
        return _text(delta, "text_delta")

    def _end(self, kind: str, content: JsonObject) -> None:
        self.awaited = self.awaited or "stop_reason" in part(content, "message")
        delta = part(content, "delta")
        if kind == "message_delta" and "stop_reason" in delta:
            self.state(delta["stop_reason"])
        if kind == "message_stop":
            self.marked = True
            self.close()

    def _count(self, usage: JsonObject) -> None:
        """Later counts replace earlier ones; cached input tokens are counted as sent."""
        self._counts |= {name: number for name, value in usage.items() if (number := count(value)) is not None}
        if "input_tokens" in self._counts and "output_tokens" in self._counts:
            self.usage = Usage(sum(self._counts.get(name, 0) for name in _SENT), self._counts["output_tokens"])


def _text(block: JsonObject, kind: str) -> str:
    return text_of(block.get("text")) if block.get("type") == kind else ""
