"""Formats of question files: which one a file has, and its rows as fields of a question."""

from arena.usecases.question_sets.formats.registry import Contents, contents, facts_of

__all__ = ("Contents", "contents", "facts_of")
