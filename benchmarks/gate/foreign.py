"""The gate on logs made elsewhere: a folder for each, with `honest.jsonl` and the same log under attack.

Rows of `attacked.jsonl` whose voter is not in `honest.jsonl` are hostile. `about.json` may name the `target`; without
it the target is the model that moves most without the gate.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arena.adapters.row_files.row_file import open_rows
from arena.adapters.row_files.rows import mapping
from arena.usecases.integrity.gate_result import judge_votes
from arena.usecases.integrity.vote_file import read_cast_votes
from arena_trust.integrity.simulation.trial import ratings
from benchmarks.processes import NotMeasured
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes


@dataclass(frozen=True, slots=True)
class ForeignTrial:
    """Result of the gate on a log made elsewhere.

    Attributes:
        name: Its folder.
        target: The model that is attacked.
        undefended: Shift of the target without the gate, in points.
        gated: Shift of the target behind the gate.
        lost: Honest votes that do not count, in per cent.
        left: Hostile votes that count, in per cent.
        bound: Points by which the gate calls the target contested, nan if it does not.
        others: Number of other contested models.
    """

    name: str
    target: str
    undefended: float
    gated: float
    lost: float
    left: float
    bound: float
    others: int


def measure_foreign(folder: Path) -> Iterator[Row]:
    """Rows of each log below a folder, and the summary of all.

    Raises:
        NotMeasured: There is no log.
    """
    trials: list[ForeignTrial] = []
    for path in sorted(folder.rglob("attacked.jsonl")):
        result = trial_of(path.parent, str(path.parent.relative_to(folder)))
        trials.append(result)
        contested = "" if math.isnan(result.bound) else f"contested by {result.bound:.0f} points"
        figures = {"undefended": result.undefended, "honest lost %": result.lost, "hostile left %": result.left}
        yield Row(result.name, f"shift of {result.target}, gated", result.gated, "points", "", contested, figures)
    if not trials:
        raise NotMeasured(f"{folder}: no folder below it has honest.jsonl and attacked.jsonl")
    yield from _summary(trials)


def _summary(trials: list[ForeignTrial]) -> Iterator[Row]:
    harm = max(trials, key=lambda result: abs(result.gated) - abs(result.undefended))
    for name, column in (("undefended", "undefended"), ("gated", "gated")):
        shifts = [abs(getattr(result, column)) for result in trials]
        yield Row("all", f"shift of the target, {name}, median", float(np.median(shifts)), "points")
    worst = abs(harm.gated) - abs(harm.undefended)
    yield Row("all", "most harm by the gate", worst, "points", "≤ 3", f"in {harm.name}")
    yield Row("all", "honest votes lost, worst", max(result.lost for result in trials), "%", "≤ 3")
    logs = sum(not math.isnan(result.bound) or result.others > 0 for result in trials)
    yield Row("all", "logs with a contested model", 100 * logs / len(trials), "%")


def trial_of(folder: Path, name: str) -> ForeignTrial:
    """The gate on the log of a folder.

    Raises:
        NotMeasured: A file is missing or has no votes.
    """
    honest, attacked = (_read(folder / f"{kind}.jsonl") for kind in ("honest", "attacked"))
    is_hostile = _hostile(folder)
    result = judge_votes(attacked)
    if len(is_hostile) != len(attacked) or not len(honest):
        raise NotMeasured(f"{folder}: the files have bad rows or none")
    before = dict(zip(honest.names, ratings(honest).tolist(), strict=True))
    shifts = [
        {name: rating - before.get(name, math.nan) for name, rating in zip(attacked.names, board.tolist(), strict=True)}
        for board in (ratings(attacked), ratings(attacked, result.verdict.weight))
    ]
    about = folder / "about.json"
    target = json.loads(about.read_text())["target"] if about.is_file() else _largest(shifts[0])
    weight, bounds = result.verdict.weight, result.verdict.bounds
    return ForeignTrial(
        name,
        target,
        shifts[0][target],
        shifts[1][target],
        100 * (1 - float(weight[~is_hostile].mean())),
        100 * float(weight[is_hostile].mean()) if is_hostile.any() else 0.0,
        bounds.get(target, math.nan),
        len(set(bounds) - {target}),
    )


def _largest(shifts: dict[str, float]) -> str:
    return max(shifts, key=lambda name: abs(np.nan_to_num(shifts[name])))


def _read(path: Path) -> CastVotes:
    if not path.is_file():
        raise NotMeasured(f"{path}: no such file")
    return read_cast_votes(path)[0]


def _hostile(folder: Path) -> NDArray[np.bool_]:
    """Whether each vote of the attacked log, by number, is of a voter who is not in the honest one."""
    honest = {voter for _, voter in _voters(folder / "honest.jsonl")}
    return np.array([voter not in honest for _, voter in sorted(_voters(folder / "attacked.jsonl"))], np.bool_)


def _voters(path: Path) -> list[tuple[int, str]]:
    with open_rows(path) as file:
        rows = [mapping(value) for _, value in file.json_lines()]
    return [(int(str(row["number"])), str(row["voter"])) for row in rows]
