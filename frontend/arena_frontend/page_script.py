"""Joins the thirty scripts of a Gradio page into one, so that a browser needs one request.

Each script becomes a function that is called once, in the order of their imports, and gives back what the script
exports. What a page has already loaded stays a script of its own, so that there is one copy of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_IMPORT: Final = re.compile(
    r'^import (?:\* as (?P<whole>\w+)|(?P<names>\{.*\})) from "\./(?P<name>\w+)\.js";$', re.MULTILINE
)
_PASSED: Final = re.compile(r'^export \{ (?P<what>\w+) \} from "\./(?P<name>\w+)\.js";$', re.MULTILINE)
_LOADED: Final = re.compile(r'\bimport\("\./(?P<name>\w+)\.js"\)(?!\.)')
_EXPORT: Final = re.compile(r"^export (?=(?:async function|function|const|class) (?P<what>\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def page_script(name: str, sources: Mapping[str, str], apart: Collection[str] = ()) -> str:
    """Join the script `name` with all that it imports, but for those that stay `apart`; names are without a suffix.

    Raises:
        RuntimeError: A script imports or exports in a way that is not expected here.
    """
    order = [one for one in _in_order(name, sources, []) if one not in apart]
    outside = sorted({match["name"] for one in order for match in _IMPORT.finditer(sources[one])} & set(apart))
    imports = [f'import * as s_{one} from "./{one}.js";\n' for one in outside]
    functions = [_function(one, sources[one]) for one in order]
    return "".join([*imports, *functions, f"export const {_names(sources[name])} = s_{name};\n"])


def _in_order(name: str, sources: Mapping[str, str], result: list[str]) -> list[str]:
    """The names of a script and of those that it imports, each behind all that it needs."""
    for needed in (
        match["name"] for pattern in (_IMPORT, _PASSED, _LOADED) for match in pattern.finditer(sources[name])
    ):
        if needed not in result:
            _in_order(needed, sources, result)
    result.append(name)
    return result


def _function(name: str, source: str) -> str:
    body = _LOADED.sub(r"Promise.resolve(s_\g<name>)", _IMPORT.sub(_constant, source))
    body = _EXPORT.sub("", _PASSED.sub(r"const { \g<what> } = s_\g<name>;", body))
    if left := _LEFT.search(body):
        raise RuntimeError(f"{name}.js has an unexpected {left[0]!r}.")
    return f"const s_{name} = (() => {{\n{body}return {_names(source)};\n}})();\n"


def _constant(match: re.Match[str]) -> str:
    names = match["whole"] or match["names"].replace(" as ", ": ")
    return f"const {names} = s_{match['name']};"


def _names(source: str) -> str:
    """Name all that a script exports, in braces."""
    names = (match["what"] for pattern in (_PASSED, _EXPORT) for match in pattern.finditer(source))
    return f"{{ {', '.join(names)} }}"
