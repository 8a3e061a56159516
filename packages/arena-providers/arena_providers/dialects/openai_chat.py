"""The dialect `openai_chat`: Chat Completions with `stream: true`, with the variations of many servers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from arena_providers import finish_reasons
from arena_providers.answer import (
    AnswerState,
    JsonObject,
    fields,
    parse,
    part,
    parts,
    text_of,
    thought_of,
    usage_of,
)
from arena_providers.answer_reader import END_MARK
from arena_providers.answer_stream import AnswerRequest, AnswerStream
from arena_providers.errors import BadReply
from arena_providers.presets import BEARER, quirks_of
from arena_providers.refusals import error_in_stream, error_object
from arena_providers.terms import Finish
from arena_providers.whole_answer import whole_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_providers.base import Target, Usage
    from arena_providers.presets import Quirks
    from arena_providers.terms import Message
    from arena_providers.transport.http_client import HttpClient
    from arena_providers.transport.sse import Event

_OPTIONAL: Final = frozenset({"stream_options"})
_FIRST: Final = (None, 0, "0", "")
"""Values of the index of the first choice."""
_BASE_STATUS: Final = {1002: 429, 1004: 401, 1008: 429, 1026: 400, 1027: 400, 1039: 413, 2013: 400, 2049: 401}
"""MiniMax's error codes as HTTP statuses; all others are the endpoint's fault. Source: its table of error codes."""


class OpenAIChat:
    """Streams answers of servers with the Chat Completions API; hidden reasoning is never shown."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AnswerStream:
        """Yield the answer; raises `ProviderError`."""
        quirks = quirks_of(target)
        request = AnswerRequest.to(target, "/chat/completions", _body(target, messages, quirks), BEARER)
        request = replace(request, optional=_OPTIONAL)
        return AnswerStream(self._client, request, _ChatAnswer(request.key, quirks))

    async def whole(self, target: Target, messages: Sequence[Message]) -> str:
        """The text of the first choice of an answer without streaming; raises `ProviderError`."""
        body = _body(target, messages, quirks_of(target)) | {"stream": False}
        body.pop("stream_options", None)
        request = AnswerRequest.to(target, "/chat/completions", body, BEARER)
        return await whole_text(self._client, request, _whole)


def _body(target: Target, messages: Sequence[Message], quirks: Quirks) -> JsonObject:
    system = [{"role": "system", "content": target.system_prompt}] if target.system_prompt else []
    return {
        "model": target.wire_model,
        "messages": [*system, *map(_message, messages)],
        "stream": True,
        **({"stream_options": {"include_usage": True}} if quirks.usage_option else {}),
        **fields(temperature=target.temperature, top_p=target.top_p),
        **fields(**{quirks.length_field: target.max_tokens}),
    }


def _message(message: Message) -> JsonObject:
    """A message as plain text, or as typed parts if it has images: some servers accept plain text only."""
    images = [{"type": "image_url", "image_url": {"url": image.data_url}} for image in message.images]
    content = [*images, {"type": "text", "text": message.content}] if images else message.content
    return {"role": str(message.role), "content": content}


class _ChatAnswer(AnswerState):
    """Chunks, then optionally the usage, then optionally `[DONE]`."""

    def __init__(self, key: str | None, quirks: Quirks) -> None:
        super().__init__(key, finish_reasons.OPENAI_CHAT)
        self._quirks = quirks
        self._has_delta = False

    def read(self, event: Event) -> str:
        """The text of the first choice's delta."""
        data = event.data.strip()
        if data == END_MARK:
            self.marked = True
            self.close()
        if self.marked or not data:
            return ""
        chunk = parse(data)
        self._check(chunk)
        choice = _first_choice(chunk)
        if chunk.get("usage") or choice.get("usage"):
            # Some servers report usage within the choice.
            self.usage = _usage(chunk) or _usage(choice) or self.usage
        return self._take_choice(choice, chunk)

    def _check(self, chunk: JsonObject) -> None:
        choices = chunk.get("choices")
        if ("error" in chunk or not choices) and (error := error_object(chunk, formed=bool(choices))):
            raise error_in_stream(error, self.key)
        if not self._quirks.failure_in_body:
            return
        failure = part(chunk, "base_resp")
        if code := failure.get("status_code"):
            status = _BASE_STATUS.get(code, 500) if isinstance(code, int) else 500
            raise error_in_stream({"code": status, "message": f"{code} {failure.get('status_msg')}"}, self.key)

    def _take_choice(self, choice: JsonObject, chunk: JsonObject) -> str:
        if error := choice.get("error"):
            raise error_in_stream(error, self.key)
        delta = part(choice, "delta")
        self._has_delta = self._has_delta or bool(delta)
        # Some servers send whole messages, or the form of completions; a message after deltas repeats them.
        field = "content"
        if not self._has_delta:
            delta, field = (part(choice, "message"), field) if choice.get("message") else (_completion(choice), "text")
        content = delta.get("content")
        is_text = isinstance(content, str)
        if not is_text or len(delta) > 1:
            self._take_extras(delta)
        text = content if is_text else _content(content)
        if self._take_reason(choice) or self._take_reason(chunk):
            return text
        if is_text and len(delta) == 1:
            self.field = field
        return text

    def _take_reason(self, holder: JsonObject) -> bool:
        """Note the reason in a choice or a chunk; returns whether it has one."""
        if "finish_reason" not in holder or not self.state(holder["finish_reason"]):
            return False
        # Gateways that translate reasons also pass on the model's own, which may say that the answer was cut.
        native = holder.get("native_finish_reason")
        if isinstance(native, str) and finish_reasons.OPENAI_CHAT.get(native.lower(), Finish.STOP) is not Finish.STOP:
            self.close(native)
        return True

    def _take_extras(self, delta: JsonObject) -> None:
        """Record reasoning and tool calls; most deltas have only text."""
        self.thoughts.add(_reasoning_text(delta))
        self.called = self.called or bool(delta.get("tool_calls") or delta.get("function_call"))


def _whole(reply: JsonObject) -> str:
    choice = _first_choice(reply)
    return _content((part(choice, "message") or _completion(choice)).get("content"))


def _completion(choice: JsonObject) -> JsonObject:
    """The delta in a choice that has the form of completions."""
    return fields(content=choice.get("text"))


def _first_choice(chunk: JsonObject) -> JsonObject:
    """The choice with index 0; chunks with usage or filter results have none."""
    choices = [choice for choice in parts(chunk.get("choices")) if choice.get("index") in _FIRST]
    return choices[0] if choices else {}


def _reasoning_text(delta: JsonObject) -> str:
    """Reasoning in either of the two fields in use, or in thinking parts of the content."""
    field = thought_of(delta.get("reasoning_content")) or thought_of(delta.get("reasoning"))
    thoughts = [piece for piece in parts(delta.get("content")) if piece.get("type") != "text"]
    return field or "".join(thought_of(piece.get("text")) or _thinking_text(piece) for piece in thoughts)


def _thinking_text(piece: JsonObject) -> str:
    return "".join(thought_of(thought.get("text")) for thought in parts(piece.get("thinking")))


def _content(content: object) -> str:
    """The visible text, without reasoning fields and thinking parts."""
    if not isinstance(content, list):
        return text_of(content)
    pieces = parts(cast("object", content))
    if len(pieces) < len(cast("list[object]", content)):
        raise BadReply("the content of a chunk is not text")
    return "".join(text_of(piece.get("text")) for piece in pieces if piece.get("type") == "text")


def _usage(value: JsonObject) -> Usage | None:
    counts = value.get("usage")
    return None if counts is None else usage_of(counts, "prompt_tokens", "completion_tokens")
