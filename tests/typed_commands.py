"""Command lines `arena …` in documents and scripts, read by the command's own parser and not run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final
from unittest.mock import patch

from typer.core import TyperCommand

from arena.serving.commands import COMMANDS
from tests.cli.commands import run

START: Final = re.compile(rf"(?<![\w./-])arena (?=(?:{'|'.join(COMMANDS)})\b)")
WORDS: Final = re.compile(r"""(?:[^"'`#|;<>&…\\]|"[^"]*"|'[^']*')*""")
"""A command line up to a comment, or to what the shell reads itself."""
NUMBERS: Final = re.compile(r"\b(?:NUMBER|VERSION|N)\b")
"""What stands for a number in the documents."""
ABSENT: Final = re.compile(r"(?i)(file|path|directory) '([^']+)' does not exist")
"""What the parser says of a file that is not here."""
PRESENT: Final = {"file": __file__, "path": __file__, "directory": str(Path(__file__).parent)}


def command_lines(code: str) -> list[str]:
    """What follows `arena` in each command line of a piece of code."""
    joined = code.replace("\\\n", " ")
    return [WORDS.match(joined[found.end() :].partition("\n")[0])[0].strip() for found in START.finditer(joined)]


def fault(line: str) -> str:
    """What the parser says against a command line; nothing if it could be run where its files are."""
    words = shlex.split(NUMBERS.sub("1", line))
    with patch.object(TyperCommand, "invoke", lambda *_: None, create=True):
        while absent := ABSENT.search((result := run(*words)).stderr):
            present = PRESENT[absent[1].lower()]
            words = [present if word == absent[2] else word for word in words]
    return result.stderr.strip() or result.stdout.strip() if result.returncode else ""
