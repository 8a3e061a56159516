"""The process in which leaderboards are fitted, apart from the serving process, which it never outlives."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess


class FittingProcess(ProcessPoolExecutor):
    """An executor of one process, which a shutdown without waiting terminates in the middle of a computation.

    Otherwise Python would not exit before the fit, or the first compilation of half a minute, has finished.
    """

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - the signature
        processes: list[BaseProcess] = list((self._processes or {}).values())  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownArgumentType]
        super().shutdown(wait, cancel_futures=cancel_futures)
        if not wait:
            for process in processes:
                process.terminate()


def fitting_process() -> FittingProcess:
    """Start an executor for fits in a process of its own, so that they never slow a stream."""
    # The matrices are small: threads of the linear algebra cost more than they gain.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return FittingProcess(1, mp_context=multiprocessing.get_context("spawn"), initializer=_initialise)


def _initialise() -> None:
    """Ignore Ctrl-C, lower the priority below the serving process, and exit with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
