"""The dialect `openai_chat`: Chat Completions with `stream: true`, as many servers speak it, each in its own way."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final, cast

from arena.providers.base import Chunk, Usage
from arena.providers.errors import (
    BadCredentials,
    BadReply,
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RateLimitedUpstream,
    RequestRefused,
)
from arena.providers.refusals import refusal
from arena.providers.sse import read_events
from arena.terms import Finish

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from arena.providers.base import Target
    from arena.providers.http import Client, Reply
    from arena.providers.sse import Event
    from arena.terms import Message

_DONE: Final = "[DONE]"
_TAIL_SECONDS: Final = 2.0
"""How long a finished answer is kept waiting for its usage and end marker."""
_FINISHES: Final = {
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "content_filter": Finish.FILTER,
    "sensitive": Finish.FILTER,
}
"""Finish reasons that are not a plain stop."""
_BROKEN: Final = frozenset({"error", "network_error", "insufficient_system_resource"})
"""Finish reasons that say that the endpoint gave up."""
_ERROR_WORDS: Final[dict[str, type[ProviderError]]] = {
    "authentication_error": BadCredentials,
    "invalid_api_key": BadCredentials,
    "rate_limit_error": RateLimitedUpstream,
    "rate_limit_exceeded": RateLimitedUpstream,
    "insufficient_quota": RateLimitedUpstream,
    "context_length_exceeded": ContextTooLong,
    "exceed_context_size_error": ContextTooLong,
    "invalid_request_error": RequestRefused,
    "content_filter": RequestRefused,
}
"""What an error object inside a stream says where it brings no HTTP status."""


class OpenAIChat:
    """Streams answers of servers that speak Chat Completions; hidden reasoning is never passed on."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncGenerator[Chunk, None]:
        """Yield the answer; the last chunk has the finish and, if the endpoint counted, the usage.

        Raises:
            ProviderError: As `errors` draws it.
        """
        url = f"{target.url.rstrip('/')}/chat/completions"
        body, headers, key = _body(target, messages), _headers(target.key), _bare(target.key)
        async with self._client.post(url, body, headers=headers, secret=key, private=target.private) as reply:
            await _check_media_type(reply)
            answer = _Answer(key)
            async with aclosing(reply.chunks()) as chunks, aclosing(read_events(chunks)) as events:
                async for event in events:
                    if text := answer.take(event.data):
                        yield Chunk(text=text)
                    if answer.finish is not None:
                        await _read_tail(events, answer)
                        break
            yield answer.end()


def _bare(key: str | None) -> str | None:
    """A key that was read from a file often has a line end behind it."""
    return key.strip() or None if key else None


def _headers(key: str | None) -> dict[str, str]:
    bare = _bare(key)
    return {"Authorization": f"Bearer {bare}"} if bare else {}


def _body(target: Target, messages: Sequence[Message]) -> dict[str, Any]:
    said = [{"role": str(message.role), "content": message.content} for message in messages]
    if target.system_prompt:
        said.insert(0, {"role": "system", "content": target.system_prompt})
    chosen = {"temperature": target.temperature, "top_p": target.top_p, "max_tokens": target.max_tokens}
    return {
        "model": target.wire_model,
        "messages": said,
        "stream": True,
        "stream_options": {"include_usage": True},
        **{name: value for name, value in chosen.items() if value is not None},
    }


async def _check_media_type(reply: Reply) -> None:
    """Refuse what says that it is a page or one JSON value; other types often hold a stream all the same."""
    if reply.media_type == "text/html":
        raise BadReply("the answer is a web page; is the base address right?")
    if reply.media_type == "application/json":
        words = await reply.excerpt()
        with suppress(ValueError):
            if error := _object(json.loads(words)).get("error"):
                raise _in_stream(error, None)
        raise BadReply(f"the answer is not a stream: {words}")


async def _read_tail(events: AsyncGenerator[Event, None], answer: _Answer) -> None:
    """Hear usage and end marker out; whatever goes wrong after the finish, the answer itself is whole."""
    with suppress(TimeoutError, ProviderError):
        async with asyncio.timeout(_TAIL_SECONDS):
            while not answer.marked and (event := await anext(events, None)) is not None:
                answer.take(event.data)


class _Answer:
    """What the events so far add up to."""

    def __init__(self, key: str | None) -> None:
        self._key = key
        self._usage: Usage | None = None
        self._spoken = False
        self._reason: str | None = None
        self.finish: Finish | None = None
        self.marked = False

    def take(self, data: str) -> str:
        """The text that one event adds; nothing is added after the finish."""
        if data.strip() == _DONE:
            self.marked, self.finish = True, self.finish or Finish.STOP
        if self.marked or not data.strip():
            return ""
        event = _parse(data)
        if error := event.get("error"):
            raise _in_stream(error, self._key)
        self._usage = _usage(event.get("usage")) or self._usage
        return "" if self.finish else self._take_choice(event)

    def _take_choice(self, event: dict[str, Any]) -> str:
        choice = _first_choice(event)
        text = _content(choice.get("delta"))
        self._spoken = self._spoken or bool(text.strip())
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self._end_for(reason)
        return text

    def _end_for(self, reason: str) -> None:
        if reason in _BROKEN:
            raise EndpointUnavailable(f"the endpoint gave up: {reason[:100]}")
        self.finish = _FINISHES.get(reason, Finish.STOP)

    def end(self) -> Chunk:
        """The last chunk; raises if what arrived is no answer."""
        if self.finish is None:
            raise BadReply("the stream ended without finish reason and end marker")
        if not self._spoken:
            if self.finish is Finish.FILTER:
                raise RequestRefused("a content filter let nothing through")
            raise BadReply(f"the answer has no text (finish: {self.finish})")
        return Chunk(finish=self.finish, usage=self._usage)


def _parse(data: str) -> dict[str, Any]:
    try:
        return _object(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise BadReply("an event of the stream is not a JSON object") from error


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 - callers treat it like JSON that does not parse
    return cast("dict[str, Any]", value)


def _first_choice(event: dict[str, Any]) -> dict[str, Any]:
    """The choice with index 0; an event about usage or filters has none."""
    choices = event.get("choices")
    if not isinstance(choices, list):
        return {}
    for choice in cast("list[Any]", choices):
        if isinstance(choice, dict) and not cast("dict[str, Any]", choice).get("index"):
            return cast("dict[str, Any]", choice)
    return {}


def _content(delta: object) -> str:
    """Visible text only: `reasoning_content` and `reasoning` stay where they are."""
    content = cast("dict[str, Any]", delta).get("content") if isinstance(delta, dict) else None
    if content is None:
        return ""
    if not isinstance(content, str):
        raise BadReply("the content of a chunk is not text")
    return content


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    counts = [cast("dict[str, Any]", value).get(name) for name in ("prompt_tokens", "completion_tokens")]
    sent, received = (count if type(count) is int and count >= 0 else None for count in counts)
    return None if sent is None or received is None else Usage(sent, received)


def _in_stream(error: object, key: str | None) -> ProviderError:
    """The error for an error object after a 200: its own status decides, else its type, else the endpoint failed."""
    details = cast("dict[str, Any]", error) if isinstance(error, dict) else {"message": error}
    words = " ".join(str(details[name]) for name in ("type", "code", "message") if details.get(name))[:500]
    if key:
        words = words.replace(key, "[key]")
    for name in ("code", "status"):
        if (status := _status(details.get(name))) is not None:
            return refusal(status, words)
    for name in ("code", "type"):
        if kind := _ERROR_WORDS.get(str(details.get(name))):
            return kind(words)
    return EndpointUnavailable(f"error in the stream: {words}")


def _status(value: object) -> int | None:
    text = str(value)
    return int(text) if len(text) == 3 and text.isascii() and text.isdigit() and "400" <= text < "600" else None  # noqa: PLR2004 - an HTTP status
