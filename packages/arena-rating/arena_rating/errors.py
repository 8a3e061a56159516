"""Errors of the rating library: bad inputs and failed fits."""

from __future__ import annotations


class RatingError(ValueError):
    """Base class of every error that this library raises."""


class BadComparisons(RatingError):
    """The columns are not a log of comparisons; the message names the first bad row, counted from 0."""


class BadParameters(RatingError):
    """A parameter, seed or number of rounds outside its range."""


class Unbounded(RatingError):
    """Without a prior the likelihood has no finite maximum: a group never lost, or never won, against the rest."""


class NotConverged(RatingError):
    """The solver stopped before its gradient vanished; an error is better than a wrong result."""
