"""From a registered endpoint to all that a request to it needs, its key among it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.providers.base import Target
from arena.providers.egress import origin
from arena.store import secrets
from arena.store.keyring import Keyring

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from arena.store.tables import EndpointRow


@dataclass(frozen=True, slots=True)
class Keys:
    """Where keys come from: sealed ones out of the database, those an operator names out of the environment."""

    environment: Callable[[str], str | None]
    keyring: Keyring = field(default_factory=Keyring)

    def of(self, session: Session, row: EndpointRow) -> str | None:
        """The endpoint's key, if it has one.

        Raises:
            KeyLost: It has one that cannot be opened, or that belongs to another host.
        """
        if row.key_env:
            return self.environment(row.key_env)
        return secrets.take(session, self.keyring, row.id, origin(row.url)) if row.url else None


def target_of(session: Session, row: EndpointRow, keys: Keys) -> Target:
    """What a provider is given to ask this endpoint.

    Raises:
        KeyLost: As `Keys.of`.
    """
    return Target(
        dialect=row.dialect,
        url=row.url,
        wire_model=row.wire_model,
        key=keys.of(session, row),
        system_prompt=row.system_prompt,
        temperature=row.temperature,
        top_p=row.top_p,
        max_tokens=row.max_tokens,
        private=row.private,
    )
