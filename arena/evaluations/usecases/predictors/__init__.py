"""Predictions of boards by scores of evaluations."""
