"""CSV files (comma, semicolon or tab) whose columns the caller names."""

from __future__ import annotations

import csv
import json
from itertools import chain
from typing import TYPE_CHECKING, Final

from arena.errors import Invalid
from arena.exchange import fields
from arena.exchange.objects import ROW_LIMIT
from arena.exchange.rows import Columns, Format, Ids, ImportedVote, Unusable, Voters, each
from arena.terms import Outcome

if TYPE_CHECKING:
    from _csv import Reader as _Reader
    from collections.abc import Iterator
    from typing import TextIO

    from arena.exchange.rows import BadRow

_DELIMITERS: Final = ",;\t"
_NAMED: Final = 30


def votes(text: TextIO, columns: Columns | None) -> Iterator[ImportedVote | BadRow]:
    """Read rows below a header; `text` keeps its line ends and has surrogates for bytes that are not UTF-8.

    Raises:
        Invalid: A column that is needed is not there; the detail names those that are.
    """
    # Answers stand in such files too, and the limit of 128 KiB per cell is one for the whole process.
    csv.field_size_limit(ROW_LIMIT)
    first = text.readline(ROW_LIMIT)
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(chain([first], text), delimiter=delimiter, strict=True)
    places = _Places(_header(reader), columns)
    ids, voters = Ids(Format.CSV), Voters(Format.CSV)

    def parse(line: int, row: list[str] | Unusable) -> ImportedVote:
        return places.vote(line, row, ids, voters)

    return each(_rows(reader), parse)


def _header(reader: Iterator[list[str]]) -> list[str]:
    try:
        return next(reader, [""])
    except csv.Error as error:
        raise Invalid(f"The line with the names of the columns is not CSV: {error}.") from None


def _rows(reader: _Reader) -> Iterator[tuple[int, list[str] | Unusable]]:
    """Rows and the line on which each starts; a quoted cell may go on over several lines."""
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, Unusable(f"not CSV: {error}")
            continue
        if row:
            yield line, row


class _Places:
    """Where in a row the named columns stand."""

    def __init__(self, header: list[str], columns: Columns | None) -> None:
        there = ", ".join(fields.shown(name) for name in header[:_NAMED]) or "none"
        if columns is None:
            raise Invalid(f"Name the columns with --left, --right and --winner; there are: {there}.")
        wanted = [name for name in (columns.left, columns.right, columns.winner, columns.voter) if name is not None]
        if missing := [name for name in wanted if name not in header]:
            raise Invalid(f"No column {', '.join(fields.shown(name) for name in missing)}; there are: {there}.")
        if twice := [name for name in wanted if header.count(name) > 1]:
            raise Invalid(f"More than one column {fields.shown(twice[0])}; there are: {there}.")
        self._header = header
        self._columns = columns
        self._left, self._right, self._winner = (
            header.index(name) for name in (columns.left, columns.right, columns.winner)
        )
        self._voter = None if columns.voter is None else header.index(columns.voter)

    def vote(self, line: int, row: list[str] | Unusable, ids: Ids, voters: Voters) -> ImportedVote:
        """The vote that one row stands for. Its id depends on all cells, so other options do not import it again."""
        cells = self._whole(row)
        a, b = fields.names(cells[self._left], cells[self._right], (self._columns.left, self._columns.right))
        outcome = _outcome(cells[self._winner], a, b, self._columns.winner)
        voter = None
        if self._voter is not None and self._columns.voter is not None:
            voter = fields.voter(cells[self._voter], self._columns.voter)
        vote_id = ids.next(json.dumps(sorted(zip(self._header, cells, strict=True))))
        return ImportedVote(line=line, id=vote_id, a=a, b=b, outcome=outcome, voter=voters.key(voter, vote_id))

    def _whole(self, row: list[str] | Unusable) -> list[str]:
        if isinstance(row, Unusable):
            raise row
        if len(row) != len(self._header):
            raise Unusable(f"{len(row)} cells where the header has {len(self._header)}")
        if any("\udc80" <= character <= "\udcff" for cell in row if not cell.isascii() for character in cell):
            raise Unusable("not UTF-8")
        return row


def _outcome(cell: str, a: str, b: str, field: str) -> Outcome:
    """A word for the winner or the winner's own name; a model may be called like such a word, and then nobody knows."""
    said = fields.required(cell, field, fields.NAME_LIMIT)
    named = {a: Outcome.A, b: Outcome.B}.get(said)
    if named is None:
        return fields.winner(said, field)
    if fields.winner_word(said) not in {None, named}:
        raise Unusable(f"{field}: {fields.shown(said)} is the name of one model and a word for another outcome")
    return named
