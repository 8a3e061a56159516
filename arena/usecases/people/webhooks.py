"""Webhooks of owners: each change of an endpoint's state is sent, signed, to an address of its owner.

Changes are permanent rows, so there is no queue: a webhook stores the number of the last change that its receiver has
accepted. A change that was accepted just before a process died is sent again, with the same id.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoint_states, owners
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.tables.endpoints import WebhookRow
from arena.domain.errors import Invalid
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.domain.schemas.owners import WebhookView
from arena_providers.errors import ProviderError
from arena_providers.transport.http_client import SUCCESS, json_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.endpoints import ChangeRow
    from arena_providers.transport.egress import Policy
    from arena_providers.transport.http_client import HttpClient


SETTLED: Final = timedelta(seconds=30)
"""Age from which a change is sent; no transaction lasts so long, so none can still add a change with a lower number."""
_MOST: Final = 20
"""Maximum number of changes that are sent to one address in one round."""
_SECONDS: Final = 10.0
"""Time limit of one request."""
_FIRST_PAUSE: Final = timedelta(seconds=10)
_LONGEST_PAUSE: Final = timedelta(hours=6)
"""The pause after a failure doubles from the first to the longest one."""

PREFIX: Final = "whsec_"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A webhook with the changes to send: the number and body of each."""

    hook: WebhookRow
    events: list[tuple[int, dict[str, object]]]


@write_transaction
def set_webhook(session: Session, owner_id: int, url: str, policy: Policy, key: bytes, now: datetime) -> WebhookView:
    """Set an owner's address for changes from now on, in place of another; `key` is the arena's signing secret.

    Raises:
        Invalid: The address is not on the public internet over HTTPS.
    """
    if objection := policy.objection(url):
        raise Invalid(f"url: {Invalid.details[objection]}", field="url", rule=objection)
    row = WebhookRow(
        owner_id=owner_id,
        url=url,
        newest=endpoint_states.newest_change(session),
        failures=0,
        retry_at=None,
        created_at=now,
    )
    owners.put_webhook(session, row)
    return _view(row, key)


def webhook_of(session: Session, owner_id: int, key: bytes) -> WebhookView:
    """The webhook of an owner; without an address if there is none."""
    row = owners.webhook_of(session, owner_id)
    return _view(row, key) if row else WebhookView()


@write_transaction
def drop_webhook(session: Session, owner_id: int) -> None:
    """Delete an owner's webhook."""
    owners.drop_webhook(session, owner_id)


async def tell_due(database: Database, client: HttpClient, key: bytes, now: datetime) -> int:
    """Send the changes that are due, to all owners concurrently; returns how many were accepted."""
    deliveries = await database.read(_deliveries, now)
    return sum(await asyncio.gather(*(_deliver(database, client, delivery, key, now) for delivery in deliveries)))


def _deliveries(session: Session, now: datetime) -> list[Delivery]:
    until = now - SETTLED
    rows = ((hook, owners.waiting_changes(session, hook, until, _MOST)) for hook in owners.due_webhooks(session, now))
    return [Delivery(hook, _events(changes)) for hook, changes in rows if changes]


def _events(rows: Sequence[tuple[ChangeRow, str]]) -> list[tuple[int, dict[str, object]]]:
    return [(row.number, _event(row, name)) for row, name in rows]


def _event(row: ChangeRow, name: str) -> dict[str, object]:
    data = {"endpoint": row.endpoint_id, "name": name, "before": row.before, "after": row.after}
    data |= {"reason": row.reason, "code": row.code, "params": row.params}
    return {"type": "endpoint.state", "timestamp": row.created_at.isoformat(), "data": data}


async def _deliver(database: Database, client: HttpClient, delivery: Delivery, key: bytes, now: datetime) -> int:
    """Send the changes of one owner in order, up to the first that fails; returns how many were accepted."""
    hook, secret = delivery.hook, _secret(delivery.hook, key)
    for count, (number, event) in enumerate(delivery.events):
        headers = signed_headers(secret, number, int(now.timestamp()), json_bytes(event))
        try:
            async with asyncio.timeout(_SECONDS), client.post(hook.url, event, headers=headers, accept=SUCCESS):
                pass
        except (ProviderError, TimeoutError):
            await database.write(_postpone, hook, now)
            return count
        await database.write(_advance, hook, number)
    return len(delivery.events)


def _advance(session: Session, hook: WebhookRow, number: int) -> None:
    if row := _same(session, hook):
        row.newest, row.failures, row.retry_at = max(number, row.newest), 0, None


def _postpone(session: Session, hook: WebhookRow, now: datetime) -> None:
    if row := _same(session, hook):
        row.retry_at = now + min(_FIRST_PAUSE * 2 ** min(row.failures, 20), _LONGEST_PAUSE)
        row.failures += 1


def _same(session: Session, hook: WebhookRow) -> WebhookRow | None:
    """The current row of a webhook; None if its owner has deleted or replaced it."""
    row = owners.webhook_of(session, hook.owner_id)
    return row if row and (row.url, row.created_at) == (hook.url, hook.created_at) else None


def _view(row: WebhookRow, key: bytes) -> WebhookView:
    return WebhookView(url=row.url, secret=_secret(row, key), failures=row.failures, retry_at=row.retry_at)


def _secret(row: WebhookRow, key: bytes) -> str:
    """The secret of a webhook, derived from the arena's own, the owner, the time of creation and the address."""
    digest = keyed_digest(key, f"webhook {row.owner_id} {row.created_at.isoformat()} {row.url}")
    return PREFIX + base64.b64encode(bytes.fromhex(digest)).decode()


def signed_headers(secret: str, number: int, seconds: int, body: bytes) -> dict[str, str]:
    """Headers of event `number`, sent at `seconds` since 1970, signed by Standard Webhooks 1.0.

    Source: standardwebhooks.com, "Signature scheme": HMAC-SHA-256 over id, time and body, with a secret in base64.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    digest = hmac.digest(key, f"{number}.{seconds}.".encode() + body, "sha256")
    return {
        "Webhook-Id": str(number),
        "Webhook-Timestamp": str(seconds),
        "Webhook-Signature": f"v1,{base64.b64encode(digest).decode()}",
    }
