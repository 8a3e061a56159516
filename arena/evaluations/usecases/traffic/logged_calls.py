"""A logged call in one form for all logs: conversation, parameters, answer, and what it took; or why it cannot be used.

A call can be used if another model can be asked the same: a conversation of texts that ends with the user's, whole in
the log, without tools, and with parameters that every endpoint of the arena has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, cast

from arena.adapters.row_files.rows import Unusable
from arena.domain.schemas.questions import FACT_LIMIT, MESSAGE_LIMIT, TEXT_LIMIT
from arena.domain.text import INVISIBLE, has_visible_text, well_formed
from arena_providers.terms import Role

UNNAMED: Final = "logged"
"""Name of the model of calls that name none."""
_MAX_COUNT: Final = 2**31 - 1
"""Largest number of a column of whole numbers."""
_MAX_COST: Final = 1e6
"""US dollars that no call costs."""
_LABEL: Final = 20
"""Characters that the role of a message takes where people are shown a conversation."""
_SYSTEM: Final = frozenset({"system", "developer"})
_TOOLS: Final = ("tools", "functions", "tool_calls", "function_call")
_UNREPEATED: Final = (
    *("stop", "logit_bias", "response_format", "prediction", "audio", "modalities", "guided_json", "grammar"),
    *("frequency_penalty", "presence_penalty", "repetition_penalty", "top_k", "min_p"),
)
"""Parameters that change an answer and that not every endpoint has."""


class CallExclusion(StrEnum):
    """Reason why a call cannot be used."""

    DAMAGED = "that are no rows of this format"
    TOOLS = "with tools"
    PARTS = "with images, sound or files"
    FAILED = "that failed"
    NO_CHAT = "that are no chats, such as embeddings"
    NO_TEXT = "without the text of the prompt or the answer in the log"
    CUT = "with texts that the log has cut off"
    PARAMETERS = "with parameters that not every endpoint has, such as response_format or stop"
    BRANCH = "of chats in which a message before them is missing or comes twice"
    VALUES = "with a temperature, top_p or max_tokens that no endpoint takes"
    SYSTEM = "with a system message in the middle of the conversation"
    ROLES = "with messages of neither the user nor the model"
    END = "of conversations that do not end with a message of the user"
    HUGE = "in lines of more than 16 MB"
    LONG = f"with more than {TEXT_LIMIT:,} characters or {MESSAGE_LIMIT} messages"


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """One message of a conversation, of the user or of the model."""

    role: Literal[Role.USER, Role.ASSISTANT]
    text: str


@dataclass(frozen=True, slots=True)
class Expense:
    """Tokens of a call's prompt and in all, milliseconds, US dollars, and seconds since 1970; None if not known."""

    sent: int | None = None
    tokens: int | None = None
    milliseconds: int | None = None
    cost: float | None = None
    at: float | None = None


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """One call of a model: what it was asked, what it answered, and the route or tag under which it came."""

    model: str
    messages: tuple[LoggedMessage, ...]
    answer: str
    system_prompt: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    route: str = ""
    expense: Expense = field(default_factory=Expense)

    @property
    def texts(self) -> Iterator[str]:
        """All texts of the call."""
        yield from (message.text for message in self.messages)
        yield self.answer
        if self.system_prompt is not None:
            yield self.system_prompt


def logged_call(
    model: object,
    messages: object,
    response: object,
    parameters: Mapping[str, object],
    *,
    route: str = "",
    expense: Expense | None = None,
) -> LoggedCall:
    """The call with these messages, as in OpenAI's interface, and this response, a text or an object of an interface.

    Raises:
        Unusable: It cannot be used; the text is a `CallExclusion`.
    """
    _check_parameters(parameters)
    system_prompt, conversation = _conversation(messages)
    call = LoggedCall(
        name_of(model) or UNNAMED,
        conversation,
        _text(_answer(response)),
        system_prompt,
        _number(parameters.get("temperature"), 0, 2),
        _number(parameters.get("top_p"), 0, 1) or None,
        _count(parameters.get("max_completion_tokens") or parameters.get("max_tokens")),
        route,
        expense or Expense(),
    )
    if sum(len(text) + _LABEL for text in call.texts) > TEXT_LIMIT or len(call.messages) > MESSAGE_LIMIT:
        raise Unusable(CallExclusion.LONG)
    return call


def route_of(*values: object) -> str:
    """The first route that is named: a text, or the first text of a list."""
    for value in values:
        texts = cast("list[object]", value) if isinstance(value, list) else [value]
        for text in texts:
            if isinstance(text, str) and (name := name_of(text)):
                return name
    return ""


def name_of(value: object) -> str:
    """The name of a model or route in one line of printable characters; only its first ones are read."""
    text = INVISIBLE.sub("", well_formed(str(value or "")[:FACT_LIMIT]))
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def number_of(value: object) -> float | None:
    """A number that is not negative, or its text; None for anything else."""
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def expense_of(
    sent: object, received: object, *, milliseconds: object = None, cost: object = None, at: object = None
) -> Expense:
    """The expense of a call by its fields in a log.

    Not known is what is no number, nothing where there is some, or more than a call takes and a database stores.
    """
    prompt, answer = _up_to(_MAX_COUNT, sent), _up_to(_MAX_COUNT, received)
    tokens = None if prompt is None or answer is None else _up_to(_MAX_COUNT, prompt + answer)
    spent = _up_to(_MAX_COUNT, milliseconds)
    return Expense(
        None if prompt is None or tokens is None else int(prompt),
        None if tokens is None else int(tokens),
        round(spent) if spent else None,
        _up_to(_MAX_COST, cost) or None,
        number_of(at),
    )


def _up_to(limit: float, value: object) -> float | None:
    number = number_of(value)
    return number if number is not None and number <= limit else None


def fields_of(value: object) -> dict[str, object]:
    """The fields of an object, none of anything else."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def json_value(value: object) -> object:
    """The value of a column of JSON, which databases and exports may each write as a text, or a text that is none."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", '"')):
        return value
    try:
        return json_value(json.loads(value))
    except (ValueError, RecursionError):
        return value


def _check_parameters(parameters: Mapping[str, object]) -> None:
    if any(parameters.get(name) for name in _TOOLS):
        raise Unusable(CallExclusion.TOOLS)
    is_text = fields_of(parameters.get("response_format")).get("type") == "text"
    names = (name for name in _UNREPEATED if parameters.get(name) and not (name == "response_format" and is_text))
    if next(names, None) or parameters.get("n") not in (None, 0, 1):
        raise Unusable(CallExclusion.PARAMETERS)


def _conversation(messages: object) -> tuple[str | None, tuple[LoggedMessage, ...]]:
    """The system prompt and the other messages."""
    entries = [fields_of(entry) for entry in cast("list[object]", messages)] if isinstance(messages, list) else []
    if not entries:
        raise Unusable(CallExclusion.NO_TEXT)
    system: list[str] = []
    conversation: list[LoggedMessage] = []
    for entry in entries:
        role = str(entry.get("role"))
        if role in {"tool", "function"} or any(entry.get(name) for name in _TOOLS):
            raise Unusable(CallExclusion.TOOLS)
        if role in _SYSTEM:
            if conversation:
                raise Unusable(CallExclusion.SYSTEM)
            system.append(_text(entry.get("content")))
        elif role in {Role.USER, Role.ASSISTANT}:
            author = Role.USER if role == Role.USER else Role.ASSISTANT
            conversation.append(LoggedMessage(author, _text(entry.get("content"))))
        else:
            raise Unusable(CallExclusion.ROLES)
    if not conversation or conversation[-1].role is not Role.USER:
        raise Unusable(CallExclusion.END)
    return "\n\n".join(system) or None, tuple(conversation)


def _answer(response: object) -> object:
    """The content of a response: its text, or that of the first choice or message."""
    fields = fields_of(response)
    if not fields:
        return response
    if isinstance(choices := fields.get("choices"), list):
        choice = fields_of(next(iter(cast("list[object]", choices)), None))
        if choice.get("finish_reason") == "content_filter":
            raise Unusable(CallExclusion.FAILED)
        if "message" not in choice:
            raise Unusable(CallExclusion.NO_CHAT)
        fields = fields_of(choice["message"])
    elif str(fields.get("object")) in {"list", "embedding"}:
        raise Unusable(CallExclusion.NO_CHAT)
    if any(fields.get(name) for name in _TOOLS):
        raise Unusable(CallExclusion.TOOLS)
    return fields.get("content", fields.get("text"))


def _text(content: object) -> str:
    """The text of a message's content, which is a string or a list of parts."""
    if isinstance(content, list):
        parts = [fields_of(part) for part in cast("list[object]", content)]
        kinds = {str(part.get("type")) for part in parts}
        if kinds & {"tool_use", "tool_result"}:
            raise Unusable(CallExclusion.TOOLS)
        if kinds - {"text", "thinking", "redacted_thinking"}:
            raise Unusable(CallExclusion.PARTS)
        content = "\n".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")
    if not isinstance(content, str) or not (content[:1].isalnum() or has_visible_text(content)):
        raise Unusable(CallExclusion.NO_TEXT)
    return well_formed(content)


def _number(value: object, low: float, high: float) -> float | None:
    """A parameter or its text; one outside of what endpoints take was refused by the first model too."""
    if value is None:
        return None
    number = number_of(value)
    if number is None or not low <= number <= high:
        raise Unusable(CallExclusion.VALUES)
    return number


def _count(value: object) -> int | None:
    number = _number(value, 1, 1_000_000)
    if number is not None and not number.is_integer():
        raise Unusable(CallExclusion.VALUES)
    return None if number is None else int(number)
