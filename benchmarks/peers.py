"""The same jobs by peers; run as a module with the folder of the log and FastChat's file or "".

It imports only numpy, and a peer at its first job, so that any Python with the peers can run it. The input is prepared
before the measurement: integer columns for compiled cores, otherwise a data frame.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import data
from benchmarks.jobs import Job, answer
from benchmarks.processes import NotMeasured

if TYPE_CHECKING:
    from types import ModuleType

_WORDS = np.array(["model_a", "model_b", "tie", "both_bad"])
_POINTS = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5, "both_bad": 0.5}
_WINS = _POINTS | {"both_bad": 0.0}
_OTHER_SIDE = {"model_a": "model_b", "model_b": "model_a", "tie": "tie", "both_bad": "both_bad"}
_CORE = (1.0, 0.5)
_TOLERANCE, _LIMIT = 1e-6, 100


class Evalica:
    """evalica's compiled core on integer columns."""

    def __init__(self, log: data.Data) -> None:
        self._core: Any = importlib.import_module("evalica._brzo")
        self._columns = lru_cache(maxsize=2)(partial(_evalica_columns, log))

    def elo(self, votes: int, orders: int) -> None:
        """Elo over shuffled columns, one permutation per order."""
        rng, (xs, ys, winners, ones) = np.random.default_rng(1), self._columns(votes)
        for _ in range(orders):
            order = rng.permutation(votes)
            self._core.elo(
                xs[order], ys[order], winners[order], ones, data.COMPETITORS, 1000.0, 10.0, 400.0, 4.0, *_CORE
            )

    def bootstrap(self, votes: int, rounds: int) -> None:
        """Bradley-Terry on rows drawn with replacement."""
        rng, (xs, ys, winners, ones) = np.random.default_rng(1), self._columns(votes)
        for _ in range(rounds):
            rows = rng.integers(0, votes, votes)
            self._core.bradley_terry(
                xs[rows], ys[rows], winners[rows], ones, data.COMPETITORS, *_CORE, _TOLERANCE, _LIMIT
            )


class FastChat:
    """FastChat's functions from its file `rating_systems.py`."""

    def __init__(self, log: data.Data, file: str) -> None:
        self._code: Any = _module(file)
        self._log = log
        self._frame = lru_cache(maxsize=2)(partial(_frame, log))

    def elo(self, votes: int, orders: int) -> None:
        """Elo of all orders at once, vectorised, from integer columns."""
        rng, part = np.random.default_rng(1), self._log.head(votes)
        index = np.column_stack([rng.permutation(votes) for _ in range(orders)])
        matchups = np.column_stack([part.left, part.right])
        self._code.fit_vectorized_elo(matchups, _scores(part), index, data.COMPETITORS)

    def elo_bootstrap(self, votes: int, orders: int) -> None:
        """Bootstrapped Elo as published: rows with replacement."""
        self._code.compute_bootstrap_elo(self._frame(votes), orders)

    def bradley_terry(self, votes: int, _: int) -> None:
        """Bradley-Terry from a data frame, without intervals."""
        self._code.compute_bt(self._frame(votes))

    def bootstrap(self, votes: int, rounds: int) -> None:
        """Bootstrapped Bradley-Terry from a data frame, in a process pool."""
        self._code.compute_bootstrap_bt(self._frame(votes), rounds)

    def style(self, votes: int, _: int) -> None:
        """Only the fit, from integer columns and standardised features."""
        part = self._log.head(votes)
        matchups, features = np.column_stack([part.left, part.right]), np.asarray(part.features)
        self._code.fit_contextual_bt(matchups, features, _scores(part), range(data.COMPETITORS))


class ArenaRank:
    """arena-rank on data frames, with its sandwich intervals."""

    def __init__(self, log: data.Data) -> None:
        self._module: Any = importlib.import_module("arena_rank.models.bradley_terry")
        self._contextual: Any = importlib.import_module("arena_rank.models.contextual_bradley_terry")
        self._sets: Any = importlib.import_module("arena_rank.utils.data_utils")
        self._frame = lru_cache(maxsize=2)(partial(_frame, log, features=True))

    def bradley_terry(self, votes: int, _: int) -> None:
        """From a data frame to intervals."""
        pairs = self._sets.PairDataset.from_pandas(self._frame(votes))
        self._module.BradleyTerry(len(pairs.competitors)).compute_ratings_and_cis(pairs)

    def style(self, votes: int, _: int) -> None:
        """From a data frame to intervals."""
        names = [f"f{number}" for number in range(data.FEATURES)]
        pairs = self._sets.ContextualPairDataset.from_pandas(self._frame(votes), feature_cols=names)
        model = self._contextual.ContextualBradleyTerry(len(pairs.competitors), data.FEATURES)
        model.compute_ratings_and_cis(pairs)


class Pandas:
    """pandas on categorical columns: points, win rates and win matrix."""

    def __init__(self, log: data.Data) -> None:
        self._pandas: Any = importlib.import_module("pandas")
        self._frame = lru_cache(maxsize=2)(partial(_frame, log, categorical=True))

    def tables(self, votes: int, _: int) -> Any:  # noqa: ANN401 - frames
        """Each table by itself, as in notebooks."""
        frame = self._frame(votes)
        wins = self._battles(frame[frame["winner"] == "model_a"], "model_a", "model_b")
        wins += self._battles(frame[frame["winner"] == "model_b"], "model_b", "model_a")
        battles = self._battles(frame, "model_a", "model_b")
        return _mean(frame, _POINTS), _mean(frame, _WINS), wins / (wins + wins.T), battles + battles.T

    def _battles(self, frame: Any, index: str, columns: str) -> Any:  # noqa: ANN401 - frames
        return self._pandas.pivot_table(
            frame, index=index, columns=columns, aggfunc="size", fill_value=0, observed=False
        )


def _mean(frame: Any, scores: Mapping[str, float]) -> Any:  # noqa: ANN401 - frames
    """Mean score of each model over both sides."""
    left = frame["winner"].map(scores).astype(float)
    right = frame["winner"].map({word: scores[_OTHER_SIDE[word]] for word in scores}).astype(float)
    first, second = (
        column.groupby(frame[side], observed=False).agg(["sum", "size"])
        for side, column in (("model_a", left), ("model_b", right))
    )
    return (first["sum"] + second["sum"]) / (first["size"] + second["size"])


def jobs(log: data.Data, fastchat: str) -> Mapping[str, Job]:
    """The jobs by "peer job"."""
    peers: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
        "evalica": (lambda: Evalica(log), ("elo", "bootstrap")),
        "fastchat": (lambda: FastChat(log, fastchat), ("elo", "elo_bootstrap", "bradley_terry", "bootstrap", "style")),
        "arena-rank": (lambda: ArenaRank(log), ("bradley_terry", "style")),
        "pandas": (lambda: Pandas(log), ("tables",)),
    }
    results: dict[str, Job] = {}
    for name, (load, acts) in peers.items():
        load_once = lru_cache(maxsize=1)(load)
        results |= {f"{name} {act}": partial(_act, load_once, act) for act in acts}
        results[f"{name} load"] = partial(_load, load_once)
    return results


def _load(peer: Callable[[], Any], votes: int, _: int) -> None:
    """Import the peer and build its data frame before the timing."""
    instance = peer()
    if hasattr(instance, "_frame"):
        instance._frame(votes)  # noqa: SLF001 - same module


def _act(peer: Callable[[], object], act: str, votes: int, number: int) -> None:
    getattr(peer(), act)(votes, number)


def _module(file: str) -> ModuleType:
    if not file:
        raise NotMeasured("no FastChat file was given")
    spec = importlib.util.spec_from_file_location("rating_systems", file)
    if spec is None or spec.loader is None:
        raise NotMeasured(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules["rating_systems"] = module
    spec.loader.exec_module(module)
    return module


def _evalica_columns(log: data.Data, votes: int) -> tuple[np.ndarray[Any, Any], ...]:
    part = log.head(votes)
    winners = np.array([1, 2, 0, 0], np.uint8)[part.outcome]
    return part.left.astype(np.uint64), part.right.astype(np.uint64), winners, np.ones(votes)


def _scores(part: data.Data) -> np.ndarray[Any, Any]:
    return np.array([1.0, 0.0, 0.5, 0.5])[part.outcome]


def _frame(log: data.Data, votes: int, *, features: bool = False, categorical: bool = False) -> Any:  # noqa: ANN401
    pandas: Any = importlib.import_module("pandas")
    part, names = log.head(votes), np.array([f"c{number}" for number in range(data.COMPETITORS)])
    columns: dict[str, Any] = {
        "model_a": names[part.left],
        "model_b": names[part.right],
        "winner": _WORDS[part.outcome],
    }
    columns = {name: column.astype(object) for name, column in columns.items()}
    if categorical:
        kinds = {"model_a": names, "model_b": names, "winner": _WORDS}
        columns = {name: pandas.Categorical(column, categories=kinds[name]) for name, column in columns.items()}
    frame = pandas.DataFrame(columns)
    if features:
        for number in range(data.FEATURES):
            frame[f"f{number}"] = part.features[:, number]
    return frame


if __name__ == "__main__":
    answer(jobs(data.read(Path(sys.argv[1])), sys.argv[2]))
