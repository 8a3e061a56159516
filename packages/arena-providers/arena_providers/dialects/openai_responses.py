"""The dialect `openai_responses`: `POST /responses` with `stream: true`, typed events, nothing stored by the vendor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena_providers import finish_reasons
from arena_providers.answer import AnswerState, JsonObject, fields, parse, part, parts, text_of, thought_of, usage_of
from arena_providers.answer_reader import END_MARK
from arena_providers.answer_stream import AnswerRequest, AnswerStream
from arena_providers.errors import BadReply
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
_FIELDS: Final = {"output_text": "text", "refusal": "refusal"}
"""Fields with the text of the parts of a message, by the part's type."""
_DONE: Final = {f"response.{kind}.done": field for kind, field in _FIELDS.items()}
_COMMENT: Final = "commentary"
"""The phase of a message that is written during the work, before the answer."""
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
        return AnswerStream(self._client, request, _ResponsesAnswer(request.key))

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
    """Typed deltas, ended by one event with the whole response, whose text completes what the deltas lack."""

    def __init__(self, key: str | None) -> None:
        super().__init__(key, finish_reasons.OPENAI_RESPONSES)
        self._sent: list[str] = []
        """All text so far."""
        self._part: list[str] = []
        """The text since the last complete part."""
        self._last = ""
        """The last complete part, which some servers send twice."""
        self._comments: set[str] = set()
        """Ids of messages that comment on the work and are no answer."""

    def read(self, event: Event) -> str:
        """The delta, if the event's type is one of visible text, or what the deltas before lack of a complete text."""
        data = event.data.strip()
        if self.marked or not data or data == END_MARK:
            return ""
        content = parse(data)
        kind = str(content.get("type"))
        error = error_object(content, formed=kind.startswith("response."))
        if error or kind in {"error", "response.failed"}:
            raise error_in_stream(error or part(content, "response").get("error") or content, self.key)
        self.awaited = self.awaited or str(part(content, "response").get("status")) in _RUNNING
        self._note_item(part(content, "item"))
        self.called = self.called or kind in _CALLED
        if kind in _THOUGHT or str(content.get("item_id")) in self._comments:
            self.thoughts.add(thought_of(content.get("delta")))
            return ""
        return self._end(kind, part(content, "response")) if kind in _OVER else self._take(kind, content)

    def _note_item(self, item: JsonObject) -> None:
        self.called = self.called or _is_call(item)
        if item.get("phase") == _COMMENT and item.get("id"):
            self._comments.add(str(item["id"]))

    def _take(self, kind: str, content: JsonObject) -> str:
        """The text of a delta, or what a complete part of the text has beyond its deltas."""
        text = text_of(content.get("delta")) if kind in _VISIBLE else ""
        self._part.append(text)
        if kind in _DONE:
            text = self._rest(text_of(content.get(_DONE[kind])))
        self._sent.append(text)
        return text

    def _rest(self, whole: str) -> str:
        """The rest of a complete part of the text after its deltas."""
        part_text, self._part = "".join(self._part), []
        is_repeated = whole == self._last and not part_text
        self._last = whole
        return whole.removeprefix(part_text) if whole.startswith(part_text) and not is_repeated else ""

    def _end(self, kind: str, response: JsonObject) -> str:
        """The text of the whole response beyond that of the deltas.

        Raises:
            ProviderError: It has an error, or more text than the deltas, which is not its beginning.
        """
        if error := response.get("error"):
            raise error_in_stream(error, self.key)
        whole, sent = _whole(response), "".join(self._sent)
        is_beginning = whole.startswith(sent)
        if not is_beginning and len("".join(whole.split())) > len("".join(sent.split())):
            raise BadReply("the deltas lack a part of the text of the whole response", fault="cut_short")
        status = str(response.get("status") or kind.removeprefix("response."))
        self.close(part(response, "incomplete_details").get("reason") or status)
        self.usage, self.marked = usage_of(response.get("usage"), "input_tokens", "output_tokens"), True
        return whole.removeprefix(sent) if is_beginning else ""


def _whole(reply: JsonObject) -> str:
    """The text of all messages but comments, of which a refusal is one."""
    items = [item for item in parts(reply.get("output")) if item.get("phase") != _COMMENT]
    pieces = [piece for item in items for piece in parts(item.get("content"))]
    kinds = [str(piece.get("type")) for piece in pieces]
    return "".join(
        text_of(piece.get(_FIELDS[kind])) for piece, kind in zip(pieces, kinds, strict=True) if kind in _FIELDS
    )


def _is_call(item: JsonObject) -> bool:
    """Whether an output item is a tool call of any kind."""
    return str(item.get("type")).endswith("_call")
