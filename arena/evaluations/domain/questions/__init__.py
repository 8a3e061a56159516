"""Sets of questions as values: their file, what distinguishes two versions, and their tree."""

from arena.evaluations.domain.questions.canonical import FORMAT, digest, lines
from arena.evaluations.domain.questions.difference import Difference, difference
from arena.evaluations.domain.questions.tree import tree

__all__ = ("FORMAT", "Difference", "difference", "digest", "lines", "tree")
