"""JSON on standard output."""

from __future__ import annotations

import json
from typing import Any


def show_json(value: Any) -> None:  # noqa: ANN401 - JSON
    """Print a value as indented JSON in the letters of its texts."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))
