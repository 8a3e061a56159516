"""Numbers with their nouns in English sentences."""

from __future__ import annotations


def amount(number: int, one: str, plural: str = "") -> str:
    """The number with its noun, "1 vote" or "2 votes".

    Args:
        number: How many.
        one: The noun in the singular, or words with their verb, such as "leaf is".
        plural: The same in the plural; by default `one` with an s.
    """
    return f"{number} {one if number == 1 else plural or f'{one}s'}"
