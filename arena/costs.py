"""What a call may cost its owner: reserved before it, settled by what the endpoint has counted after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.providers.base import Target, Usage
    from arena.terms import Message

USUAL_ANSWER: Final = 1_000
"""Tokens that are reserved for the answer of an endpoint that has no limit of its own."""


def estimate(text: str) -> int:
    """Tokens of a text, rather too many: one for each three bytes, which is a Chinese character or half a word."""
    return -(-len(text.encode(errors="replace")) // 3)


def asked(target: Target, messages: Sequence[Message]) -> int:
    """Tokens that the endpoint reads."""
    return estimate(target.system_prompt or "") + sum(estimate(message.content) for message in messages)


def reserve(target: Target, messages: Sequence[Message]) -> int:
    """Tokens to set aside before the call."""
    return asked(target, messages) + (target.max_tokens or USUAL_ANSWER)


def used(target: Target, messages: Sequence[Message], text: str, usage: Usage | None) -> int:
    """Tokens after the call: as counted, else estimated; an endpoint that said nothing has used nothing."""
    if usage is not None:
        return usage.input_tokens + usage.output_tokens
    return asked(target, messages) + estimate(text) if text else 0
