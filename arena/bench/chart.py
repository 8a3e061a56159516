"""Curves on doubly logarithmic paper, as SVG or, by Pillow, as PNG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from arena.bench.curves import Curve

FORMS: Final = (".svg", ".png")

WIDTH: Final = 760
HEIGHT: Final = 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 40, 110
_INK, _FAINT = "#222222", "#dddddd"
_COLOURS: Final = ("#1f6feb", "#c2410c", "#15803d", "#7c3aed")


@dataclass(frozen=True, slots=True)
class Line:
    """A polyline."""

    points: tuple[tuple[float, float], ...]
    colour: str
    width: int = 1


@dataclass(frozen=True, slots=True)
class Text:
    """Words; `middle` centres them on the point, else they begin there."""

    x: float
    y: float
    words: str
    middle: bool = False
    colour: str = _INK


Mark = Line | Text


def draw(curves: Sequence[Curve], path: Path) -> None:
    """Write the picture in the form that the name's end asks for, one of `FORMS`."""
    marks = list(_marks(curves))
    if path.suffix.lower() == ".svg":
        path.write_text(_svg(marks), encoding="utf-8")
    else:
        _png(marks, path)


def _marks(curves: Sequence[Curve]) -> Iterator[Mark]:
    votes = _decades([votes for curve in curves for votes, _ in curve.points])
    seconds = _decades([seconds for curve in curves for _, seconds in curve.points])

    def place(x: float, y: float) -> tuple[float, float]:
        right, up = _share(x, votes), _share(y, seconds)
        return _LEFT + right * (WIDTH - _LEFT - _RIGHT), HEIGHT - _BOTTOM - up * (HEIGHT - _TOP - _BOTTOM)

    yield Text(_LEFT, 22, "Seconds by number of votes, both logarithmic")
    for power in range(votes[0], votes[1] + 1):
        x, y = place(10.0**power, 10.0 ** seconds[0])
        yield Line(((x, y), (x, _TOP)), _FAINT)
        yield Text(x, y + 18, f"{10**power:,}", middle=True)
    for power in range(seconds[0], seconds[1] + 1):
        x, y = place(10.0 ** votes[0], 10.0**power)
        yield Line(((x, y), (WIDTH - _RIGHT, y)), _FAINT)
        yield Text(8, y + 4, f"{10.0**power:g} s")
    for number, curve in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        yield Line(tuple(place(*point) for point in curve.points), colour, 2)
        yield Text(_LEFT, HEIGHT - _BOTTOM + 48 + 18 * number, curve.title, colour=colour)


def _decades(values: Sequence[float]) -> tuple[int, int]:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _share(value: float, decades: tuple[int, int]) -> float:
    return (math.log10(value) - decades[0]) / (decades[1] - decades[0])


def _svg(marks: Sequence[Mark]) -> str:
    body = "\n".join(_svg_line(mark) if isinstance(mark, Line) else _svg_text(mark) for mark in marks)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
    paper = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    return f'{head} font-size="13">\n{paper}\n{body}\n</svg>\n'


def _svg_line(line: Line) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line.points)
    return f'<polyline points="{points}" fill="none" stroke="{line.colour}" stroke-width="{line.width}"/>'


def _svg_text(text: Text) -> str:
    anchor = ' text-anchor="middle"' if text.middle else ""
    return f'<text x="{text.x:.1f}" y="{text.y:.1f}" fill="{text.colour}"{anchor}>{escape(text.words)}</text>'


def _png(marks: Sequence[Mark], path: Path) -> None:
    from PIL import Image, ImageDraw  # noqa: PLC0415 - only for this form

    image = Image.new("RGB", (WIDTH, HEIGHT), "#ffffff")
    pen: Any = ImageDraw.Draw(image)
    for mark in marks:
        if isinstance(mark, Line):
            pen.line(list(mark.points), fill=mark.colour, width=mark.width)
        else:
            pen.text((mark.x, mark.y), mark.words, fill=mark.colour, anchor="ms" if mark.middle else "ls")
    image.save(path)
