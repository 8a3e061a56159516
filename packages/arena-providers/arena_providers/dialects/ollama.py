"""The dialect `ollama`: `POST /api/chat`, one JSON object per line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena_providers import finish_reasons
from arena_providers.answer import AnswerState, JsonObject, fields, parse, part, text_of, thought_of, usage_of
from arena_providers.answer_stream import AnswerRequest, AnswerStream
from arena_providers.presets import BEARER
from arena_providers.refusals import error_in_stream, error_object
from arena_providers.transport.sse import LINE_LIMIT, Event, too_large_event
from arena_providers.whole_answer import whole_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena_providers.base import Target
    from arena_providers.terms import Message
    from arena_providers.transport.http_client import HttpClient


class Ollama:
    """Streams answers of Ollama; `thinking` is never shown."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AnswerStream:
        """Yield the answer; raises `ProviderError`."""
        request = _request(target, _body(target, messages))
        # Gateways often declare application/json; the lines show whether it is a stream.
        answer = _OllamaAnswer(request.key, finish_reasons.OLLAMA)
        return AnswerStream(self._client, request, answer, parser=LineParser(), whole=True)

    async def whole(self, target: Target, messages: Sequence[Message]) -> str:
        """The content of an answer without streaming; raises `ProviderError`."""
        request = _request(target, _body(target, messages) | {"stream": False})
        return await whole_text(self._client, request, lambda reply: text_of(part(reply, "message").get("content")))


def _request(target: Target, body: JsonObject) -> AnswerRequest:
    path = "/chat" if target.url.rstrip("/").endswith("/api") else "/api/chat"
    return AnswerRequest.to(target, path, body, BEARER)


def _body(target: Target, messages: Sequence[Message]) -> JsonObject:
    system = [{"role": "system", "content": target.system_prompt}] if target.system_prompt else []
    options = fields(temperature=target.temperature, top_p=target.top_p, num_predict=target.max_tokens)
    return {
        "model": target.wire_model,
        "messages": [*system, *map(_message, messages)],
        "stream": True,
        **fields(options=options or None),
    }


def _message(message: Message) -> JsonObject:
    """A message with its images beside the text."""
    images = [image.base64 for image in message.images]
    return {"role": str(message.role), "content": message.content, **fields(images=images or None)}


class _OllamaAnswer(AnswerState):
    """Messages up to one with `done`, which has the reason and the counts; then the response ends."""

    def read(self, event: Event) -> str:
        """The content of the line's message."""
        line = parse(event.data)
        if error := error_object(line, formed="done" in line or isinstance(line.get("message"), dict)):
            raise error_in_stream(error, self.key)
        if line.get("done") is True:
            self.close(line.get("done_reason"))
            self.awaited = False
            self.usage = usage_of(line, "prompt_eval_count", "eval_count") or self.usage
        else:
            # Older versions state no reason, but every line states whether it is the last.
            self.awaited = self.awaited or "done" in line
        message = part(line, "message")
        self.called = self.called or bool(message.get("tool_calls"))
        self.thoughts.add(thought_of(message.get("thinking")))
        return text_of(message.get("content"))


class LineParser:
    """Parser of newline-delimited JSON with the limits of server-sent events; empty lines are skipped.

    Lines end with LF or CR LF. The last line may lack its end.
    """

    def __init__(self) -> None:
        self._tail = bytearray()

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the lines that `data` completes; exhaust the iterator before feeding more.

        Raises:
            BadReply: A line is too long; the lines before it have been yielded.
        """
        *lines, tail = data.split(b"\n")
        for piece in lines:
            self._extend(piece)
            if line := self._line():
                yield line
        self._extend(tail)

    def end(self) -> Iterator[Event]:
        """Yield the last line if it has no line end."""
        if line := self._line():
            yield line

    def _line(self) -> Event | None:
        line = bytes(self._tail).strip()
        self._tail.clear()
        # Lines never split a character, so decoding each alone equals decoding the stream.
        return Event(line.decode("utf-8", "replace")) if line else None

    def _extend(self, piece: bytes) -> None:
        if len(self._tail) + len(piece) > LINE_LIMIT:
            raise too_large_event()
        self._tail += piece
