"""What every dialect does the same way: ask, read events, pass visible text on, and judge whether it was an answer.

A dialect brings the request (`Ask`) and a subclass of `Answer` that reads one event; `relay` does the rest.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from arena.providers.base import Chunk, Usage
from arena.providers.errors import BadReply, EndpointUnavailable, ProviderError, RequestRefused
from arena.providers.refusals import in_stream
from arena.providers.sse import read_events
from arena.providers.thinking import Thoughts, Visible
from arena.terms import Finish

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterator, Mapping

    from arena.providers.http import Client, Reply
    from arena.providers.sse import Event

    Split = Callable[[AsyncIterable[bytes]], AsyncGenerator[Event, None]]

EVENT_COUNT: Final = 20_000
"""Most events of one answer: the longest that is shown has fewer, and each costs time however little it holds."""
TAIL_SECONDS: Final = 2.0
"""How long a finished answer is kept waiting for its usage and end marker."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request as it goes out; `key` is struck out of whatever comes back, `private` is the target's."""

    url: str
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    key: str | None = field(default=None, repr=False)
    private: bool = False


class Answer(ABC):
    """What the events so far add up to. A dialect's `read` sets `finish`, `usage` and `marked` as it learns them."""

    def __init__(self, key: str | None) -> None:
        self.key = key
        self.finish: Finish | None = None
        self.usage: Usage | None = None
        self.marked = False
        """Whether nothing more is worth waiting for."""
        self.thoughts = Thoughts()
        """Reasoning, which `read` adds where the dialect sends it apart from the text."""
        self._visible = Visible(self.thoughts)
        self._spoken = False

    @abstractmethod
    def read(self, event: Event) -> str:
        """The text that one event adds, without reasoning; raises `ProviderError` for an event that is a failure."""

    def take(self, event: Event) -> str:
        """The text to show for one event; nothing is added after the finish."""
        over = self.finish is not None
        text = self.read(event)
        return "" if over else self._note(self._visible.take(text))

    def end(self) -> Iterator[Chunk]:
        """The last chunks; raises if what arrived is no answer."""
        if self.finish is None:
            raise BadReply("the stream ended without finish reason and end marker", fault="cut_short")
        rest = self._note(self._visible.rest())
        if not self._spoken:
            if self.finish is Finish.FILTER:
                raise RequestRefused("a content filter let nothing through", fault="filtered")
            raise BadReply(f"the answer has no text (finish: {self.finish})", fault="empty")
        if rest:
            yield Chunk(text=rest)
        yield Chunk(finish=self.finish, usage=self.usage, reasoning=str(self.thoughts))

    def end_for(self, reason: str, finishes: Mapping[str, Finish | None]) -> None:
        """Finish for a reason of the dialect: a plain stop unless the table knows it, a failure where that has None."""
        finish = finishes.get(reason, Finish.STOP)
        if finish is None:
            raise EndpointUnavailable(f"the endpoint gave up: {reason[:100]}")
        self.finish = finish

    def _note(self, text: str) -> str:
        self._spoken = self._spoken or bool(text.strip())
        return text


async def relay(
    client: Client, ask: Ask, answer: Answer, *, split: Split = read_events, whole: bool = False
) -> AsyncGenerator[Chunk, None]:
    """Ask, and yield the answer as it arrives; the last chunk has the finish and, if the endpoint counted, the usage.

    Args:
        client: Where the request goes out.
        ask: What is asked.
        answer: The dialect's reader, fresh.
        split: Bytes → events.
        whole: Whether `application/json` may hold the stream.

    Raises:
        ProviderError: As `errors` draws it.
    """
    async with client.post(ask.url, ask.body, headers=ask.headers, secret=ask.key, private=ask.private) as reply:
        await _check_media_type(reply, ask.key, whole=whole)
        async with aclosing(reply.chunks()) as chunks, aclosing(split(chunks)) as events:
            left = EVENT_COUNT
            async for event in events:
                if (left := left - 1) < 0:
                    raise BadReply(f"the answer comes in more than {EVENT_COUNT} events", fault="too_large")
                if text := answer.take(event):
                    yield Chunk(text=text)
                if answer.finish is not None:
                    await _read_tail(events, answer)
                    break
        for chunk in answer.end():
            yield chunk


async def _check_media_type(reply: Reply, key: str | None, *, whole: bool) -> None:
    """Refuse what says that it is a page or one JSON value; other types often hold a stream all the same."""
    if reply.media_type == "text/html":
        raise BadReply("the answer is a web page; is the base address right?", fault="web_page")
    if reply.media_type == "application/json" and not whole:
        words = await reply.excerpt()
        with suppress(ValueError, RecursionError):
            if error := as_object(json.loads(words)).get("error"):
                raise in_stream(error, key)
        raise BadReply(f"the answer is not a stream: {words}", fault="no_stream")


async def _read_tail(events: AsyncGenerator[Event, None], answer: Answer) -> None:
    """Hear usage and end marker out; whatever goes wrong after the finish, the answer itself is whole."""
    with suppress(TimeoutError, ProviderError):
        async with asyncio.timeout(TAIL_SECONDS):
            while not answer.marked and (event := await anext(events, None)) is not None:
                answer.take(event)


def bare(key: str | None) -> str | None:
    """A key that was read from a file often has a line end behind it."""
    return key.strip() or None if key else None


def chosen(**parameters: object) -> dict[str, Any]:
    """The parameters that somebody chose; the others are left to the endpoint."""
    return {name: value for name, value in parameters.items() if value is not None}


def parse(data: str) -> dict[str, Any]:
    """The JSON object of one event.

    Raises:
        BadReply: It is none.
    """
    try:
        return as_object(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise BadReply("an event of the stream is not a JSON object") from error


def as_object(value: object) -> dict[str, Any]:
    """`value`, which must be a JSON object; anything else is a ValueError, like JSON that does not parse."""
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 - see above
    return cast("dict[str, Any]", value)


def part(value: object, *path: str) -> dict[str, Any]:
    """The object at `path` within `value`, or an empty one where there is none."""
    for name in path:
        value = cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def parts(value: object) -> list[dict[str, Any]]:
    """The objects in `value`, if that is a list."""
    found = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", each) for each in found if isinstance(each, dict)]


def text_of(value: object) -> str:
    """A piece of text; none is an empty one.

    Raises:
        BadReply: It is something else.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadReply("the content of a chunk is not text")
    return value


def thought_of(value: object) -> str:
    """A piece of reasoning; whatever else stands there is none, and no fault of the answer."""
    return value if isinstance(value, str) else ""


def count(value: object) -> int | None:
    """A number of tokens, if that is what it is."""
    return value if type(value) is int and value >= 0 else None


def usage_of(value: object, sent: str, received: str) -> Usage | None:
    """The two counts under these names, if both make sense."""
    counts = part(value)
    inward, outward = count(counts.get(sent)), count(counts.get(received))
    return None if inward is None or outward is None else Usage(inward, outward)
