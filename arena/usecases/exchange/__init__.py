"""Votes as files: read other people's and our own, keep them in the log, write the log out without any text."""

from arena.adapters.row_files.rows import BadRow
from arena.usecases.exchange.imported_votes import ColumnNames, ImportedVote
from arena.usecases.exchange.importer import Added, import_votes
from arena.usecases.exchange.reader import read_votes
from arena.usecases.exchange.writer import export_endpoint, export_file, export_pages, export_votes, lines

__all__ = (
    "Added",
    "BadRow",
    "ColumnNames",
    "ImportedVote",
    "export_endpoint",
    "export_file",
    "export_pages",
    "export_votes",
    "import_votes",
    "lines",
    "read_votes",
)
