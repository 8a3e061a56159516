"""The `arena` command: one module per subcommand, imported when the subcommand runs."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from arena.cli.terminal.command_groups import command_group
from arena.domain.errors import ArenaError
from arena.domain.terms import JsonObject
from arena.serving.distributions import require_siblings

if TYPE_CHECKING:
    from typer._click.core import Command, Context

COMMANDS: Final = {
    "serve": "Start the arena and print its address; Ctrl-C ends it.",
    "worker": "Compute leaderboards, beside `serve --no-worker`.",
    "gradio": "Serve the Gradio app for an arena at any address.",
    "doctor": "Say what this machine lacks, and what to do about it.",
    "migrate": "Migrate the database to the schema of this version.",
    "endpoints": "Register and manage the models that take part.",
    "owners": "Manage the owners of endpoints and their keys.",
    "members": "Invite members to an arena that is not open to all.",
    "operators": "Manage operators' keys, and show what operators do.",
    "votes": "Import and export votes, and exclude single ones.",
    "questions": "Import, read, compare and convert sets of questions.",
    "configurations": "Name settings of a model, to compare them like models.",
    "compare": "Have people compare models blind, from one file.",
    "evaluations": "Have models answer questions, and people judge.",
    "ask": "Ask a running arena, read both answers, and vote.",
    "rank": "Compute leaderboards and verify published ones.",
    "stability": "Measure how stable the ratings of a file of votes are.",
    "labels": "Label prompts by rules, count the labels, and export them.",
    "predictors": "Measure how well evaluations predict a leaderboard.",
    "integrity": "Weigh votes by their origins, and simulate attacks.",
    "release": "Build, review and publish releases of conversations.",
    "publish": "Write the public files of today as a static tree.",
    "log": "Export, witness, rotate and restart the transparency log.",
    "verify": "Verify log, export and leaderboard of any arena.",
    "images": "Take images down that people ask about.",
    "flags": "Close and reopen parts of the running service.",
    "site": "Set name, mark and languages, and publish own pages.",
    "secrets": "Manage the master keys that encrypt owners' keys.",
    "plan": "Estimate what an arena of a given size needs.",
}
"""All commands with their help, in the order of `arena --help`."""

MODULES: Final = {
    **dict.fromkeys(("serve", "worker", "gradio"), "arena.serving"),
    **dict.fromkeys(("owners", "members", "operators"), "arena.cli.people"),
    "site": "arena.cli.operation",
    "publish": "arena.cli.boards",
    **dict.fromkeys(("questions", "configurations", "compare", "evaluations", "predictors"), "arena.evaluations.cli"),
}
"""Packages of the commands that are not directly in `arena.cli`."""

INTERRUPTED: Final = 130
"""Exit status of a command that Ctrl-C has ended, as shells have it."""

GARBAGE: Final = (200_000, 20, 20)
"""Thresholds of the garbage collector. With Python's own it takes a tenth of the time of the imports, and an eighth of
that of a vote, for hardly any cycles. A short command does not reach the first threshold."""

PLUGINS: Final = ("PYDANTIC_DISABLE_PLUGINS", "__all__")
"""The arena has no plugins of pydantic, which would look for them in the files of every installed package."""

ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "1")
"""Threads of the linear algebra, which numpy reads when it is imported. More take a third more processor time for a
board of a thousand models, and cost a service more than they gain; and all commands compute with as many."""


def load(name: str) -> Command:
    """Import a command: the `app` of its module, or the function of the same name."""
    require_siblings()
    os.environ.setdefault(*ONE_THREAD)
    module = import_module(f"{MODULES.get(name, 'arena.cli')}.{name}")
    app: Any = getattr(module, "app", None)
    if app is None:
        app = command_group(COMMANDS[name])
        app.command(name)(getattr(module, name))
    return get_command(app)


class Commands(TyperGroup):
    """Lists commands without importing them."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:  # noqa: ARG002 - click's signature
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, load(name) if name in COMMANDS else command, rest

    def invoke(self, ctx: Context) -> object:
        """Run the command; Ctrl-C ends it with a sentence, since commands write all or nothing."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print("arena: interrupted; nothing is half done, and the same command can be run again.", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


app = command_group("A public, anonymous battle arena for chat models.", cls=Commands)


def _print_version(value: bool) -> None:
    if value:
        print("arena", version("battle-arena"))
        raise typer.Exit


@app.callback()
def arena(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A public, anonymous battle arena for chat models."""


def main() -> None:
    """Run the command; an error that the user can correct is printed as one line, with exit code 1.

    That is an `ArenaError`, a file that cannot be read or written, or a wrong setting. Python's last garbage
    collection, a quarter of a short command's time, is skipped, since the process ends.
    """
    gc.set_threshold(*GARBAGE)
    atexit.register(gc.freeze)
    os.environ.setdefault(*PLUGINS)
    try:
        app()
    except ArenaError as error:
        sys.exit(f"arena: {error}")
    except OSError as error:
        sys.exit(": ".join(str(part) for part in ("arena", error.filename, error.strerror or error) if part) + ".")
    except ValueError as error:
        # Only settings raise pydantic's errors here; the attribute tells without importing pydantic.
        faults: list[JsonObject] = getattr(error, "errors", list)()
        lines = [f"arena: ARENA_{str(fault['loc'][0]).upper()}: {fault['msg']}" for fault in faults if fault["loc"]]
        if not lines:
            raise
        sys.exit("\n".join(lines))


def serve_by_default() -> None:
    """`battle-arena`: `arena`, and `arena serve` where no command is given, as in `uvx battle-arena --port 8080`."""
    word = next(iter(sys.argv[1:]), "-")
    if word.startswith("-") and word != "--help":
        sys.argv.insert(1, "serve")
    main()
