"""`arena log`: export, state and restart of the transparency log, unlogged votes, key rotation, witnessing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.progress import progress
from arena.cli.terminal.tables import AsJson, show_json
from arena.domain.errors import Conflict, Invalid
from arena.domain.operators import Act, ActKind
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.domain.schemas.status import LogView
    from arena.settings import Settings

app = command_group("Export the transparency log, show its state, begin it anew, change a key, witness other logs.")


@app.command()
def export(folder: Annotated[Path, typer.Argument(help="Folder to write, for any file server.")]) -> None:
    """Write the files of the log as they are served at /log, or bring an earlier export up to date."""
    from arena.adapters.log_files import LogFiles
    from arena.cli.log_sequencer import sequencer_of
    from arena.usecases.transparency.sequencer import Disagreement

    async def act(database: Database, settings: Settings) -> int:
        sequencer = sequencer_of(settings, database, LogFiles(folder, public=True))
        try:
            with progress("leaves") as meter:
                sequencer.progress = meter.reach
                return await sequencer.mirror()
        except Disagreement as error:
            raise Conflict(f"{folder} holds another log: {error}") from error

    print(f"{amount(run(act), 'leaf', 'leaves')} written to {folder}.")


@app.command()
def restart(
    why: Annotated[str, typer.Option(help="Reason, for everybody to read in the new log.")],
) -> None:
    """Begin a new log after a restored backup; its first leaf names the old one, whose files are set aside."""
    from arena.adapters.log_files import LogFiles
    from arena.cli.call_settings import open_keyring
    from arena.usecases.transparency.origins import restart as begin_anew

    async def act(database: Database, settings: Settings) -> tuple[str, Path | None]:
        files, keyring = LogFiles(settings.published_log), open_keyring(settings)
        return await begin_anew(database, files, keyring, host=settings.log_host, why=why, now=now())

    name, aside = run(act, Act(ActKind.LOG_RESTARTED, "", why))
    print(f"The log begins anew as {name}." + (f" The files of the old one are in {aside}." if aside else ""))


@app.command()
def status(json: AsJson = False) -> None:
    """Show how much of the log is signed and what it waits for; the exit status is 1 while it has stopped."""
    from arena.usecases.transparency import log_status

    view = run(lambda database, _settings: log_status.status(database, now()))
    if json:
        show_json(view)
    else:
        _show(view)
    raise typer.Exit(1 if view.late or view.unlogged else 0)


def _show(view: LogView) -> None:
    print(
        f"{view.origin}: {amount(view.size, 'leaf is', 'leaves are')} signed."
        if view.origin
        else "There is no log yet."
    )
    if view.signed_at:
        print(f"The last of them was signed at {view.signed_at:%Y-%m-%d %H:%M:%S} UTC.")
    if view.waiting:
        print(f"The oldest promised vote has been waiting for {amount(view.waiting, 'second')}.")
    if view.unlogged:
        more = f" and {view.unlogged - len(view.first_unlogged)} more" * (view.unlogged > len(view.first_unlogged))
        print(
            f"The signing has stopped: votes without a leaf: {', '.join(map(str, view.first_unlogged))}{more}. "
            "They never count; `arena log exclude` says so in the log, and it goes on."
        )


@app.command()
def exclude(
    why: Annotated[str, typer.Option(help="Reason, for everybody to read in the log.")],
) -> None:
    """Say in the log that votes without a leaf do not count, after which it is signed again.

    Such votes were not cast or imported by the arena; somebody has written them into the database.
    """
    from arena.usecases.transparency import unlogged

    numbers = run(
        lambda database, _settings: unlogged.exclude(database, why, now()),
        Act(ActKind.VOTE_EXCLUDED, "votes without a leaf", why),
    )
    print(
        f"The log says that {unlogged.numbered(numbers)} without a leaf never count, and is signed again in a moment."
    )


@app.command()
def rotate(
    checkpoints: Annotated[
        bool, typer.Option("--checkpoints", help="The key of the log, not that of promises.")
    ] = False,
) -> None:
    """Make a new key for promises, or for checkpoints, and announce it by a leaf.

    Each process signs promises with it from its next start. The log is signed with it as soon as it has the leaf.
    """
    from arena.cli.call_settings import open_keyring
    from arena.usecases.transparency import origins, rotations

    async def act(database: Database, settings: Settings) -> str:
        keyring = open_keyring(settings)
        if checkpoints:
            return str(await database.write(rotations.rotate, keyring, now()))
        signer = await database.write(origins.new_promise_key, keyring, settings.log_host, now())
        return str(signer.key)

    then = "The log is signed with it in a moment." if checkpoints else "Restart the arena's processes one by one."
    key = run(act, Act(ActKind.LOG_KEY_ROTATED, "checkpoints" if checkpoints else "promises"))
    print(f"{key}\nis announced. {then}")


@app.command()
def witness(
    log: Annotated[str, typer.Argument(metavar="URL", help="Address or folder of another arena's log.")],
    key: Annotated[str | None, typer.Option(help="Its verifier key; else the one that it shows.")] = None,
) -> None:
    """Cosign the newest checkpoint of another arena's log, unless it contradicts what was cosigned before."""
    from arena.adapters.log_files import LogFiles
    from arena.cli.call_settings import open_keyring
    from arena.usecases.transparency.witnessing import Witness, path_of
    from arena_trust.tlog.hashing import Unsound
    from arena_trust.tlog.keys import VerifierKey
    from arena_trust.verifier.sources import log_reader

    read = log_reader(log)
    try:
        verifier = VerifierKey.parse(key or read("key").decode("utf-8", "replace"))
    except Unsound as error:
        raise Invalid(f"{log}: {error}") from error

    async def act(database: Database, settings: Settings) -> int:
        files, keyring = LogFiles(settings.published_log), open_keyring(settings)
        result = await Witness(database, files, keyring, settings.log_host).cosign(read, verifier, now())
        return result.size

    size = run(act, Act(ActKind.LOG_COSIGNED, log))
    print(f"{amount(size, 'leaf', 'leaves')} of {verifier.name} cosigned, at /log/{path_of(verifier.name)}.")
