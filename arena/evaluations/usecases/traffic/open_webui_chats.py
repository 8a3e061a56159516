"""Calls in chats that Open WebUI exports: each answer with the messages before it on its branch.

An export is an array of chats, `ChatResponse` of its `models/chats.py`; what is in `chat` is written by its page
(`Chat.svelte`): messages by id with their parents, and the parameters of the chat. The system prompt of a model or of
a person's settings is not in the export.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from arena.adapters.row_files.rows import Unusable
from arena.evaluations.usecases.traffic.logged_calls import (
    CallExclusion,
    Expense,
    LoggedCall,
    expense_of,
    fields_of,
    logged_call,
    number_of,
    route_of,
)
from arena_providers.terms import Role

FIELDS: Final = frozenset({"chat"})
_REASONING: Final = re.compile(r'<details type="reasoning".*?</details>\s*', re.DOTALL)
_TOOL: Final = '<details type="tool_calls"'
_MILLION: Final = 1_000_000


def chat_calls(row: Mapping[str, object]) -> Iterator[LoggedCall | Unusable]:
    """The calls of a chat, and why others cannot be used."""
    chat = fields_of(row.get("chat"))
    messages = fields_of(fields_of(chat.get("history")).get("messages"))
    if not messages:
        yield Unusable(CallExclusion.NO_TEXT)
    route = route_of(chat.get("tags"), fields_of(row.get("meta")).get("tags"))
    for value in messages.values():
        message = fields_of(value)
        if message.get("role") == Role.ASSISTANT:
            try:
                yield _call(message, messages, fields_of(chat.get("params")), route)
            except Unusable as error:
                yield error


def _call(
    message: Mapping[str, object], messages: Mapping[str, object], parameters: Mapping[str, object], route: str
) -> LoggedCall:
    if message.get("error") or message.get("done") is False:
        raise Unusable(CallExclusion.FAILED)
    branch = [message, *_ancestors(message, messages)]
    if any(entry.get("files") or entry.get("sources") for entry in branch):
        raise Unusable(CallExclusion.PARTS)
    if any(_TOOL in str(entry.get("content")) for entry in branch):
        raise Unusable(CallExclusion.TOOLS)
    system = parameters.get("system")
    request = [{"role": "system", "content": system}] if isinstance(system, str) and system.strip() else []
    request += [{"role": entry.get("role"), "content": _plain(entry)} for entry in reversed(branch[1:])]
    return logged_call(
        message.get("model"), request, _plain(message), parameters, route=route, expense=_expense(message)
    )


def _ancestors(message: Mapping[str, object], messages: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The messages before one, from its parent to the first, which names none.

    Raises:
        Unusable: One is missing, or they go round in a circle.
    """
    passed: set[str] = set()
    while parent := message.get("parentId"):
        name = str(parent)
        if name not in messages or name in passed:
            raise Unusable(CallExclusion.BRANCH)
        passed.add(name)
        message = fields_of(messages[name])
        yield dict(message)


def _plain(message: Mapping[str, object]) -> str:
    """The text of a message without the model's reasoning, which Open WebUI does not send again either."""
    return _REASONING.sub("", str(message.get("content") or ""))


def _expense(message: Mapping[str, object]) -> Expense:
    """Tokens and time by the `usage` of the answer, in OpenAI's or Ollama's words."""
    usage = fields_of(message.get("usage") or message.get("info"))
    sent = usage.get("prompt_tokens", usage.get("prompt_eval_count"))
    received = usage.get("completion_tokens", usage.get("eval_count"))
    nanoseconds = number_of(usage.get("total_duration"))
    return expense_of(sent, received, milliseconds=nanoseconds and nanoseconds / _MILLION, at=message.get("timestamp"))
