"""Sets of questions as values: their file, what distinguishes two versions, and their tree."""

from arena.domain.questions.canonical import FORMAT, digest, lines
from arena.domain.questions.difference import Difference, difference
from arena.domain.questions.tree import tree

__all__ = ("FORMAT", "Difference", "difference", "digest", "lines", "tree")
