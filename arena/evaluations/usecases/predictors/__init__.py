"""Whether scores of evaluations predict a board: their files, and the report."""

from arena.evaluations.usecases.predictors.score_file import read_scores

__all__ = ["read_scores"]
