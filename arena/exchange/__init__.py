"""Votes as files: read other people's and our own, keep them in the log, write the log out without any text."""

from arena.exchange.keeping import Added, import_votes
from arena.exchange.reading import read_votes
from arena.exchange.rows import BadRow, Columns, Format, ImportedVote
from arena.exchange.writing import export_endpoint, export_file, export_pages, export_votes, lines

__all__ = (
    "Added",
    "BadRow",
    "Columns",
    "Format",
    "ImportedVote",
    "export_endpoint",
    "export_file",
    "export_pages",
    "export_votes",
    "import_votes",
    "lines",
    "read_votes",
)
