"""Keys and time limits of calls to endpoints, by the settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from arena.adapters.store.keyring import Keyring

if TYPE_CHECKING:
    from arena.calls.targets import Keys
    from arena.settings import Settings
    from arena_providers.deadlines import TimeLimits


def keys(settings: Settings) -> Keys:
    """Return the source of endpoints' keys: environment variables and the keyring."""
    from arena.calls.targets import Keys

    return Keys(os.environ.get, open_keyring(settings))


def open_keyring(settings: Settings) -> Keyring:
    """Return the master keys, which encrypt what is stored."""
    return Keyring(settings.secret_key.get_secret_value(), settings.key_file)


def times(settings: Settings) -> TimeLimits:
    """Return the time limits of calls to endpoints."""
    from arena_providers.deadlines import TimeLimits

    return TimeLimits(
        connect=settings.connect_seconds,
        first_token=settings.first_token_seconds,
        between_tokens=settings.between_tokens_seconds,
        total=settings.total_seconds,
    )
