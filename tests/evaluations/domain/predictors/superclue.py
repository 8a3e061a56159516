"""The printed scores of SuperCLUE (2023), table 2: CLOSE, OPEN with one and with several turns, and CArena."""

from __future__ import annotations

from typing import Final

MODELS: Final = {
    "MiniMax": (60.67, 65.32, 47.34, 86.69),
    "ChatGLM-130B": (57.24, 51.19, 30.14, 82.76),
    "ChatGLM2-6B": (57.67, 42.33, 30.67, 85.63),
    "Ziya-13B": (56.67, 29.05, 14.12, 72.48),
    "MOSS": (41.00, 27.00, 15.20, 69.01),
    "Wenxin Yiyan": (56.67, 57.09, 41.70, None),
    "SparkDesk": (55.67, 59.52, 32.64, None),
    "360 Brain": (56.38, 28.91, 18.42, None),
}
"""The eight Chinese models; five of them were in CArena."""


def column(number: int) -> dict[str, float]:
    found = {name: row[number] for name, row in MODELS.items()}
    return {name: value for name, value in found.items() if value is not None}


CLOSE, SINGLE, MULTI, CARENA = (column(number) for number in range(4))
