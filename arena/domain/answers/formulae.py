"""Formulae in LaTeX as MathML, rebuilt from the converter's tree by a list of elements and attributes.

What the converter writes is trusted in nothing: elements of other names are replaced by what they contain, attributes
keep only values of a safe form, and text is escaped.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import ParseError

from arena.domain.answers.bounds import MAX_BRACES, MAX_FORMULA

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from math_core import LatexToMathML

ELEMENTS: Final = frozenset(
    {
        *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "mphantom"),
        *("msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "mpadded"),
        *("mtable", "mtr", "mtd"),
    }
)
_LENGTH: Final = re.compile(r"-?[0-3]?(?:\.\d{1,12})?(?:em|ex)|0")
"""Up to four em, so that no formula reaches over its neighbours."""
_WORD: Final = re.compile(r"true|false|prefix|infix|postfix|normal|block|[0-2]|0(?:px)?")
_LENGTHS: Final = frozenset({"lspace", "rspace", "width", "height", "depth", "voffset", "minsize", "maxsize"})
ATTRIBUTES: Final = _LENGTHS | frozenset(
    {
        *(
            "accent",
            "accentunder",
            "display",
            "displaystyle",
            "fence",
            "form",
            "largeop",
            "linethickness",
            "mathvariant",
        ),
        *("movablelimits", "scriptlevel", "separator", "stretchy", "symmetric"),
    }
)
CLASSES: Final = frozenset({"a-math-boxed", "a-math-struck", "a-math-left", "a-math-right", "a-math-bold"})
_NOTATIONS: Final = {"box": "a-math-boxed", "updiagonalstrike": "a-math-struck", "downdiagonalstrike": "a-math-struck"}
_SIDES: Final = re.compile(r"text-align: (left|right)")
_MAX_DEPTH: Final = 100
_NUMBERED: Final = re.compile(r"\\tag\*?\{([^{}]{1,40})\}")
_LABEL: Final = re.compile(r"\\label\{[^{}]{0,80}\}|\\(?:nonumber|notag)(?![a-zA-Z])")
_CHEMICAL: Final = re.compile(r"\\ce\{([^{}]{1,200})\}")
_COUNT: Final = re.compile(r"(?<=[A-Za-z)\]])(\d+)")
_CHARGE: Final = re.compile(r"\^(\d*[+-])")


def mathml(latex: str, *, display: bool) -> str | None:
    """The MathML of a formula, or None if it is beyond the bounds or the converter cannot read it."""
    if len(latex) > MAX_FORMULA or _braces(latex) > MAX_BRACES:
        return None
    from math_core import LatexError

    try:
        xml = _converter().convert_with_local_state(_plain(latex), displaystyle=display)
        return _rebuilt(_tree(xml), 0)
    except (LatexError, ParseError, ValueError):
        return None


def _plain(latex: str) -> str:
    """A formula as the converter takes it: its number as text, without labels, chemistry by simple rules."""
    numbered = _LABEL.sub("", _NUMBERED.sub(r"\\qquad\\text{(\1)}", latex))
    return _CHEMICAL.sub(lambda match: _chemistry(match[1]), numbered)


def _chemistry(substances: str) -> str:
    """Counts of atoms below the line, charges above, and arrows."""
    arrows = substances.replace("<=>", r"\rightleftharpoons ").replace("->", r"\rightarrow ")
    inside = _CHARGE.sub(r"^{\1}", _COUNT.sub(r"_{\1}", arrows))
    return f"\\mathrm{{{inside}}}"


def _braces(latex: str) -> int:
    depth = deepest = 0
    for character in latex:
        depth += (character == "{") - (character == "}")
        deepest = max(deepest, depth)
    return deepest


@cache
def _converter() -> LatexToMathML:
    from math_core import LatexToMathML

    return LatexToMathML(fancy_error=False, macros={"substack": r"\begin{matrix}#1\end{matrix}"})


def _tree(xml: str) -> Element:
    from defusedxml.ElementTree import fromstring

    return fromstring(xml, forbid_dtd=True)


def _rebuilt(element: Element, depth: int) -> str:
    """An element as text.

    Raises:
        ValueError: The formula is nested too deeply.
    """
    if depth > _MAX_DEPTH:
        raise ValueError(depth)
    inside = escape(element.text or "") + "".join(
        _rebuilt(child, depth + 1) + escape(child.tail or "") for child in element
    )
    name = "mrow" if element.tag == "menclose" else element.tag
    if name not in ELEMENTS:
        return inside
    return f"<{name}{_attributes(element)}>{inside}</{name}>"


def _attributes(element: Element) -> str:
    attributes = {name: value for name, value in element.items() if name in ATTRIBUTES and _is_safe(name, value)}
    if class_name := _class(element):
        attributes["class"] = class_name
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())


def _is_safe(name: str, value: str) -> bool:
    return bool((_LENGTH if name in _LENGTHS else _WORD).fullmatch(value))


def _class(element: Element) -> str:
    """The class of ours that stands for a frame, a stroke, bold text or the side on which a cell is aligned."""
    if element.tag == "menclose":
        return _NOTATIONS.get(element.get("notation", ""), "")
    if element.tag == "mtext" and element.find("b") is not None:
        return "a-math-bold"
    side = _SIDES.search(element.get("style", "")) if element.tag == "mtd" else None
    return f"a-math-{side[1]}" if side else ""
