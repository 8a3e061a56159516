"""Text that every database and browser accepts: strangers send halves of characters and NUL."""

from __future__ import annotations

from arena.errors import Invalid


def well_formed(text: str) -> str:
    """Pairs of surrogates become the character they stand for, lone ones the replacement character, NUL nothing."""
    if text.isascii():
        return text.replace("\0", "")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")


def whole_part(text: str) -> tuple[str, str]:
    """Split into what can be shown and a half character at the end whose other half may still come."""
    if text and "\ud800" <= text[-1] <= "\udbff":
        return well_formed(text[:-1]), text[-1]
    return well_formed(text), ""


def one_line(field: str, text: str, limit: int) -> None:
    """Refuse what is no line of 1 to `limit` characters that can be seen, such as one with a turn of direction in it.

    Raises:
        Invalid: Names the field.
    """
    if not 1 <= len(text) <= limit or not text.isprintable() or text != text.strip():
        raise Invalid(f"{field}: 1 to {limit} printable characters, no space at either end")
