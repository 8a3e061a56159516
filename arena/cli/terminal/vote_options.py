"""Options of commands that read votes from a file and rate them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from arena.domain.terms import Format

FILE_HELP = "Votes of an arena, Open WebUI's feedback, Chatbot Arena's battles, or CSV; may be gzipped."
Left = Annotated[str | None, typer.Option(help="CSV: column with the left model's name, if it has no usual one.")]
Right = Annotated[str | None, typer.Option(help="CSV: column with the right model's name.")]
Winner = Annotated[str | None, typer.Option(help="CSV: column with left, right, tie, both_bad or a model's name.")]
Voter = Annotated[str | None, typer.Option(help="CSV: column with the voter.")]
Kind = Annotated[Format | None, typer.Option("--format", help="Format, if it cannot be told from name and content.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first bad row.")]


class Preset(StrEnum):
    """Named parameters of Elo."""

    PUBLISHED = "published"
    TENCENT = "tencent"
    LLMEVAL = "llmeval"


class Weights(StrEnum):
    """Named weights of votes."""

    INVERSE = "inverse-probability"
