r"""Prompts of TencentLLMEval's sheets: turns of a dialogue, or one text.

A literal `\n` in a cell is a line break, except in a dialogue, where it separates turns. The English sheet and the task
trees number turns instead (`Q1: …`, `问题 1 ----`), or quote them one after the other.
"""

from __future__ import annotations

import re
from typing import Final

from arena.adapters.row_files.rows import Unusable

AREAS: Final = frozenset({"对话", "dialogue"})
"""Areas whose prompts are dialogues, in lower case."""
_BREAK: Final = "\\n"
_MARK: Final = re.compile(
    r"""
    (?: ^[^\S\n]* | (?<=[\s,，;；:：.。?？!！"”]) )
    (?P<kind> [QA] | Question\ * | 问题\ * ) (?P<number> \d{1,2} ) (?!\d)
    (?: \s*[:：] | \s*(?=["“]) | [^\S\n]*\n | \s*-{3,} )
    """,
    re.VERBOSE | re.MULTILINE,
)
_END: Final = re.compile(r"(?<!\s)(?<!\\n)(?:\s|\\n)++\Z")
_QUOTED: Final = re.compile(r'\s*(?:"([^"]+)"|“([^“”]+)”)[\s,，;；、:：]*')


def one_text(cell: str) -> str:
    r"""The text of a cell; a literal `\n` becomes a line break."""
    return cell.replace(_BREAK, "\n")


def turns(cell: str) -> list[str]:
    r"""The turns of a dialogue: numbered, quoted, or separated by a literal `\n`; one turn without such a mark.

    Raises:
        Unusable: It mixes two kinds of marks, or the numbers are not consecutive.
    """
    parts = _split_numbers(cell) or _split_list(cell)
    if not parts:
        return [part for part in cell.split(_BREAK) if part.strip()] or [cell]
    results = [_END.sub("", turn) for turn in map(_unquote, parts)]
    if mixed_turn := next((turn for turn in results if _BREAK in turn), None):
        problem = f"dialogue: marks of turns and a literal {_BREAK} in one cell: {mixed_turn[:40]!r}"
        raise Unusable(problem, rule="form", column="prompt")
    return results


def _split_numbers(cell: str) -> list[str]:
    """The texts after marks of one kind, numbered from 1; text before the first mark belongs to the first turn."""
    marks = list(_MARK.finditer(cell))
    kinds, numbers = {mark["kind"].strip() for mark in marks}, [int(mark["number"]) for mark in marks]
    if 1 not in numbers:
        return []
    if len(kinds) > 1 or numbers != list(range(1, len(marks) + 1)):
        problem = f"dialogue: turns are not numbered from 1 on: {', '.join(mark[0].strip() for mark in marks)}"
        raise Unusable(problem, rule="form", column="prompt")
    ends = [*(mark.start() for mark in marks[1:]), len(cell)]
    texts = [cell[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
    return [f"{cell[: marks[0].start()].strip()}\n{texts[0]}".strip(), *texts[1:]]


def _split_list(cell: str) -> list[str]:
    """Two or more quoted texts with only punctuation between them."""
    marks: list[str] = []
    end = 0
    while mark := _QUOTED.match(cell, end):
        marks.append(mark[0])
        end = mark.end()
    return marks if len(marks) > 1 and end == len(cell) else []


def _unquote(text: str) -> str:
    mark = _QUOTED.fullmatch(text)
    return (mark[1] or mark[2]).strip() if mark else text
