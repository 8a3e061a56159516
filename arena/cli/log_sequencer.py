"""The transparency log's sequencer by the settings, for `arena log` and for the worker."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from arena.adapters.store.leases import unguarded
from arena.cli.call_settings import open_keyring
from arena.cli.context import now
from arena.usecases.transparency.sequencer import Sequencer
from arena_trust.verifier.sources import log_reader

if TYPE_CHECKING:
    from arena.adapters.log_files import LogFiles
    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.settings import Settings


def sequencer_of(settings: Settings, database: Database, files: LogFiles, guard: Guard = unguarded) -> Sequencer:
    """Make the sequencer that writes to `files`; `guard` fails once another process sequences."""
    return Sequencer(
        database,
        files,
        open_keyring(settings),
        host=settings.log_host,
        interval=timedelta(seconds=settings.checkpoint_seconds),
        now=now,
        guard=guard,
        witnesses={place: log_reader(place) for place in settings.witness_addresses},
    )
