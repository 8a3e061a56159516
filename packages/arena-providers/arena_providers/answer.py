"""The state of one answer, and readers of JSON fields, which all dialects share."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, cast

import orjson

from arena_providers.base import Chunk, Usage
from arena_providers.errors import BadReply, EndpointUnavailable, ProviderError, RequestRefused
from arena_providers.marks.visible_text import VisibleText
from arena_providers.reasoning import Thoughts
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_providers.transport.sse import Event

JsonObject = dict[str, object]

_NO_OBJECT: Final = "an event of the stream is not a JSON object"


class AnswerState(ABC):
    """The state of an answer after the events so far. A dialect's `read` sets the public attributes."""

    def __init__(self, key: str | None) -> None:
        self.key = key
        self.finish: Finish | None = None
        self.usage: Usage | None = None
        self.marked = False
        """Whether the end marker, or all that matters before it, has arrived."""
        self.called = False
        """Whether the model calls a tool, although none is offered."""
        self.field = ""
        """Name of the JSON field with the text, if returning it was the only effect of `read`."""
        self.thoughts = Thoughts()
        """Reasoning, added by `read` if the dialect sends it separately from the text."""
        self.visible = VisibleText(self.thoughts)
        """The filter of the text."""
        self._begun = False

    @abstractmethod
    def read(self, event: Event) -> str:
        """The text that one event adds, without reasoning; raises `ProviderError` for an event that is a failure."""

    def take(self, event: Event) -> str:
        """The text to show for one event; empty after the finish."""
        was_finished, self.field = self.finish is not None, ""
        text = self.read(event)
        return "" if was_finished or not text else self.show(text)

    def show(self, text: str) -> str:
        """The part of an event's text that is the answer, after all that was held back before."""
        retractions = self.visible.retractions
        shown = self.visible.take(text)
        self._begun = self._begun and retractions == self.visible.retractions
        return self._note_beginning(shown)

    @property
    def flows(self) -> bool:
        """Whether the answer has begun and not finished, so that an event may have no other effect than its text."""
        return self._begun and self.finish is None

    def end(self) -> Chunk:
        """The last chunk; raises `ProviderError` if this is not a complete answer."""
        if self.finish is None:
            raise BadReply("the stream ended without finish reason and end marker", fault="cut_short")
        retractions = self.visible.retractions
        tail = self.visible.rest(self.finish)
        is_retracted = retractions != self.visible.retractions
        self._begun = self._begun and not is_retracted
        self._note_beginning(tail)
        if not self._begun:
            if self.finish is Finish.FILTER:
                raise RequestRefused("a content filter let nothing through", fault="filtered")
            fault = "tool_call" if self.called or self.visible.has_call else "empty"
            raise BadReply(f"the answer has no text (finish: {self.finish})", fault=fault)
        marks = tuple(self.visible.marks)
        return Chunk(tail, self.finish, self.usage, str(self.thoughts), is_retracted, marks, self.visible.is_unopened)

    def explain(self, error: ProviderError) -> ProviderError:
        """The error for a response whose status is not 200; a dialect may override the one by status."""
        return error

    def end_for(self, reason: str, finishes: Mapping[str, Finish | None]) -> None:
        """Finish with the dialect's `reason`, a plain stop unless it is in `finishes`; None there means a failure."""
        finish = finishes.get(reason, Finish.STOP)
        if finish is None:
            fault = "tool_call" if self.called else None
            raise EndpointUnavailable(f"the endpoint gave up: {reason[:100]}", fault=fault)
        self.finish = finish

    def _note_beginning(self, text: str) -> str:
        if not self._begun:
            self._begun = bool(text.strip())
        return text


def strip_key(key: str | None) -> str | None:
    """The key without white space: a key from a file often ends with a newline."""
    return key.strip() or None if key else None


def fields(**parameters: object) -> JsonObject:
    """The parameters that are not None; the endpoint's defaults apply to the others."""
    return {name: value for name, value in parameters.items() if value is not None}


def parse(data: str) -> JsonObject:
    """The JSON object of one event.

    Raises:
        BadReply: It is not a JSON object.
    """
    try:
        value: object = orjson.loads(data)
    except orjson.JSONDecodeError:
        value = _parse_leniently(data)
    if not isinstance(value, dict):
        raise BadReply(_NO_OBJECT)
    return cast("JsonObject", value)


def _parse_leniently(data: str) -> object:
    """The value of JSON that the fast parser refuses: some servers send lone surrogates and NaN."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadReply(_NO_OBJECT) from error


def part(value: object, *path: str) -> JsonObject:
    """The object at `path` within `value`, or an empty one."""
    for name in path:
        value = _object(value).get(name)
    return _object(value)


def parts(value: object) -> list[JsonObject]:
    """The objects in `value`, if it is a list."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("JsonObject", item) for item in items if isinstance(item, dict)]


def _object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def text_of(value: object) -> str:
    """The value as text; None is an empty one.

    Raises:
        BadReply: It is not text.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadReply("the content of a chunk is not text")
    return value


def thought_of(value: object) -> str:
    """The value as reasoning; empty if it is not text."""
    return value if isinstance(value, str) else ""


MAX_TOKENS: Final = 20_000_000
"""Largest credible number of tokens of one call. Servers also send -1 as 2³² - 1 or 2⁶⁴ - 1."""


def count(value: object) -> int | None:
    """The value as a number of tokens, None if invalid."""
    return value if type(value) is int and 0 <= value <= MAX_TOKENS else None


def usage_of(value: object, input_field: str, output_field: str) -> Usage | None:
    """The counts in these two fields, None unless both are valid."""
    counts = part(value)
    prompt, answer = count(counts.get(input_field)), count(counts.get(output_field))
    return None if prompt is None or answer is None else Usage(prompt, answer)
