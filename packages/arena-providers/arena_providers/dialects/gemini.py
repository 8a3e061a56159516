"""The dialect `gemini`: `streamGenerateContent` as server-sent events, each a part of the response."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from arena_providers import finish_reasons
from arena_providers.answer import (
    AnswerState,
    JsonObject,
    count,
    fields,
    parse,
    part,
    parts,
    text_of,
    thought_of,
)
from arena_providers.answer_stream import AnswerRequest, AnswerStream
from arena_providers.base import Usage
from arena_providers.errors import BadCredentials, RequestRefused
from arena_providers.presets import GOOGLE_KEY
from arena_providers.refusals import error_in_stream, error_object
from arena_providers.terms import Role
from arena_providers.transport.redaction import one_line
from arena_providers.whole_answer import whole_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_providers.base import Target
    from arena_providers.errors import ProviderError
    from arena_providers.terms import Message
    from arena_providers.transport.http_client import HttpClient
    from arena_providers.transport.sse import Event

_ROLES: Final = {Role.USER: "user", Role.ASSISTANT: "model"}
_CALLS: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"})
_FIELDS: Final = frozenset({"candidates", "promptFeedback", "usageMetadata"})
_NOT_YET: Final = "FINISH_REASON_UNSPECIFIED"
_WRONG_KEY: Final = re.compile(r"API[ _]KEY[ _](not[ _]valid|invalid|expired)", re.IGNORECASE)
"""This vendor rejects a wrong key with 400, not 401."""


class Gemini:
    """Streams answers of servers with Gemini's own API; parts marked as thoughts are never shown."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AnswerStream:
        """Yield the answer; raises `ProviderError`."""
        request = _request(target, messages, "streamGenerateContent?alt=sse")
        return AnswerStream(self._client, request, _GeminiAnswer(request.key, finish_reasons.GEMINI))

    async def whole(self, target: Target, messages: Sequence[Message]) -> str:
        """The text of the first candidate of an answer without streaming; raises `ProviderError`."""
        return await whole_text(self._client, _request(target, messages, "generateContent"), _whole)


def _request(target: Target, messages: Sequence[Message], method: str) -> AnswerRequest:
    model = quote(target.wire_model.removeprefix("models/"), safe="")
    return AnswerRequest.to(target, f"/models/{model}:{method}", _body(target, messages), GOOGLE_KEY)


def _body(target: Target, messages: Sequence[Message]) -> JsonObject:
    system = {"parts": [{"text": target.system_prompt}]} if target.system_prompt else None
    settings = fields(temperature=target.temperature, topP=target.top_p, maxOutputTokens=target.max_tokens)
    return {
        "contents": [{"role": _ROLES[message.role], "parts": _parts(message)} for message in messages],
        **fields(systemInstruction=system, generationConfig=settings or None),
    }


def _parts(message: Message) -> list[object]:
    images = [{"inlineData": {"mimeType": image.media_type, "data": image.base64}} for image in message.images]
    return [*images, {"text": message.content}]


class _GeminiAnswer(AnswerState):
    """Pieces of the first candidate; the last one has a reason. The end of the response is the end marker."""

    def explain(self, error: ProviderError) -> ProviderError:
        """`BadCredentials` for a 400 whose message is about the key."""
        names_key = isinstance(error, RequestRefused) and _WRONG_KEY.search(str(error))
        return BadCredentials(str(error), words=error.words) if names_key else error

    def read(self, event: Event) -> str:
        """The text of the parts that are not thoughts."""
        if not event.data.strip():
            return ""
        response = parse(event.data)
        if error := error_object(response, formed=not _FIELDS.isdisjoint(response)):
            raise error_in_stream(error, self.key)
        self.usage = _usage(part(response, "usageMetadata")) or self.usage
        if reason := part(response, "promptFeedback").get("blockReason"):
            word = one_line(str(reason), self.key)[:100]
            raise RequestRefused(f"the prompt was blocked: {word}", fault="filtered", words=word)
        candidates = parts(response.get("candidates"))
        return self._take(candidates[0]) if candidates else ""

    def _take(self, candidate: JsonObject) -> str:
        pieces = parts(part(candidate, "content").get("parts"))
        reason = candidate.get("finishReason")
        self.called = self.called or str(reason) in _CALLS or any("functionCall" in piece for piece in pieces)
        if "finishReason" in candidate:
            self.state("" if reason == _NOT_YET else reason)
        self.thoughts.add("".join(thought_of(piece.get("text")) for piece in pieces if piece.get("thought")))
        return _visible(pieces)


def _whole(reply: JsonObject) -> str:
    candidates = parts(reply.get("candidates"))
    return _visible(parts(part(candidates[0], "content").get("parts"))) if candidates else ""


def _visible(pieces: Sequence[JsonObject]) -> str:
    return "".join(text_of(piece.get("text")) for piece in pieces if not piece.get("thought"))


def _usage(counts: JsonObject) -> Usage | None:
    """Usage, with thought tokens, which are reported separately, as output; counts of zero are omitted."""
    prompt = count(counts.get("promptTokenCount"))
    tokens = [count(counts.get(name, 0)) for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    valid = [number for number in tokens if number is not None]
    return None if prompt is None or len(valid) < len(tokens) else Usage(prompt, sum(valid))
