"""Calls in logs of LiteLLM: rows of its table of spend, and the payloads that its callbacks get.

The table is `LiteLLM_SpendLogs` of its `schema.prisma`, exported as CSV or JSON; the request is in the column
`proxy_server_request`, texts are there if `store_prompts_in_spend_logs` is set. A payload is `StandardLoggingPayload`
of its `types/utils.py`, which callbacks for files, buckets and web addresses write. Both as of version 1.110.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
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
    number_of,
    route_of,
)

FIELDS: Final = frozenset({"call_type", "model", "prompt_tokens", "response"})
"""Fields by which both are recognised."""
_CHATS: Final = frozenset({"completion", "acompletion", "anthropic_messages", "aanthropic_messages", ""})
_CUT: Final = "(litellm_truncated skipped"
_REDACTED: Final = "redacted-by-litellm"
_OWN_TAG: Final = "User-Agent:"
"""Beginning of the tags that LiteLLM adds by itself."""
_THOUSAND: Final = 1_000


def litellm_call(row: Mapping[str, object]) -> LoggedCall:
    """The call of a row or payload.

    Raises:
        Unusable: It cannot be used.
    """
    if row.get("status") == "failure":
        raise Unusable(CallExclusion.FAILED)
    if str(row.get("call_type") or "").split(".")[-1] not in _CHATS:
        raise Unusable(CallExclusion.NO_CHAT)
    request = fields_of(json_value(row.get("proxy_server_request")))
    messages = json_value(row.get("messages")) or request.get("messages")
    response = json_value(row.get("response"))
    if not messages or not response:
        raise Unusable(CallExclusion.NO_TEXT)
    parameters = {**request, **fields_of(json_value(row.get("model_parameters")))}
    if isinstance(system := request.get("system"), str) and isinstance(messages, list):
        messages = [{"role": "system", "content": system}, *cast("list[object]", messages)]
    call = logged_call(row.get("model"), messages, response, parameters, route=_route(row), expense=_expense(row))
    if any(_CUT in text for text in call.texts):
        raise Unusable(CallExclusion.CUT)
    if any(text.startswith(_REDACTED) for text in call.texts):
        raise Unusable(CallExclusion.NO_TEXT)
    return call


def _route(row: Mapping[str, object]) -> str:
    """The first tag that a person has set, or else the public name of the model."""
    value = json_value(row.get("request_tags"))
    tags = cast("list[object]", value) if isinstance(value, list) else []
    names = [tag for tag in tags if not str(tag).startswith(_OWN_TAG)]
    return route_of(names, row.get("model_group"))


def _expense(row: Mapping[str, object]) -> Expense:
    """Tokens, time and cost of the call; an answer from the cache took neither the model's time nor its price."""
    began, ended = _seconds(row.get("startTime")), _seconds(row.get("endTime"))
    if str(row.get("cache_hit")).casefold() in {"true", "t"}:
        return Expense(at=began)
    cost = row["spend"] if row.get("spend") is not None else row.get("response_cost")
    seconds = None if began is None or ended is None else ended - began
    tokens = row.get("prompt_tokens"), row.get("completion_tokens")
    return expense_of(*tokens, milliseconds=seconds and _THOUSAND * seconds, cost=cost, at=began)


def _seconds(value: object) -> float | None:
    """Seconds since 1970 of a number, or of a time as PostgreSQL and Python write it, in UTC unless it says so."""
    if (number := number_of(value)) is not None:
        return number
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
