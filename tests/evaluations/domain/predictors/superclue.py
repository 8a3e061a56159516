"""The printed scores of SuperCLUE (2023): tables 2 (CLOSE, OPEN with one and with several turns, CArena) and 3."""

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
    values = {name: row[number] for name, row in MODELS.items()}
    return {name: value for name, value in values.items() if value is not None}


CLOSE, SINGLE, MULTI, CARENA = (column(number) for number in range(4))

CAPABILITIES: Final = (
    *("understanding", "chat", "dialogue", "roleplay", "knowledge"),
    *("writing", "code", "reasoning", "calculation", "safety"),
)
"""The columns of table 3, by our names."""
CLOSE_BY_CAPABILITY: Final = {
    "ChatGLM-130B": (0.4333, 0.5667, 0.8333, 0.7241, 0.5667, 0.6333, 0.5172, 0.3000, 0.3667, 0.7931),
    "ChatGLM2-6B": (0.7667, 0.5000, 0.7333, 0.6667, 0.6667, 0.6667, 0.4000, 0.3667, 0.2667, 0.7333),
    "Wenxin Yiyan": (0.7667, 0.6333, 0.6000, 0.5667, 0.6667, 0.6667, 0.3333, 0.3667, 0.3333, 0.7333),
    "MOSS": (0.4000, 0.4333, 0.5667, 0.4667, 0.3333, 0.5000, 0.3333, 0.3000, 0.3333, 0.4333),
    "Ziya-13B": (0.6000, 0.6000, 0.7667, 0.7000, 0.5000, 0.7000, 0.2333, 0.4000, 0.4333, 0.7333),
    "360 Brain": (0.6667, 0.6000, 0.7333, 0.6667, 0.6000, 0.6333, 0.5667, 0.3000, 0.2000, 0.6786),
    "SparkDesk": (0.6667, 0.6333, 0.7333, 0.6333, 0.5667, 0.6667, 0.4667, 0.1667, 0.2333, 0.8000),
    "MiniMax": (0.7000, 0.6333, 0.8333, 0.8333, 0.6333, 0.8000, 0.3333, 0.2667, 0.2333, 0.8000),
}
"""ChatGLM-130B's third figure is printed as 0.8330, which is no share of 30 questions or fewer."""
SINGLE_BY_CAPABILITY: Final = {
    "ChatGLM-130B": (0.5172, 0.6897, 0.6000, 0.7000, 0.5000, 0.5714, 0.2000, 0.3667, 0.5333, 0.4483),
    "ChatGLM2-6B": (0.4333, 0.4667, 0.3333, 0.4333, 0.2333, 0.5333, 0.2333, 0.6000, 0.5333, 0.4333),
    "Wenxin Yiyan": (0.4667, 0.6667, 0.5333, 0.7000, 0.3793, 0.6429, 0.5333, 0.7000, 0.6667, 0.4138),
    "MOSS": (0.4667, 0.2000, 0.1667, 0.2333, 0.1667, 0.3667, 0.2333, 0.3667, 0.2667, 0.2333),
    "Ziya-13B": (0.2000, 0.1667, 0.3448, 0.2069, 0.3103, 0.2333, 0.3333, 0.2667, 0.4333, 0.4138),
    "360 Brain": (0.4000, 0.1724, 0.2500, 0.1667, 0.1724, 0.5172, 0.4000, 0.4333, 0.2333, 0.1379),
    "SparkDesk": (0.5333, 0.3000, 0.6000, 0.8966, 0.4000, 0.7931, 0.4667, 0.4828, 0.8214, 0.6897),
    "MiniMax": (0.6333, 0.8000, 0.6667, 0.8966, 0.6333, 0.7333, 0.5333, 0.3667, 0.3448, 0.9310),
}
QUESTIONS: Final = 30
"""Most questions of a capability; fewer were judged where a judge's text could not be read."""


def counts(share: float) -> tuple[int, int]:
    """The most questions, up to 30, of which a printed share can be one, and how many of them it is."""
    return next(
        (round(share * number), number)
        for number in range(QUESTIONS, 0, -1)
        if round(round(share * number) / number, 4) == share
    )
