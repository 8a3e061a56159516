"""Formats of question files: detection, and parsing of rows to fields of a question."""

from arena.evaluations.usecases.sets.formats.fields import PLANNED
from arena.evaluations.usecases.sets.formats.registry import Contents, contents, facts_of

__all__ = ("PLANNED", "Contents", "contents", "facts_of")
