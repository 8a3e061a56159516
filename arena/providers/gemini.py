"""The dialect `gemini`: `streamGenerateContent` as server-sent events, each a piece of the whole response."""

from __future__ import annotations

import re
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from arena.providers.answer import Answer, Ask, bare, chosen, count, parse, part, parts, relay, text_of, thought_of
from arena.providers.base import Usage
from arena.providers.errors import BadCredentials, RequestRefused
from arena.providers.presets import GOOGLE_KEY, key_header
from arena.providers.refusals import in_stream
from arena.providers.striking import strike
from arena.terms import Finish, Role

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from arena.providers.base import Chunk, Target
    from arena.providers.http import Client
    from arena.providers.sse import Event
    from arena.terms import Message

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
_GAVE_UP: Final = ("OTHER", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE")
_FINISHES: Final[dict[str, Finish | None]] = {
    "MAX_TOKENS": Finish.LENGTH,
    **dict.fromkeys(_FILTERED, Finish.FILTER),
    **dict.fromkeys(_GAVE_UP),
}
_NOT_YET: Final = "FINISH_REASON_UNSPECIFIED"
_WRONG_KEY: Final = re.compile(r"API[ _]KEY[ _](not[ _]valid|invalid|expired)", re.IGNORECASE)
"""This vendor answers a wrong key with 400, not 401."""


class Gemini:
    """Streams answers of servers that speak Gemini's own dialect; parts marked as thoughts are never passed on."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncGenerator[Chunk, None]:
        """Yield the answer; raises `ProviderError` as `errors` draws it."""
        model = quote(target.wire_model.removeprefix("models/"), safe="")
        url = f"{target.url.rstrip('/')}/models/{model}:streamGenerateContent?alt=sse"
        ask = Ask(url, _body(target, messages), key_header(target, GOOGLE_KEY), bare(target.key), target.private)
        try:
            async with aclosing(relay(self._client, ask, _GeminiAnswer(ask.key))) as chunks:
                async for chunk in chunks:
                    yield chunk
        except RequestRefused as error:
            if _WRONG_KEY.search(str(error)):
                raise BadCredentials(str(error)) from None
            raise


def _body(target: Target, messages: Sequence[Message]) -> dict[str, Any]:
    system = {"parts": [{"text": target.system_prompt}]} if target.system_prompt else None
    wishes = chosen(temperature=target.temperature, topP=target.top_p, maxOutputTokens=target.max_tokens)
    return {
        "contents": [{"role": _ROLES[each.role], "parts": [{"text": each.content}]} for each in messages],
        **chosen(systemInstruction=system, generationConfig=wishes or None),
    }


class _GeminiAnswer(Answer):
    """Pieces of the first candidate; the last one has a reason. The stream has no end marker."""

    def read(self, event: Event) -> str:
        """The text of the parts that are no thoughts."""
        if not event.data.strip():
            return ""
        said = parse(event.data)
        if error := said.get("error"):
            raise in_stream(error, self.key)
        self.usage = _usage(part(said, "usageMetadata")) or self.usage
        if self.finish is not None:
            return ""
        if blocked := part(said, "promptFeedback").get("blockReason"):
            raise RequestRefused(f"the prompt was blocked: {strike(str(blocked), self.key)[:100]}", fault="filtered")
        candidates = parts(said.get("candidates"))
        return self._take(candidates[0]) if candidates else ""

    def _take(self, candidate: dict[str, Any]) -> str:
        said = parts(part(candidate, "content").get("parts"))
        reason = candidate.get("finishReason")
        if isinstance(reason, str) and reason not in {"", _NOT_YET}:
            self.end_for(reason, _FINISHES)
            self.marked = self.usage is not None
        self.thoughts.add("".join(thought_of(each.get("text")) for each in said if each.get("thought")))
        return "".join(text_of(each.get("text")) for each in said if not each.get("thought"))


def _usage(counts: dict[str, Any]) -> Usage | None:
    """Thoughts are counted apart although they were generated; a count of zero is left out on the wire."""
    sent = count(counts.get("promptTokenCount"))
    received = [count(counts.get(name, 0)) for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    known = [number for number in received if number is not None]
    return None if sent is None or len(known) < len(received) else Usage(sent, sum(known))
