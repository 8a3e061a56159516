"""The state of one answer, and readers of JSON fields, which all dialects share."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, cast

import orjson

from arena_providers.base import Chunk, Usage
from arena_providers.errors import BadReply, EndpointUnavailable, ProviderError, RequestRefused, UnknownFinish
from arena_providers.finish_reasons import CALLS
from arena_providers.marks.visible_text import VisibleText
from arena_providers.reasoning import Thoughts
from arena_providers.refusals import WORDS_LIMIT, error_in_stream, error_object
from arena_providers.terms import Finish
from arena_providers.transport.redaction import one_line

if TYPE_CHECKING:
    from arena_providers.finish_reasons import Reasons
    from arena_providers.transport.sse import Event

JsonObject = dict[str, object]

ERROR_NAME: Final = "error"
"""Name of a server-sent event that is an error in every dialect."""
CONTAINER_LIMIT: Final = 50_000
"""Most objects and lists of an event, counted by brackets, since each takes a thousand times the time of a letter."""
_MAX_UNCOUNTED: Final = 64 * 1024
"""Characters up to which the brackets of an event are not counted."""
_NO_OBJECT: Final = "an event of the stream is not a JSON object"


class AnswerState(ABC):
    """The state of an answer after the events so far. A dialect's `read` sets the public attributes.

    Some servers state a reason in every event, or before the first text. So a reason ends the answer only if no text
    follows, and the last one counts.
    """

    def __init__(self, key: str | None, reasons: Reasons) -> None:
        """`reasons` is the dialect's table of `finish_reasons`; `key` is redacted."""
        self.key = key
        self.closed = False
        """Whether a reason or the end marker has arrived, and no text since."""
        self.usage: Usage | None = None
        self.marked = False
        """Whether the end marker, or all that matters before it, has arrived."""
        self.called = False
        """Whether the model calls a tool, although none is offered."""
        self.awaited = False
        """Whether the server has sent the field of the reason without a reason, so an end without one is a cut."""
        self.field = ""
        """Name of the JSON field with the text, if returning it was the only effect of `read`."""
        self.thoughts = Thoughts()
        """Reasoning, added by `read` if the dialect sends it separately from the text."""
        self.visible = VisibleText(self.thoughts)
        """The filter of the text."""
        self._begun = self._premature = self._ends_in_call = False
        self._reasons = reasons
        self._reason = ""
        self._closings = 0

    @abstractmethod
    def read(self, event: Event) -> str:
        """The text that one event adds, without reasoning; raises `ProviderError` for an event that is a failure."""

    def take(self, event: Event) -> str:
        """The text to show for one event."""
        if event.name.lower() == ERROR_NAME:
            raise error_in_stream(_error_of(event.data), self.key)
        was_closed, closings, self.field = self.closed, self._closings, ""
        was_called, self.called = self.called, False
        text = self.read(event)
        # Text after a call shows that the server has answered the call itself.
        self._ends_in_call = self.called or (self._ends_in_call and not text.strip())
        self.called = self.called or was_called
        if not text:
            return ""
        if was_closed:
            self._premature, self.closed = True, self._closings > closings
        self._premature = self._premature or (self.closed and not self._begun)
        return self.show(text)

    def show(self, text: str) -> str:
        """The part of an event's text that is the answer, after all that was held back before."""
        retractions = self.visible.retractions
        shown = self.visible.take(text)
        self._begun = self._begun and retractions == self.visible.retractions
        return self._note_beginning(shown)

    @property
    def flows(self) -> bool:
        """Whether the answer has begun and is not closed, so that an event may have no other effect than its text."""
        return self._begun and not self.closed and not self._ends_in_call

    @property
    def doubtful(self) -> bool:
        """Whether text may follow a reason: it did before, or there is none yet, or only beside the first reason."""
        return self._premature or not self._begun

    @property
    def settled(self) -> bool:
        """Whether the answer is whole, so that a failure no longer matters."""
        return self.marked or (self.closed and not self.doubtful)

    def close(self, reason: object = None) -> None:
        """Note that the endpoint says that the answer is over, for this `reason` if it states one."""
        self._reason = _stated(reason) or self._reason
        self._closings += 1
        self.closed = True

    def state(self, reason: object) -> bool:
        """Note the value of the field of the reason; returns whether it states one.

        An empty value states none yet. One that is no text is a reason as well, but not a known one.
        """
        is_stated = bool(_stated(reason))
        if is_stated:
            self.close(reason)
        else:
            self.awaited = True
        return is_stated

    def end(self, *, clean: bool) -> Chunk:
        """The last chunk; raises `ProviderError` if this is not a complete answer.

        `clean` says that the response ended as HTTP states its length: then an answer needs no reason and no marker.
        """
        retractions, begun = self.visible.retractions, self._begun
        finish = self._finish() if self.closed else Finish.STOP
        tail = self.visible.rest(finish)
        if not self.closed and not (clean and (begun or tail.strip())):
            raise BadReply("the stream ended without finish reason and end marker", fault="cut_short")
        if self.awaited and not self._reason and (begun or tail.strip()):
            raise BadReply("the stream ended without the finish reason that its server states", fault="cut_short")
        is_retracted = retractions != self.visible.retractions
        self._begun = begun and not is_retracted
        self._note_beginning(tail)
        if not self._begun:
            if finish is Finish.FILTER:
                raise RequestRefused("a content filter let nothing through", fault="filtered")
            fault = "tool_call" if self.called or self.visible.has_call else "empty"
            error = BadReply(f"the answer has no text (finish: {finish})", fault=fault)
            error.marks = tuple(self.visible.marks)
            raise error
        if self._ends_in_call and finish is Finish.STOP:
            raise BadReply("the answer ends with a call of a tool, although none is offered", fault="tool_call")
        marks = tuple(self.visible.marks)
        unopened, has_reason = self.visible.is_unopened, bool(self._reason)
        return Chunk(tail, finish, self.usage, str(self.thoughts), is_retracted, marks, unopened, has_reason)

    def _finish(self) -> Finish:
        """The meaning of the last reason, a plain stop without one; raises `ProviderError` for that of a failure."""
        if not self._reason:
            return Finish.STOP
        word = self._reason.partition(":")[0].rstrip().lower()
        if word not in self._reasons:
            raise UnknownFinish(one_line(self._reason, self.key))
        finish = self._reasons[word]
        if finish is None:
            reason = one_line(self._reason, self.key)
            fault = "tool_call" if self.called or word in CALLS else "gave_up"
            raise EndpointUnavailable(f"the endpoint gave up: {reason[:100]}", fault=fault, words=reason[:WORDS_LIMIT])
        return finish

    def explain(self, error: ProviderError) -> ProviderError:
        """The error for a response whose status is not 200; a dialect may override the one by status."""
        return error

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
        BadReply: It is not a JSON object, or has more than `CONTAINER_LIMIT` brackets that open.
    """
    if len(data) > _MAX_UNCOUNTED and data.count("[") + data.count("{") > CONTAINER_LIMIT:
        raise BadReply(f"an event has more than {CONTAINER_LIMIT} objects", fault="event_too_large")
    try:
        value: object = orjson.loads(data)
    except orjson.JSONDecodeError:
        value = _parse_leniently(data)
    if not isinstance(value, dict):
        raise BadReply(_NO_OBJECT)
    return cast("JsonObject", value)


def _stated(reason: object) -> str:
    """The reason in one text, also one that is no text; empty if the value states none."""
    return reason.strip() if isinstance(reason, str) else json.dumps(reason) if reason else ""


def _error_of(data: str) -> object:
    """The error in the data of an event that is one by its name; the data itself where they are no JSON object."""
    try:
        content = parse(data)
    except BadReply:
        return data.strip()
    return error_object(content) or part(content, "response").get("error") or content


def _parse_leniently(data: str) -> object:
    """The value of JSON that the fast parser refuses: some servers send lone surrogates, NaN, and byte order marks."""
    try:
        return json.loads(data.strip("\ufeff"))
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
