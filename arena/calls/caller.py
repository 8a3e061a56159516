"""One call outside a battle, with the request, time limits and budget of a battle."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from arena.adapters.observability.tracing import span
from arena.adapters.store import budgets, endpoints
from arena.calls import token_costs
from arena.calls.stream import ReceivedAnswer, receive
from arena.calls.targets import target_of
from arena.domain.terms import EndpointState
from arena_providers.terms import Message, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.budgets import Share
    from arena.adapters.store.engine import Database
    from arena.calls.targets import Keys
    from arena_providers.base import Provider, Target
    from arena_providers.deadlines import TimeLimits


@dataclass(frozen=True, slots=True)
class Caller:
    """Everything that a call of an endpoint needs."""

    database: Database
    providers: Mapping[str, Provider]
    keys: Keys
    now: Callable[[], datetime]
    times: TimeLimits


async def ask_once(
    caller: Caller, endpoint_id: int, prompt: str, share: Share, *, enough: int | None = None
) -> str | None:
    """The answer, cut after `enough` characters; None if the endpoint is not active or its budget's `share` is spent.

    Raises:
        ProviderError: The endpoint failed.
        KeyLost: Its key cannot be decrypted.
    """
    day, messages = caller.now().astimezone(UTC).date(), (Message(Role.USER, prompt),)
    call = await caller.database.write(_reserve, endpoint_id, day, messages, caller.keys, share)
    if call is None:
        return None
    target, reserved = call
    answer = ReceivedAnswer()
    try:
        stream = caller.providers[target.dialect].stream(target, messages)
        with span("call", endpoint=endpoint_id, dialect=target.dialect):
            await receive(stream, caller.times, answer, limit=enough)
    finally:
        if reserved is not None:
            tokens = token_costs.used(target, messages, answer.text, answer.usage)
            await caller.database.write(budgets.settle, day, {endpoint_id: tokens - reserved}, share)
    return answer.text


def _reserve(
    session: Session, endpoint_id: int, day: date, messages: tuple[Message, ...], keys: Keys, share: Share
) -> tuple[Target, int | None] | None:
    """The target and the reserved tokens (None without a cap); None if the call may not be made."""
    row = endpoints.by_id(session, [endpoint_id]).get(endpoint_id)
    if row is None or row.state is not EndpointState.ACTIVE:
        return None
    target = target_of(session, row, keys)
    if not budgets.capped(row):
        return target, None
    reserved = token_costs.reserve(target, messages)
    return (target, reserved) if budgets.take(session, row, day, reserved, share) else None
