"""What a second HTML library makes of a rendered answer, and what in it is outside our lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from xml.etree.ElementTree import Element

import html5lib

from arena.domain.answers import code, formulae, markdown

HTML, MATH = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/1998/Math/MathML}"
CLASSES = set().union(*markdown.CLASSES.values(), code.CLASSES.values())


def tree(html: str) -> Element:
    return html5lib.parseFragment(html)


@lru_cache(maxsize=4096)
def strangers(html: str) -> tuple[str, ...]:
    """The elements and attributes outside the lists."""
    return tuple(_strangers(tree(html)))


def _strangers(root: Element) -> Iterator[str]:
    for element in root.iter():
        if element is root:
            continue
        if not isinstance(element.tag, str):
            yield f"no element: {element.text}"
            continue
        is_math = element.tag.startswith(MATH)
        name = element.tag.removeprefix(MATH if is_math else HTML)
        if name not in (formulae.ELEMENTS if is_math else markdown.ELEMENTS):
            yield f"<{element.tag}>"
        for attribute, value in element.items():
            if not (_is_ours_in_math(attribute, value) if is_math else _is_ours(name, attribute, value)):
                yield f"{attribute}={value!r} of <{name}>"


def _is_ours(name: str, attribute: str, value: str) -> bool:
    if attribute == "class":
        return set(value.split()) <= CLASSES
    if attribute in {"start", "colspan"}:
        return value.isdigit() and name in {"ol", "td", "th"}
    return (attribute, value) == ("dir", "auto")


def _is_ours_in_math(attribute: str, value: str) -> bool:
    return value in formulae.CLASSES if attribute == "class" else attribute in formulae.ATTRIBUTES


def text(html: str) -> str:
    return "".join(tree(html).itertext())


def count(html: str, name: str) -> int:
    return sum(1 for element in tree(html).iter() if element.tag in {HTML + name, MATH + name})
