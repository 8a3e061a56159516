"""One call outside a battle on the path of a battle: the same request, the same limits, paid by the same budget."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from arena import costs
from arena.providers.deadlines import within
from arena.spans import span
from arena.store import budgets, endpoints
from arena.targets import target_of
from arena.terms import EndpointState, Message, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.providers.base import Provider, Target
    from arena.providers.deadlines import TimeLimits
    from arena.store.engine import Database
    from arena.targets import Keys


@dataclass(frozen=True, slots=True)
class Caller:
    """All that calling an endpoint takes."""

    database: Database
    providers: Mapping[str, Provider]
    keys: Keys
    now: Callable[[], datetime]
    times: TimeLimits


async def ask(caller: Caller, endpoint_id: int, prompt: str, *, enough: int | None = None) -> str | None:
    """The answer, read no further than `enough` characters; None if the endpoint rests or its budget is spent.

    Raises:
        ProviderError: It did not answer.
        KeyLost: Its key cannot be opened.
    """
    day, messages = caller.now().astimezone(UTC).date(), (Message(Role.USER, prompt),)
    taken = await caller.database.write(_take, endpoint_id, day, messages, caller.keys)
    if taken is None:
        return None
    target, reserved = taken
    text, usage = "", None
    try:
        stream = within(caller.providers[target.dialect].stream(target, messages), caller.times)
        with span("call", endpoint=endpoint_id, dialect=target.dialect):
            async with aclosing(stream) as chunks:
                async for chunk in chunks:
                    text, usage = text + chunk.text, chunk.usage or usage
                    if enough is not None and len(text) >= enough:
                        break
    finally:
        if reserved is not None:
            used = costs.used(target, messages, text, usage)
            await caller.database.write(budgets.settle, day, {endpoint_id: used - reserved})
    return text if enough is None else text[:enough]


def _take(
    session: Session, endpoint_id: int, day: date, messages: tuple[Message, ...], keys: Keys
) -> tuple[Target, int | None] | None:
    """The target, and the tokens that are counted beforehand, if any are; None if there is to be no call."""
    row = endpoints.by_id(session, [endpoint_id]).get(endpoint_id)
    if row is None or row.state is not EndpointState.ACTIVE:
        return None
    target = target_of(session, row, keys)
    if not budgets.capped(row):
        return target, None
    reserved = costs.reserve(target, messages)
    return (target, reserved) if budgets.take(session, row, day, reserved) else None
