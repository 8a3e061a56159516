"""Targets of calls: registered endpoints with their keys."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.adapters.store import endpoints, envelope_encryption
from arena.adapters.store.keyring import Keyring
from arena.domain.errors import KeyLost
from arena_providers.base import Target
from arena_providers.transport.egress import origin

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from arena.adapters.store.endpoints import CalledEndpoint
    from arena.adapters.store.tables.endpoints import EndpointRow


@dataclass(frozen=True, slots=True)
class Keys:
    """Sources of keys: the database for encrypted ones of owners, environment variables for those of operators."""

    environment: Callable[[str], str | None]
    keyring: Keyring = field(default_factory=Keyring)

    def of(self, session: Session, row: EndpointRow | CalledEndpoint) -> str | None:
        """The key of an endpoint, or None if it has none.

        Raises:
            KeyLost: Its variable is not set, or the key cannot be decrypted, or belongs to another host.
        """
        if row.key_env:
            return self._variable(row.key_env)
        return envelope_encryption.take(session, self.keyring, row.id, origin(row.url)) if row.url else None

    def lost(self, session: Session) -> frozenset[int]:
        """The endpoints whose variable is not set, or whose keys have a missing master key."""
        unset = {number for number, name in endpoints.key_variables(session) if not self.environment(name)}
        return envelope_encryption.lost(session, self.keyring) | unset

    def _variable(self, name: str) -> str:
        if key := self.environment(name):
            return key
        raise KeyLost(f"the environment variable {name} is not set here")


def target_of(session: Session, row: EndpointRow | CalledEndpoint, keys: Keys) -> Target:
    """The target with which a provider calls an endpoint.

    Raises:
        KeyLost: The key cannot be decrypted, or belongs to another host.
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
        unopened=row.unopened,
    )
