"""The Typer applications of the command line: groups of commands that look alike."""

from __future__ import annotations

from typing import Any

import typer


def command_group(text: str, **options: Any) -> typer.Typer:
    """A group of commands with this help text.

    Help is plain text: drawing it with Rich takes as much time as all the rest of `arena --help`.
    """
    looks: dict[str, Any] = {"add_completion": False, "no_args_is_help": True, "rich_markup_mode": None}
    return typer.Typer(help=text, pretty_exceptions_enable=False, **looks | options)
