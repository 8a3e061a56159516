"""JSON values of results."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any, cast

import numpy as np


def plain(value: Any) -> Any:  # noqa: ANN401 - any value of the report
    """Convert to JSON values: fields by name, arrays to lists, NaN to None."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray):
        value = cast("Any", value).tolist()
    if isinstance(value, list | tuple):
        return [plain(item) for item in cast("list[Any]", value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value
