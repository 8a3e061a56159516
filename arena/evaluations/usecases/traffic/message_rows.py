"""Calls in rows of `messages` with an answer: the last message, or a field of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from arena.adapters.row_files.rows import Unusable
from arena.evaluations.usecases.traffic.logged_calls import (
    CallExclusion,
    Expense,
    LoggedCall,
    expense_of,
    fields_of,
    json_value,
    logged_call,
    route_of,
)
from arena_providers.terms import Role

FIELDS: Final = frozenset({"messages"})
ANSWERS: Final = ("answer", "response", "output", "completion")
"""Fields with the answer; without one it is in the `choices` of OpenAI's responses, or the last message."""
ROUTES: Final = ("route", "tag", "tags", "category", "task")
"""Fields with the route or tag."""


def message_call(row: Mapping[str, object]) -> LoggedCall:
    """The call of a row.

    Raises:
        Unusable: It cannot be used.
    """
    messages = json_value(row.get("messages"))
    if not isinstance(messages, list):
        raise Unusable(CallExclusion.NO_TEXT)
    entries = cast("list[object]", messages)
    answer = next((row[name] for name in ANSWERS if row.get(name)), row if row.get("choices") else None)
    if answer is None and entries and fields_of(entries[-1]).get("role") == Role.ASSISTANT:
        *entries, answer = entries
    if row.get("error") and answer is None:
        raise Unusable(CallExclusion.FAILED)
    model = row.get("model") or fields_of(answer).get("model")
    parameters = {**fields_of(row.get("parameters")), **row}
    route = route_of(*(row.get(name) for name in ROUTES))
    return logged_call(model, entries, answer, parameters, route=route, expense=_expense(row, fields_of(answer)))


def _expense(row: Mapping[str, object], answer: Mapping[str, object]) -> Expense:
    """Tokens by OpenAI's `usage`, and `milliseconds` and `cost` of the row, if it has them."""
    usage = fields_of(row.get("usage") or answer.get("usage"))
    tokens = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return expense_of(*tokens, milliseconds=row.get("milliseconds"), cost=row.get("cost"), at=row.get("created"))
