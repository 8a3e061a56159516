"""The `arena` command, one file per noun."""

from __future__ import annotations

import sys

import typer
from pydantic import ValidationError

from arena.cli import bench, flags, migrate, owners, rank, secrets, serve, stability, steering, votes, worker
from arena.errors import ArenaError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="A public, anonymous battle arena for chat models.",
    pretty_exceptions_enable=False,
)
app.command()(serve.serve)
app.command()(migrate.migrate)
app.command()(worker.worker)
app.command()(stability.stability)
app.add_typer(rank.app, name="rank")
app.add_typer(bench.app, name="bench")
app.add_typer(steering.app, name="endpoints")
app.add_typer(owners.app, name="owners")
app.add_typer(votes.app, name="votes")
app.add_typer(flags.app, name="flags")
app.add_typer(secrets.app, name="secrets")


def main() -> None:
    """Run the command; an error that we know is one line and exit code 1."""
    try:
        app()
    except ArenaError as error:
        sys.exit(f"arena: {error}")
    except ValidationError as error:
        lines = [f"arena: ARENA_{str(item['loc'][0]).upper()}: {item['msg']}" for item in error.errors()]
        sys.exit("\n".join(lines))
