"""Elo vote by vote by its plain formula, from any state: for looking at a rating on its way, not for many orders."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

Array = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., Any])


def _compiled(function: Function) -> Function:
    """As in `kernels`: keep the machine code where numba finds a folder, release the GIL."""
    compile_ = cast("Callable[..., Callable[[Function], Function]]", njit)
    try:
        return compile_(nogil=True, cache=True, error_model="numpy")(function)
    except RuntimeError:  # no folder to keep it in
        return compile_(nogil=True, error_model="numpy")(function)


@_compiled
def walk(left: Array, right: Array, score: Array, gain: Array, theta: Array) -> None:
    """Update `theta` [m] in place by every vote in order; theta and gain are K and ratings times ln(base) / scale."""
    for n in range(left.shape[0]):
        i, j = left[n], right[n]
        step = gain[n] * (score[n] - 1.0 / (1.0 + math.exp(theta[j] - theta[i])))
        theta[i] += step
        theta[j] -= step
