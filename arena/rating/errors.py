"""What can be wrong with an input or a fit."""

from __future__ import annotations


class RatingError(ValueError):
    """Any refusal of this library."""


class BadComparisons(RatingError):
    """The columns are not a log of comparisons; the message names the first bad row, counted from 0."""


class BadParameters(RatingError):
    """A parameter, seed or number of rounds outside its range."""


class Unbounded(RatingError):
    """Without a prior the likelihood has no finite maximum: somebody never lost, or never won, against the rest."""


class NotConverged(RatingError):
    """The solver stopped before its gradient vanished; no result is better than a wrong one."""
