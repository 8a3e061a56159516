"""The decorator that compiles this library's loops with numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

Array = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile at the first call, cache the machine code where numba finds a writable folder, and release the GIL."""
    compile_ = cast("Callable[..., Callable[[Function], Function]]", njit)
    try:
        return compile_(nogil=True, cache=True, error_model="numpy")(function)
    except RuntimeError:  # no such folder, and NUMBA_CACHE_DIR names none: compile in each process
        return compile_(nogil=True, error_model="numpy")(function)
