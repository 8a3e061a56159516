"""CSV files (comma, semicolon or tab) whose columns the caller names."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel

from arena.adapters.row_files import csv_rows
from arena.adapters.row_files.rows import Unusable, shown
from arena.domain.errors import Invalid
from arena.domain.terms import Format, Outcome
from arena.usecases.exchange import fields
from arena.usecases.exchange.imported_rows import Columns, Ids, ImportedVote, Voters, each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from arena.adapters.row_files.rows import BadRow

_NAMED: Final = 30


class _Cells(BaseModel):
    left: fields.Name
    right: fields.Name
    winner: fields.Name
    voter: fields.Voter = None


def votes(text: TextIO, columns: Columns | None) -> Iterator[ImportedVote | BadRow]:
    """Read rows below a header; `text` keeps its line ends and has surrogates for bytes that are not UTF-8.

    Raises:
        Invalid: A column that is needed is not there; the detail names those that are.
    """
    header, rows = csv_rows.opened(text)
    places = _Places(header, columns)
    ids, voters = Ids(Format.CSV), Voters(Format.CSV)

    def parse(line: int, row: list[str] | Unusable) -> ImportedVote:
        return places.vote(line, row, ids, voters)

    return each(rows, parse)


class _Places:
    """Indices of the named columns."""

    def __init__(self, header: list[str], columns: Columns | None) -> None:
        there = ", ".join(shown(name) for name in header[:_NAMED]) or "none"
        if columns is None:
            raise Invalid(f"Name the columns with --left, --right and --winner; there are: {there}.")
        wanted = [name for name in (columns.left, columns.right, columns.winner, columns.voter) if name is not None]
        if missing := [name for name in wanted if name not in header]:
            raise Invalid(f"No column {', '.join(shown(name) for name in missing)}; there are: {there}.")
        if twice := [name for name in wanted if header.count(name) > 1]:
            raise Invalid(f"More than one column {shown(twice[0])}; there are: {there}.")
        self._header = header
        self._names = {role: name for role, name in asdict(columns).items() if name is not None}
        self._indices = {role: header.index(name) for role, name in self._names.items()}

    def vote(self, line: int, row: list[str] | Unusable, ids: Ids, voters: Voters) -> ImportedVote:
        """The vote that one row stands for. Its id depends on all cells, so other options do not import it again."""
        cells = csv_rows.whole(row, self._header)
        vote = fields.parsed(_Cells, {role: cells[index] for role, index in self._indices.items()}, self._names)
        fields.check_different(vote.left, vote.right, (self._names["left"], self._names["right"]))
        vote_id = ids.next(json.dumps(sorted(zip(self._header, cells, strict=True))))
        return ImportedVote(
            line=line,
            id=vote_id,
            a=vote.left,
            b=vote.right,
            outcome=_outcome(vote, self._names["winner"]),
            voter=voters.key(vote.voter, vote_id),
        )


def _outcome(row: _Cells, column: str) -> Outcome:
    """From a word for the winner or the winner's own name; ambiguous if a model is named like such a word."""
    word = fields.winner_word(row.winner)
    named = {row.left: Outcome.A, row.right: Outcome.B}.get(row.winner)
    outcome = named or word
    if outcome is None:
        raise Unusable(f"{column}: {fields.REASONS['winner']}: {shown(row.winner)}")
    if word not in {None, outcome}:
        raise Unusable(f"{column}: {shown(row.winner)} is the name of one model and a word for another outcome")
    return outcome
