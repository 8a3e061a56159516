"""Sentences of the API in the reader's language, by code and parameters; `assets/texts.js` does so for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from arena_frontend.figures import plain, plain_percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.texts import Texts

_TERMS: Final = {
    "field": "own.field",
    "fields": "own.field",
    "error": "own.kind",
    "problem": "own.problem",
    "state": "own.state",
    "after": "own.state",
}
"""Of a parameter that is one of the arena's terms, or a list of them, the prefix of their texts."""
_SHARES: Final = frozenset({"share", "most"})


def reason(words: Texts, code: str | None, params: Mapping[str, Any] | None, sentence: str) -> str:
    """Return the text of a state's reason, or the sentence of the API if a person typed it or it has no text."""
    key = f"own.reason.{code}"
    return _filled(words, key, params) if key in words.table else sentence


def fault(words: Texts, problem: Mapping[str, Any]) -> str:
    """Return the text of a problem of a probe, or its title where its code has none."""
    key = f"own.problem.{problem['code']}"
    return words.fill(key, **problem) if key in words.table else problem["title"]


def value(words: Texts, name: str, parameter: object) -> str:
    """Return a parameter as readers see it: numbers in their format, shares as per cent, and terms by their texts."""
    if isinstance(parameter, list):
        return words.listed([value(words, name, one) for one in cast("list[object]", parameter)])
    if isinstance(parameter, int | float) and not isinstance(parameter, bool):
        return plain_percent(parameter, 3) if name in _SHARES else plain(parameter, 3)
    return words.named(_TERMS.get(name, ""), str(parameter))


def _filled(words: Texts, key: str, params: Mapping[str, Any] | None) -> str:
    return words.fill(key, **{name: value(words, name, parameter) for name, parameter in (params or {}).items()})
