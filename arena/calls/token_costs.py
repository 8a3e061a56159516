"""The cost of a call in tokens: reserved before the call, settled after it by the endpoint's count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_providers.base import Target, Usage
    from arena_providers.terms import Message

USUAL_ANSWER: Final = 1_000
"""Tokens that are reserved for the answer of an endpoint without `max_tokens`."""
IMAGE: Final = 1_600
"""Tokens of an image; vendors count between 250 and 1,600 for a large one."""


def estimate(text: str) -> int:
    """An upper estimate of the tokens of a text: one per three bytes of UTF-8, such as a Chinese character."""
    return -(-len(text.encode(errors="replace")) // 3)


def input_tokens(target: Target, messages: Sequence[Message]) -> int:
    """Estimated tokens of system prompt, messages and images."""
    images = sum(len(message.images) for message in messages)
    texts = sum(estimate(message.content) for message in messages)
    return estimate(target.system_prompt or "") + texts + IMAGE * images


def reserve(target: Target, messages: Sequence[Message]) -> int:
    """Tokens to reserve before the call."""
    return input_tokens(target, messages) + (target.max_tokens or USUAL_ANSWER)


def used(target: Target, messages: Sequence[Message], text: str, usage: Usage | None) -> int:
    """Tokens used by the call: as counted by the endpoint, else estimated, with 0 for an empty answer."""
    return sum(parts(target, messages, text, usage))


def parts(target: Target, messages: Sequence[Message], text: str, usage: Usage | None) -> tuple[int, int]:
    """Tokens of prompts and of the answer, which have different prices; counted or estimated as in `used`."""
    if usage is not None:
        return usage.input_tokens, usage.output_tokens
    return (input_tokens(target, messages), estimate(text)) if text else (0, 0)
