"""Formats of question files: which one a file has, and its rows as fields of a question."""

from arena.evaluations.usecases.sets.formats.fields import PLANNED
from arena.evaluations.usecases.sets.formats.registry import Contents, contents, facts_of

__all__ = ("PLANNED", "Contents", "contents", "facts_of")
