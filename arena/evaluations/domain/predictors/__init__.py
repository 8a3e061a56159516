"""Scores of evaluations as predictors of what people choose in the arena: correlations, and the best linear mix."""

from arena.evaluations.domain.predictors.correlations import ROUNDS, Correlation, Correlations, correlations, variation
from arena.evaluations.domain.predictors.mix import EXPLORATORY_BELOW, Mix, best_mix
from arena.evaluations.domain.predictors.report import Prediction, Predictor, predict

__all__ = [
    "EXPLORATORY_BELOW",
    "ROUNDS",
    "Correlation",
    "Correlations",
    "Mix",
    "Prediction",
    "Predictor",
    "best_mix",
    "correlations",
    "predict",
    "variation",
]
