"""The process in which leaderboards are fitted: apart from the door, and gone as soon as nobody needs it."""

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
    """One process; when it is let go without waiting, it is ended in the middle of whatever it computes.

    Python would otherwise not exit before the fit, or the first compilation of half a minute, is through.
    """

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - the signature
        processes: list[BaseProcess] = list((self._processes or {}).values())  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownArgumentType]
        super().shutdown(wait, cancel_futures=cancel_futures)
        if not wait:
            for process in processes:
                process.terminate()


def fitting_process() -> FittingProcess:
    """A process of its own for the fits, so that computing never slows a stream; it ends with its parent."""
    # Its matrices are small: the threads of the linear algebra would cost more than they give, and only there.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return FittingProcess(1, mp_context=multiprocessing.get_context("spawn"), initializer=_settle_in)


def _settle_in() -> None:
    """Leave Ctrl-C to the parent, give way to the door, and do not outlive the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
