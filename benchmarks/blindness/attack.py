"""The attacker: timing features of a battle, and the accuracy of a classifier of a side or of the pair.

It is trained on battles with known models and tested on others. Answers have equal length, so that only timing carries
information.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.domain.errors import Unavailable
from arena.domain.terms import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from benchmarks.blindness.battles import Seen

    Numbers = NDArray[np.float64]
    Names = NDArray[np.int64]
    Attacker = Callable[[Numbers, Names, Numbers], Names]

FOLDS: Final = 4
SECONDS: Final = 15
"""Seconds after the first text whose rates are features."""
TREES: Final = 100
_GAP: Final = 0.15


FEATURES: Final = "start, end, sizes, gaps, characters of each second; the words withheld"


@dataclass(frozen=True, slots=True)
class Right:
    """Numbers of correctly classified sides and pairs."""

    side: int
    pair: int


def features(battle: Seen) -> list[list[float]]:
    """A row per side: its timing, then the other side's."""
    times = {side: _times(battle.pieces[side], battle.end) for side in Side}
    return [times[side] + times[side.other] for side in Side]


def _times(pieces: Sequence[tuple[float, int]], end: float) -> list[float]:
    """Start, end, sizes, gaps, and the characters of each second."""
    moments, sizes = np.array([moment for moment, _ in pieces]), np.array([float(size) for _, size in pieces])
    gaps = np.append(np.diff(moments), 0.0)
    seconds = np.minimum(moments - moments[0], SECONDS - 1).astype(int)
    return [
        *(moments[0], moments[-1], end, end - moments[-1], float(len(pieces))),
        *(sizes.mean(), sizes.std(), sizes.max(), gaps.max(), gaps.mean(), gaps.std(), float((gaps > _GAP).sum())),
        *np.bincount(seconds, weights=sizes, minlength=SECONDS),
    ]


def centroid(examples: Numbers, names: Names, unknown: Numbers) -> Names:
    """Nearest centroid on standardised features."""
    mean, scale = examples.mean(axis=0), examples.std(axis=0)
    scale[scale < 1e-9] = np.inf  # a constant feature carries no information
    labels = np.unique(names)
    centres = np.array([((examples[names == name] - mean) / scale).mean(axis=0) for name in labels])
    distance = (((unknown - mean) / scale)[:, None] - centres) ** 2
    return labels[distance.sum(axis=2).argmin(axis=1)]


def forest(examples: Numbers, names: Names, unknown: Numbers) -> Names:
    """Random forest."""
    model: Any = import_module("sklearn.ensemble").RandomForestClassifier(TREES, min_samples_leaf=3, random_state=1)
    return model.fit(examples, names).predict(unknown)


def check_installed() -> None:
    """Check for scikit-learn.

    Raises:
        Unavailable: It is not installed; says how to install it.
    """
    if find_spec("sklearn") is None:
        raise Unavailable("the forest needs scikit-learn: uv sync --group bench, or pip install scikit-learn")


def attack_battles(attacker: Attacker, battles: Sequence[Seen]) -> Right:
    """Cross-validate an attacker on these battles."""
    return Right(*(_count_right(attacker, *rows, len(battles)) for rows in (_sides(battles), _pairs(battles))))


def _count_right(attacker: Attacker, data: Numbers, names: Names, battles: int) -> int:
    """Correctly classified rows; the one or two rows of a battle are never split between training and test set."""
    part = np.repeat(np.arange(battles) % FOLDS, len(names) // battles)
    right = 0
    for is_tested in (part == number for number in range(FOLDS)):
        right += int((attacker(data[~is_tested], names[~is_tested], data[is_tested]) == names[is_tested]).sum())
    return right


def _sides(battles: Sequence[Seen]) -> tuple[Numbers, Names]:
    """Features and labels with a row for each side of each battle."""
    return np.array([row for battle in battles for row in features(battle)]), np.array(
        [number for battle in battles for number in battle.pair]
    )


def _pairs(battles: Sequence[Seen]) -> tuple[Numbers, Names]:
    """Features and labels with a row for each battle; the label is the unordered pair."""
    names = [min(battle.pair) * 1000 + max(battle.pair) for battle in battles]
    return np.array([features(battle)[0] for battle in battles]), np.array(names)
