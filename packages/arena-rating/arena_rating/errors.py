"""Errors of the rating library: invalid input and failed fits."""

from __future__ import annotations


class RatingError(ValueError):
    """Base class of every error that this library raises."""


class BadComparisons(RatingError):
    """The columns are no valid log of comparisons; the message names the first invalid row, counted from 0."""


class BadParameters(RatingError):
    """A parameter, seed or number of rounds outside its range."""


class Unbounded(RatingError):
    """Without a prior the likelihood has no finite maximum: a group took every point, or none, from the others."""


class NotConverged(RatingError):
    """The solver stopped before its gradient vanished."""
