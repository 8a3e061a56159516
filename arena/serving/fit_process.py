"""The process in which leaderboards are fitted, apart from the serving process, which it never outlives."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

ONE_THREAD: Final = "OPENBLAS_NUM_THREADS"
"""The matrices are small: threads of the linear algebra cost more than they gain. numpy reads it when imported."""


class FittingProcess(ProcessPoolExecutor):
    """An executor of one process, which a shutdown without waiting terminates in the middle of a computation.

    Otherwise Python would not exit before the fit, or the first compilation of half a minute, has finished.
    """

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        processes: list[BaseProcess] = list((self._processes or {}).values())  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownArgumentType]
        super().shutdown(wait, cancel_futures=cancel_futures)
        if not wait:
            for process in processes:
                process.terminate()


def fitting_process() -> FittingProcess:
    """Make an executor for fits in a process of its own, so that they never slow a stream."""
    return _executor("spawn")


def forked_fitting_process() -> FittingProcess:
    """Make the executor with a process that is forked now, which saves it the imports before its first fit.

    Call it before this process has an event loop, locks, sockets or a database: the copy would keep them open, and a
    lock that another thread holds is never released in it. With threads, without `ONE_THREAD`, or on other systems
    than Linux, the process is spawned instead.
    """
    if not sys.platform.startswith("linux") or threading.active_count() > 1 or ONE_THREAD not in os.environ:
        return fitting_process()
    import_module("arena.usecases.ranking")  # which fits need, and so does this process
    # Objects that no collection of either process touches stay in memory that both share.
    gc.freeze()
    executor = _executor("fork")
    executor.submit(os.getpid)  # forks here, before the executor starts threads of its own
    return executor


def warm() -> float:
    """Compile the rating kernels in this process, and give back the 15 MB that only loading them took.

    Returns:
        The seconds of compiling; without a cache of machine code half a minute.
    """
    start = time.perf_counter()
    import_module("arena_rating").warm()
    if sys.platform.startswith("linux") and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)
    return time.perf_counter() - start


def _executor(method: str) -> FittingProcess:
    os.environ.setdefault(ONE_THREAD, "1")
    return FittingProcess(1, mp_context=multiprocessing.get_context(method), initializer=_initialise)


def _initialise() -> None:
    """Ignore Ctrl-C, lower the priority below the serving process, and exit with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
