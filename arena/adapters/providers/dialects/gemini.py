"""The dialect `gemini`: `streamGenerateContent` as server-sent events, each a piece of the whole response."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from arena.adapters.providers.answer import AnswerState, count, given, parse, part, parts, stripped, text_of, thought_of
from arena.adapters.providers.answer_stream import AnswerRequest, AnswerStream
from arena.adapters.providers.base import Usage
from arena.adapters.providers.errors import BadCredentials, RequestRefused
from arena.adapters.providers.presets import GOOGLE_KEY, key_header
from arena.adapters.providers.refusals import error_in_stream
from arena.adapters.providers.transport.redaction import redact
from arena.domain.terms import Finish, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.adapters.providers.base import Target
    from arena.adapters.providers.errors import ProviderError
    from arena.adapters.providers.transport.http_client import HttpClient
    from arena.adapters.providers.transport.sse import Event
    from arena.domain.terms import Message

_ROLES: Final = {Role.USER: "user", Role.ASSISTANT: "model"}
_FILTERED: Final = (
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
)
_CALLS: Final = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")
_GAVE_UP: Final = ("OTHER", "MALFORMED_RESPONSE", *_CALLS)
_FINISHES: Final[dict[str, Finish | None]] = {
    "MAX_TOKENS": Finish.LENGTH,
    **dict.fromkeys(_FILTERED, Finish.FILTER),
    **dict.fromkeys(_GAVE_UP),
}
_NOT_YET: Final = "FINISH_REASON_UNSPECIFIED"
_WRONG_KEY: Final = re.compile(r"API[ _]KEY[ _](not[ _]valid|invalid|expired)", re.IGNORECASE)
"""This vendor rejects a wrong key with 400, not 401."""


class Gemini:
    """Streams answers of servers with Gemini's own API; parts marked as thoughts are never shown."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AnswerStream:
        """Yield the answer; raises `ProviderError`."""
        model = quote(target.wire_model.removeprefix("models/"), safe="")
        url = f"{target.url.rstrip('/')}/models/{model}:streamGenerateContent?alt=sse"
        request = AnswerRequest(
            url, _body(target, messages), key_header(target, GOOGLE_KEY), stripped(target.key), target.private
        )
        return AnswerStream(self._client, request, _GeminiAnswer(request.key))


def _body(target: Target, messages: Sequence[Message]) -> dict[str, Any]:
    system = {"parts": [{"text": target.system_prompt}]} if target.system_prompt else None
    wishes = given(temperature=target.temperature, topP=target.top_p, maxOutputTokens=target.max_tokens)
    return {
        "contents": [{"role": _ROLES[each.role], "parts": _parts(each)} for each in messages],
        **given(systemInstruction=system, generationConfig=wishes or None),
    }


def _parts(message: Message) -> list[dict[str, Any]]:
    seen = [{"inlineData": {"mimeType": each.media_type, "data": each.base64}} for each in message.images]
    return [*seen, {"text": message.content}]


class _GeminiAnswer(AnswerState):
    """Pieces of the first candidate; the last one has a reason. The stream has no end marker."""

    def explain(self, error: ProviderError) -> ProviderError:
        """`BadCredentials` for a 400 whose message is about the key."""
        wrong = isinstance(error, RequestRefused) and _WRONG_KEY.search(str(error))
        return BadCredentials(str(error)) if wrong else error

    def read(self, event: Event) -> str:
        """The text of the parts that are not thoughts."""
        if not event.data.strip():
            return ""
        said = parse(event.data)
        if error := said.get("error"):
            raise error_in_stream(error, self.key)
        self.usage = _usage(part(said, "usageMetadata")) or self.usage
        if self.finish is not None:
            return ""
        if blocked := part(said, "promptFeedback").get("blockReason"):
            raise RequestRefused(f"the prompt was blocked: {redact(str(blocked), self.key)[:100]}", fault="filtered")
        candidates = parts(said.get("candidates"))
        return self._take(candidates[0]) if candidates else ""

    def _take(self, candidate: dict[str, Any]) -> str:
        said = parts(part(candidate, "content").get("parts"))
        reason = candidate.get("finishReason")
        self.called = self.called or reason in _CALLS or any("functionCall" in each for each in said)
        if isinstance(reason, str) and reason not in {"", _NOT_YET}:
            self.end_for(reason, _FINISHES)
            self.marked = self.usage is not None
        self.thoughts.add("".join(thought_of(each.get("text")) for each in said if each.get("thought")))
        return "".join(text_of(each.get("text")) for each in said if not each.get("thought"))


def _usage(counts: dict[str, Any]) -> Usage | None:
    """Usage; thought tokens are reported separately but were generated too, and a count of zero is omitted."""
    sent = count(counts.get("promptTokenCount"))
    received = [count(counts.get(name, 0)) for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    known = [number for number in received if number is not None]
    return None if sent is None or len(known) < len(received) else Usage(sent, sum(known))
