"""Scores of evaluations as predictors of what people choose in the arena."""
