"""The dialect `openai_responses`: `POST /responses` with `stream: true`, typed events, nothing stored by the vendor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena_providers import finish_reasons
from arena_providers.answer import AnswerState, JsonObject, fields, parse, part, parts, text_of, thought_of, usage_of
from arena_providers.answer_reader import END_MARK
from arena_providers.answer_stream import AnswerRequest, AnswerStream
from arena_providers.presets import BEARER
from arena_providers.refusals import error_in_stream, error_object
from arena_providers.terms import Role
from arena_providers.whole_answer import whole_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_providers.base import Target
    from arena_providers.terms import Message
    from arena_providers.transport.http_client import HttpClient
    from arena_providers.transport.sse import Event

_PARTS: Final = {Role.USER: "input_text", Role.ASSISTANT: "output_text"}
_VISIBLE: Final = frozenset({"response.output_text.delta", "response.refusal.delta"})
"""Events whose `delta` is visible text, unlike those of reasoning and its summary."""
_THOUGHT: Final = frozenset({"response.reasoning_text.delta", "response.reasoning_summary_text.delta"})
_CALLED: Final = frozenset({"response.function_call_arguments.delta", "response.custom_tool_call_input.delta"})
_RUNNING: Final = frozenset({"queued", "in_progress"})
_OVER: Final = frozenset({"response.completed", "response.incomplete", "response.cancelled"})


class OpenAIResponses:
    """Streams answers of servers with the Responses API; the whole conversation is sent each time."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AnswerStream:
        """Yield the answer; raises `ProviderError`."""
        request = AnswerRequest.to(target, "/responses", _body(target, messages), BEARER)
        return AnswerStream(self._client, request, _ResponsesAnswer(request.key, finish_reasons.OPENAI_RESPONSES))

    async def whole(self, target: Target, messages: Sequence[Message]) -> str:
        """The text of the output messages of an answer without streaming; raises `ProviderError`."""
        request = AnswerRequest.to(target, "/responses", _body(target, messages) | {"stream": False}, BEARER)
        return await whole_text(self._client, request, _whole)


def _body(target: Target, messages: Sequence[Message]) -> JsonObject:
    return {
        "model": target.wire_model,
        "input": [_item(message) for message in messages],
        "stream": True,
        # Otherwise the vendor stores the conversation for thirty days.
        "store": False,
        **fields(
            instructions=target.system_prompt or None,
            temperature=target.temperature,
            top_p=target.top_p,
            max_output_tokens=target.max_tokens,
        ),
    }


def _item(message: Message) -> JsonObject:
    """A message with typed parts: not every server accepts an earlier answer as plain text."""
    images = [{"type": "input_image", "image_url": image.data_url} for image in message.images]
    text = {"type": _PARTS[message.role], "text": message.content}
    return {"type": "message", "role": str(message.role), "content": [*images, text]}


class _ResponsesAnswer(AnswerState):
    """Typed deltas, ended by one event with the whole response."""

    def read(self, event: Event) -> str:
        """The delta, if the event's type is one of visible text."""
        data = event.data.strip()
        if self.marked or not data or data == END_MARK:
            return ""
        content = parse(data)
        kind = content.get("type")
        error = error_object(content, formed=str(kind).startswith("response."))
        if error or kind in {"error", "response.failed"}:
            raise error_in_stream(error or part(content, "response").get("error") or content, self.key)
        self.awaited = self.awaited or part(content, "response").get("status") in _RUNNING
        if kind in _OVER:
            self._end(str(kind), part(content, "response"))
        self.called = self.called or kind in _CALLED or _is_call(part(content, "item"))
        if kind in _THOUGHT:
            self.thoughts.add(thought_of(content.get("delta")))
        return text_of(content.get("delta")) if kind in _VISIBLE else ""

    def _end(self, kind: str, response: JsonObject) -> None:
        self.close(part(response, "incomplete_details").get("reason") or kind.removeprefix("response."))
        self.usage, self.marked = usage_of(response.get("usage"), "input_tokens", "output_tokens"), True


def _whole(reply: JsonObject) -> str:
    pieces = [piece for item in parts(reply.get("output")) for piece in parts(item.get("content"))]
    return "".join(text_of(piece.get("text")) for piece in pieces if piece.get("type") == "output_text")


def _is_call(item: JsonObject) -> bool:
    """Whether an output item is a tool call of any kind."""
    return str(item.get("type")).endswith("_call")
