"""On a dask cluster of several machines the numbers are the same to the bit."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from arena.adapters.shared_log import share_log
from arena.serving.publisher import DaskFit
from arena.usecases.ranking import methods
from arena.usecases.ranking.methods import Method
from arena_rating import Comparisons, EloParameters, LeaderboardParameters
from arena_rating.packed import pack
from benchmarks.data import synthetic

pytestmark = pytest.mark.process

METHOD = Method(LeaderboardParameters(EloParameters(orders=64)), seed=5)


@pytest.fixture(scope="module")
def log() -> Comparisons:
    data = synthetic(20_000)
    names = tuple(f"model-{number:03}" for number in range(100))
    return Comparisons(data.left, data.right, data.outcome, None, None, None, names)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Two dask workers in separate processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, worker_dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_dask_cluster_gives_the_same_bits_as_one_process(log, scheduler, tmp_path):
    alone = methods.fit(log, METHOD)
    spread = DaskFit(scheduler, tmp_path)(log, METHOD)
    assert spread == alone
    assert list(tmp_path.iterdir()) == []


def test_processes_that_read_the_log_from_a_file_give_the_same_bits(log, tmp_path):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert methods.fit(log, METHOD, executor, partial(share_log, tmp_path)) == methods.fit(log, METHOD)


def test_what_travels_with_a_task_is_a_path_and_not_the_log(log, tmp_path):
    packed = pack(log)
    with share_log(tmp_path, packed) as on_disk:
        assert len(pickle.dumps(on_disk)) < 1_000
        assert (on_disk().words == packed.words).all()
    assert list(tmp_path.iterdir()) == []


def test_the_way_to_the_cluster_can_itself_travel_to_the_fitting_process(tmp_path):
    fit = DaskFit("tcp://127.0.0.1:1", tmp_path)
    assert pickle.loads(pickle.dumps(fit)) == fit  # noqa: S301
