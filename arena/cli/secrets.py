"""`arena secrets`: new, rotate, status."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.adapters.store.keyring import VARIABLE, new_master
from arena.cli.context import run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.progress import say
from arena.cli.terminal.tables import AsJson, show
from arena.domain.operators import Act, ActKind
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.keyring import Keyring
    from arena.settings import Settings

LOST: Final = "no: these models are not paired"
"""Where a master key that wraps stored keys is not here."""

app = command_group(f"Manage the master keys ({VARIABLE}) that encrypt the stored keys of models.")


@app.command()
def new() -> None:
    """Print a new master key; store it apart from backups of the database."""
    print(new_master())
    say(f"Set {VARIABLE} to it; to rotate, put it before the old key, with a comma between.")


@app.command()
def rotate() -> None:
    """Re-wrap all stored keys with the newest master key while the arena runs.

    With the key file in the data folder this is all there is to do. With ARENA_SECRET_KEY:

    1. put the output of `arena secrets new` before the old key, with a comma between;

    2. restart the arena's processes one by one;

    3. run this command;

    4. when `arena secrets status` counts no keys under the old one, remove it and restart again.
    """
    from arena.cli.call_settings import open_keyring

    async def act(database: Database, settings: Settings) -> tuple[int, Keyring]:
        keyring = open_keyring(settings)
        keyring.renew()
        wrapped = await database.write(_rewrap, keyring)
        keyring.forget()
        return wrapped, keyring

    wrapped, keyring = run(act, Act(ActKind.MASTER_KEY_ROTATED))
    newest, *older = keyring.names()
    print(f"{amount(wrapped, 'stored key')} re-wrapped; all are under {newest}.")
    if older:
        print(f"Remove {', '.join(older)} from {VARIABLE} once every process has {newest}.")


@dataclass(frozen=True, slots=True)
class MasterKey:
    """A master key by name, the number of stored keys that it wraps, and what it does here."""

    master_key: str
    stored_keys: int
    here: str


@app.command()
def status(json: AsJson = False) -> None:
    """List the master keys by name, and the number of stored keys that each one wraps."""
    from arena.cli.call_settings import open_keyring

    show(run(lambda database, settings: database.read(master_keys, open_keyring(settings))), json=json)


def _rewrap(session: Session, keyring: Keyring) -> int:
    from arena.adapters.store import checkpoints, envelope_encryption

    return envelope_encryption.rewrap(session, keyring) + checkpoints.rewrap_keys(session, keyring)


def master_keys(session: Session, keyring: Keyring) -> list[MasterKey]:
    """The master keys that are here, newest first, and those that only wrap stored keys."""
    from arena.adapters.store import checkpoints, envelope_encryption

    names = keyring.names()
    counts = Counter(envelope_encryption.wrapped(session)) + Counter(checkpoints.count_keys(session))
    uses = {name: "seals" if name == names[0] else "opens" for name in names}
    return [MasterKey(name, counts.get(name, 0), uses.get(name, LOST)) for name in dict.fromkeys([*names, *counts])]
