"""Typer applications with the same options for all groups of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from typer._click.core import Context


class DefaultGroup(TyperGroup):
    """A group whose command `board` runs where none is named, so that a file may follow the group's own name."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args if args[:1] and args[0] in self.commands else ["board", *args])


def command_group(text: str, **options: Any) -> typer.Typer:
    """A group of commands with this help text.

    Help is plain text: drawing it with Rich takes as much time as all the rest of `arena --help`.
    """
    defaults: dict[str, Any] = {"add_completion": False, "no_args_is_help": True, "rich_markup_mode": None}
    return typer.Typer(help=text, pretty_exceptions_enable=False, **defaults | options)
