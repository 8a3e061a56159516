"""A picture for link previews: a question, two names, and what was said of them, as a PNG of at most 60 KB."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
MAX_PICTURES: Final = 64
"""Number of cached pictures."""
_EDGE: Final = 64
_ROOM: Final = WIDTH - 2 * _EDGE
"""Width of a line."""
_LINES: Final = 3
"""Most lines of a question."""
_COLOURS: Final = 32
"""Number of colours, which keeps the file small."""
_HAN_FONTS: Final = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
)
"""Where the packages of Debian, Fedora and Arch put a font with Chinese under a free licence."""
_SIMPLIFIED: Final = 2
"""Place of simplified Chinese in the collection of Noto."""
_PROBE: Final = 24
"""Size in which signs are looked at."""
_NOWHERE: Final = "\U0010fffe"
_INK, _PALE, _PAPER = "#1a2030", "#565f70", "#f6f7f9"
_A, _B = "#4653c9", "#ad4f06"
"""Colours of the sides, as in the picture that a voter saves; that of A is the site's."""
Font = ImageFont.FreeTypeFont


@dataclass(frozen=True, slots=True)
class SharePicture:
    """The texts of a picture: the arena's name, a heading or question, up to four lines, the first of them marked."""

    brand: str
    heading: str
    lines: tuple[str, ...] = ()
    marked: int | None = None
    """Place of the line in a colour, that of side A or B if there are two."""


@lru_cache(MAX_PICTURES)
def draw(picture: SharePicture) -> bytes:
    """The picture as a PNG; what the fonts have no signs for is left out."""
    image = Image.new("RGB", (WIDTH, HEIGHT), _PAPER)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 16, HEIGHT), fill=_A)
    _write(pen, picture.brand, 56, 30, _PALE)
    level = 130
    for line in _wrap(picture.heading, 52) if is_drawable(picture.heading) else []:
        _write(pen, line, level, 52, _INK)
        level += 72
    level = max(level + 30, 330)
    for place, text in enumerate(picture.lines):
        _write(pen, text, level, 42, (_B if place else _A) if place == picture.marked else _INK)
        level += 66
    file = BytesIO()
    image.quantize(_COLOURS).save(file, "PNG", optimize=True)
    return file.getvalue()


def is_drawable(text: str) -> bool:
    """Whether there is a font with every sign of a text."""
    path = _font_path(text)
    return all(sign.isspace() or _has_sign(path, sign) for sign in {*text})


@lru_cache(2**12)
def _has_sign(path: str, sign: str) -> bool:
    """Whether a font draws a sign otherwise than one that no font has."""
    font = _sized(path, _PROBE)
    drawings = set[bytes]()
    for text in (sign, _NOWHERE):
        image = Image.new("L", (2 * _PROBE, 2 * _PROBE))
        ImageDraw.Draw(image).text((0, 0), text, fill=255, font=font)
        drawings.add(image.tobytes())
    return len(drawings) > 1


def _font_path(text: str) -> str:
    """The font with Chinese if the text needs it and there is one, else "", the one that Pillow carries."""
    return "" if text.isascii() else _han_font()


def _font(text: str, size: int) -> Font:
    return _sized(_font_path(text), size)


@cache
def _han_font() -> str:
    return next((path for path in _HAN_FONTS if Path(path).exists()), "")


@cache
def _sized(path: str, size: int) -> Font:
    if path:
        return ImageFont.truetype(path, size, index=_SIMPLIFIED if path.endswith("CJK-Regular.ttc") else 0)
    font = ImageFont.load_default(size)
    if not isinstance(font, Font):
        raise TypeError(font)  # Pillow without FreeType
    return font


def _write(pen: ImageDraw.ImageDraw, text: str, level: int, size: int, colour: str) -> None:
    """A line of text, cut where the picture ends; nothing if a sign of it is missing."""
    if not is_drawable(text):
        return
    font = _font(text, size)
    pen.text((_EDGE, level), _cut(text, font), fill=colour, font=font)


def _cut(text: str, font: Font) -> str:
    if font.getlength(text) <= _ROOM:
        return text
    return f"{text[: _fitting(text, font, '…')].rstrip()}…"


def _wrap(text: str, size: int) -> list[str]:
    """The text in at most three lines, broken at spaces or between Chinese characters; the last is cut by `_write`."""
    font, lines, rest = _font(text, size), list[str](), " ".join(text.split())
    while rest and len(lines) < _LINES - 1:
        end = _fitting(rest, font)
        space = rest.rfind(" ", 0, end)
        end = space if end < len(rest) and space > 0 and rest[end - 1].isascii() else end
        lines.append(rest[:end])
        rest = rest[end:].strip()
    return [*lines, rest] if rest else lines


def _fitting(text: str, font: Font, end: str = "") -> int:
    """Number of the first characters of a text that fit on a line, with an end; it searches, as measuring is slow."""
    return bisect_right(range(1, len(text) + 1), _ROOM, key=lambda number: font.getlength(text[:number] + end))
