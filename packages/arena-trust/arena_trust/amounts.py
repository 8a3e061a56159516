"""Numbers with their nouns in English sentences."""

from __future__ import annotations


def amount(number: int, one: str, many: str = "") -> str:
    """The number with its noun, "1 vote" or "2 votes".

    Args:
        number: How many.
        one: The noun in the singular, or words with their verb, such as "leaf is".
        many: The same in the plural; by default `one` with an s.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"
