"""Numbers with their nouns in English sentences."""

from __future__ import annotations


def amount(number: int, one: str, plural: str = "") -> str:
    """The number with its noun, "1 vote" or "2 votes".

    Args:
        number: The number.
        one: The noun in the singular, or noun and verb, such as "leaf is".
        plural: Its plural; by default `one` with an s.
    """
    return f"{number} {one if number == 1 else plural or f'{one}s'}"
