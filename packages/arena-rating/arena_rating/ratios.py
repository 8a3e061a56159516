"""Ratios of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def ratio(part: NDArray[Any], whole: NDArray[Any], otherwise: float = np.nan) -> NDArray[np.float64]:
    """Part / whole of the same shape, `otherwise` where `whole` is not above 0."""
    return np.divide(part, whole, out=np.full(part.shape, otherwise), where=whole > 0)
