"""Comparison of corrections of the cluster-robust sandwich, from dense matrices.

A cluster's scores u become (1 - A H^-1)^-k u, with A its part of H: k = 0 is CR1, times G / (G - 1); k = 1/2 is CR2,
unbiased for independent votes (Bell and McCaffrey 2002); k = 1 is CR3, times (G - 1) / G. Quantiles are normal, or
Student's t with G - 1 or Satterthwaite's degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final, cast

import numpy as np
import typer

from arena_rating import ClusteredRows, bradley_terry, clustered, pair_counts
from arena_rating.student import student_quantile
from benchmarks.coverage import MODELS, World, covered_share, draw_outcomes, projection, shares
from benchmarks.results import Row

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_rating import BradleyTerry, Comparisons

    Array = NDArray[np.float64]

POWERS: Final = {"CR1": 0.0, "CR2": 0.5, "CR3": 1.0}
_POINTS: Final = np.array([1.0, 0.0, 0.5, 0.5])
_PRIOR: Final = 0.1
WORLDS: Final = (World(20, 1.0, equal=True), World(40, 1.0, equal=True), World(40, 1.0, equal=False))
"""Worlds with few and large clusters, where the corrections differ."""


def measure(
    worlds: Annotated[int, typer.Option(min=1, help="Logs drawn of each kind.")] = 300,
    seed: Annotated[int, typer.Option(help="Seed of the first log.")] = 0,
) -> Iterator[Row]:
    """Coverage of 95 % intervals where clusters are few and large, by the correction and the quantile."""
    yield from shares(WORLDS, one_log, worlds, seed)


def one_log(world: World, rng: np.random.Generator) -> dict[str, float]:
    """The share of models whose interval by voter covers the truth, by correction and quantile."""
    strength = rng.permutation(np.linspace(-1.0, 1.0, MODELS))
    log, _ = draw_outcomes(world, strength, rng)
    counts = pair_counts(log)
    fit = bradley_terry(counts)
    truth = projection(strength, world.taste)
    goal = 1000 + fit.unit * (truth - counts.battles.sum(axis=1) @ truth / counts.battles.sum())
    robust = clustered(fit, ClusteredRows.of(log), counts).fit
    rows = {"as the board has it": covered_share(robust.low, robust.high, goal)}
    for name, half in halves(log, fit).items():
        rows[name] = covered_share(fit.rating - half, fit.rating + half, goal)
    return rows


def halves(log: Comparisons, fit: BradleyTerry) -> dict[str, Array]:
    """Half widths of 95 % intervals in points [m], by correction and quantile; each voter is a cluster."""
    terms = _terms(log, fit)
    clusters = len(np.unique(log.voter)) if log.voter is not None else len(log)
    results: dict[str, Array] = {}
    for name, power in POWERS.items():
        moves = fit.unit * _moves(terms, power)
        squares = (moves**2).sum(axis=0)
        scale = {0.0: clusters / (clusters - 1), 1.0: (clusters - 1) / clusters}.get(power, 1.0)
        error = np.sqrt(scale * squares)
        freedom = np.maximum(3 * squares**2 / (moves**4).sum(axis=0) - 2, 1.0)
        for quantile, degrees in (("normal", np.inf), ("t of G - 1", clusters - 1.0), ("t of Satterthwaite", freedom)):
            results[f"{name}, {quantile}"] = student_quantile(fit.level, np.full(len(error), degrees)) * error
    return results


def _terms(log: Comparisons, fit: BradleyTerry) -> tuple[Array, Array, Array, Array]:
    """Scores [G, m] and information [G, m, m] by cluster, H^-1 [m, m], and the centring matrix [m, m]."""
    design = np.eye(len(log.names))[log.left] - np.eye(len(log.names))[log.right]
    chance = 1 / (1 + np.exp(-design @ fit.strength))
    win = 1 / (1 + np.exp(-fit.strength))
    residual, spread = _POINTS[log.outcome] - chance, chance * (1 - chance)
    voters = [log.voter == voter for voter in np.unique(log.voter)] if log.voter is not None else []
    score = np.array([design[rows].T @ residual[rows] for rows in voters])
    part = np.array([design[rows].T @ (design[rows] * spread[rows, None]) for rows in voters])
    battles: Array = np.abs(design).sum(axis=0)
    centre: Array = np.eye(len(battles)) - battles / battles.sum()
    hessian: Array = part.sum(axis=0) + np.diag(_PRIOR * win * (1 - win))
    return score, part, cast("Array", np.linalg.inv(hessian)), centre


def _moves(terms: tuple[Array, Array, Array, Array], power: float) -> Array:
    """The contribution of each cluster to each centred strength, [G, m]."""
    score, part, inverse, centre = terms
    values, vectors = np.linalg.eigh(inverse)
    root = (vectors * np.sqrt(values)) @ vectors.T
    share, axes = np.linalg.eigh(np.eye(len(root)) - root @ part @ root)
    moves = axes * np.maximum(share, 1e-9)[:, None, :] ** -power @ axes.transpose(0, 2, 1)
    return (centre @ root @ moves @ root @ score[..., None])[..., 0]
