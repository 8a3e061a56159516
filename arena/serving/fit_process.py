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
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from multiprocessing.process import BaseProcess

P = ParamSpec("P")
T = TypeVar("T")

ONE_THREAD: Final = "OPENBLAS_NUM_THREADS"
"""The matrices are small: threads of the linear algebra cost more than they gain. numpy reads it when imported."""


_MMAP_THRESHOLD: Final = -3
"""The parameter M_MMAP_THRESHOLD of glibc's `mallopt`."""
_BLOCK_BYTES: Final = 1 << 20
"""Size of arrays from which the system has their memory back as soon as they are freed."""


class SparingExecutor(Executor):
    """An executor that makes another for the first task, again where that one breaks, and ends it when it has no work.

    The executor of fits is a process of 180 MB, which an arena without new votes does not need.
    """

    def __init__(self, new: Callable[[], Executor], first: Executor | None = None) -> None:
        """Take executors from `new`, after `first` if there is one already."""
        self._new, self._executor = new, first
        self._lock, self._running, self._last_use = threading.RLock(), 0, time.monotonic()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have it done by the present executor, or by a new one.

        Raises:
            BrokenExecutor: The executor broke before it could take the task; the next task has another.
        """
        with self._lock:
            executor = self._executor = self._executor or self._new()
            try:
                future = executor.submit(fn, *args, **kwargs)
            except BrokenExecutor:
                self._drop(executor)
                raise
            self._running += 1
        future.add_done_callback(partial(self._end, executor))
        return future

    def _end(self, executor: Executor, future: Future[Any]) -> None:
        with self._lock:
            self._running, self._last_use = self._running - 1, time.monotonic()
            if not future.cancelled() and isinstance(future.exception(), BrokenExecutor):
                self._drop(executor)

    def _drop(self, executor: Executor | None) -> None:
        if executor and executor is self._executor:
            self._executor = None
            executor.shutdown(wait=False, cancel_futures=True)

    def rest(self, seconds: float) -> None:
        """End the executor if it has had no task for so many seconds."""
        with self._lock:
            if not self._running and time.monotonic() - self._last_use >= seconds:
                self._drop(self._executor)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the executor; a later task would start another."""
        with self._lock:
            executor, self._executor = self._executor, None
        if executor:
            executor.shutdown(wait, cancel_futures=cancel_futures)


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
    give_back()
    return time.perf_counter() - start


def give_back() -> None:
    """Give memory that this process has freed back to the system, which the allocator of Linux does of itself rarely.

    After the columns of a million votes have been read, sent and fitted, it is half of the memory of both processes.
    """
    if trim := _allocator("malloc_trim"):
        trim(0)


def _keep_arrays_apart() -> None:
    """Have the allocator map each large array alone, so that small objects between them keep no memory.

    Of itself it puts arrays of up to 32 MB among all others, once it has freed some.
    """
    if set_option := _allocator("mallopt"):
        set_option(_MMAP_THRESHOLD, _BLOCK_BYTES)


def _allocator(function: str) -> Callable[..., int] | None:
    """A function of glibc's allocator; None on other systems."""
    return getattr(ctypes.CDLL(None), function, None) if sys.platform.startswith("linux") else None


def _executor(method: str) -> FittingProcess:
    os.environ.setdefault(ONE_THREAD, "1")
    _keep_arrays_apart()
    return FittingProcess(1, mp_context=multiprocessing.get_context(method), initializer=_initialise)


def _initialise() -> None:
    """Ignore Ctrl-C, lower the priority below the serving process, and exit with the parent."""
    _keep_arrays_apart()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
