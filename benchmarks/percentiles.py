"""Percentiles of durations, as every benchmark reports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

PERCENTS: Final = (50, 95, 99)


def percentiles(seconds: Iterable[float]) -> dict[str, float]:
    """Milliseconds at p50, p95 and p99, each a value that occurred; NaN for an empty input."""
    values = np.fromiter(seconds, float)
    found = np.percentile(values, PERCENTS, method="inverted_cdf") if values.size else np.full(len(PERCENTS), np.nan)
    return {f"p{percent}": 1000 * value for percent, value in zip(PERCENTS, found.tolist(), strict=True)}
