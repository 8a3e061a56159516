"""Webhooks of owners: each change of an endpoint's state is sent, signed, to an address of its owner.

Changes are permanent rows, so there is no queue: a webhook stores the number of the last change that its receiver has
accepted. A change that was accepted just before a process died is sent again, with the same id.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import logging
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.background import cancel
from arena.adapters.store import endpoint_states, owners
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.tables.endpoints import WebhookRow
from arena.domain.errors import ArenaError, Invalid
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.domain.schemas.owners import WebhookView
from arena.domain.terms import JsonObject
from arena_providers.errors import ProviderError
from arena_providers.transport.http_client import SUCCESS, json_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.endpoints import ChangeRow
    from arena_providers.transport.egress import Policy
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

SETTLED: Final = timedelta(seconds=30)
"""Age from which a change is sent; no transaction lasts so long, so none can still add a change with a lower number."""
MAX_LAG: Final = 500
"""Most changes of others that a webhook without changes has not skipped yet, so that each look passes over few."""
MAX_SENDERS: Final = 100
"""Largest number of addresses that are called at once."""
_MAX_CHANGES: Final = 20
_BATCH_SECONDS: Final = 30.0
"""Number of changes and time after which an address gives its place to others until the next look."""
_SECONDS: Final = 10.0
"""Time limit of one request."""
_FIRST_PAUSE: Final = timedelta(seconds=10)
_LONGEST_PAUSE: Final = timedelta(hours=6)
"""The pause after a failure doubles from the first to the longest one."""

PREFIX: Final = "whsec_"


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


@dataclass(frozen=True, slots=True)
class _Due:
    """The webhooks with changes to send, numbered up to `settled`, and whether the others have to skip to there."""

    hooks: Sequence[WebhookRow] = ()
    settled: int = 0
    is_behind: bool = False

    @property
    def owners(self) -> list[int]:
        """The owners of the webhooks."""
        return [hook.owner_id for hook in self.hooks]


@dataclass(slots=True, eq=False)
class WebhookSender:
    """Sends changes to each address in a task of its own, so that a slow receiver delays no other.

    `key` is the arena's signing secret.
    """

    database: Database
    client: HttpClient
    key: bytes
    now: Callable[[], datetime]
    _tasks: dict[int, asyncio.Task[int]] = field(default_factory=dict[int, "asyncio.Task[int]"])

    async def send_due(self) -> list[asyncio.Task[int]]:
        """Begin to send what is due, except to addresses that are being called; returns a task for each address.

        A task returns how many changes were accepted.
        """
        now = self.now()
        due = await self.database.read(_due, now)
        if due.is_behind:
            await self.database.write(owners.skip_changes, now, due.settled, due.owners)
        self._tasks = {number: task for number, task in self._tasks.items() if not task.done()}
        hooks = [hook for hook in due.hooks if hook.owner_id not in self._tasks][: MAX_SENDERS - len(self._tasks)]
        begun = {hook.owner_id: asyncio.create_task(self._deliver(hook, due.settled)) for hook in hooks}
        self._tasks |= begun
        return list(begun.values())

    async def end(self) -> None:
        """Cancel all requests; what they did not deliver is sent again."""
        await cancel(list(self._tasks.values()))

    async def _deliver(self, hook: WebhookRow, until: int) -> int:
        """Send the next changes of one owner in order, up to the first that fails; returns how many were accepted."""
        count, start = 0, asyncio.get_running_loop().time()
        try:
            changes = await self.database.read(owners.waiting_changes, hook, until, _MAX_CHANGES)
            for change, name in changes:
                if asyncio.get_running_loop().time() - start > _BATCH_SECONDS or not await self._send(
                    hook, change.number, _event(change, name)
                ):
                    break
                count += 1
        except ArenaError as error:
            log.warning("the webhook of owner %d cannot be served now: %s", hook.owner_id, error)
        return count

    async def _send(self, hook: WebhookRow, number: int, event: JsonObject) -> bool:
        """Send one change and note the result; returns whether it was accepted."""
        headers = signed_headers(_secret(hook, self.key), number, int(self.now().timestamp()), json_bytes(event))
        try:
            async with asyncio.timeout(_SECONDS), self.client.post(hook.url, event, headers=headers, accept=SUCCESS):
                pass
        except (ProviderError, TimeoutError):
            await self.database.write(_postpone, hook, self.now())
            return False
        await self.database.write(_advance, hook, number)
        return True


def _due(session: Session, now: datetime) -> _Due:
    """Find the webhooks with changes to send, by the changes since the last one that any webhook has delivered."""
    least = owners.least_delivered(session, now)
    if least is None or least >= endpoint_states.newest_change(session):
        return _Due()
    settled = endpoint_states.settled_change(session, least, now - SETTLED)
    if settled <= least:
        return _Due()
    hooks = sorted(owners.due_webhooks(session, now, least, settled), key=lambda hook: hook.failures)
    idle = owners.least_delivered(session, now, [hook.owner_id for hook in hooks])
    return _Due(hooks, settled, idle is not None and settled - idle >= MAX_LAG)


def _event(row: ChangeRow, name: str) -> JsonObject:
    data = {"endpoint": row.endpoint_id, "name": name, "before": row.before, "after": row.after}
    data |= {"reason": row.reason, "code": row.code, "params": row.params}
    return {"type": "endpoint.state", "timestamp": row.created_at.isoformat(), "data": data}


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
