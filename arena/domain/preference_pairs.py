"""Pairs of a preferred and another answer, in the fields that programs of preference training read.

A pair is in the conversational form with an explicit prompt of TRL ("Dataset formats and types"): `prompt`, `chosen`
and `rejected` are lists of messages with `role` and `content`. The first message is the prompt; both answers follow,
and with more turns the later messages too, since each model has gone on from its own answer.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WRITTEN: Final = "written"
"""Key of the number of pairs among counts of what was left out by reason."""


def pair_line(
    prompts: Sequence[str], chosen: tuple[str, Sequence[str]], rejected: tuple[str, Sequence[str]], weight: float
) -> bytes:
    """A line of JSON with a pair; `chosen` and `rejected` are a model's name and its answers, one to each prompt."""
    fields = {
        "prompt": [_message("user", prompts[0])],
        "chosen": _talk(prompts, chosen[1]),
        "rejected": _talk(prompts, rejected[1]),
        "chosen_model": chosen[0],
        "rejected_model": rejected[0],
        "weight": weight,
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _talk(prompts: Sequence[str], answers: Sequence[str]) -> list[dict[str, str]]:
    """The messages after the first prompt."""
    turns = zip(prompts, answers, strict=True)
    messages = [_message(role, text) for turn in turns for role, text in zip(("user", "assistant"), turn, strict=True)]
    return messages[1:]


def _message(role: str, text: str) -> dict[str, str]:
    return {"role": role, "content": text}
