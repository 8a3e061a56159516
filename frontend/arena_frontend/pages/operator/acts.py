"""Words of operators' acts on their page, which are stored by the names that the API has for things."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.operators import ActKind

if TYPE_CHECKING:
    from arena.domain.schemas.operators import ActView
    from arena_frontend.texts import Texts

_FIELDS: Final = ("op.acts.field", "own.field", "op.evals")
"""Beginnings of the texts of fields that acts change."""


def target(words: Texts, act: ActView) -> str:
    """Return what an act was done to: parts and settings by their texts, a model or an evaluation by its name."""
    if act.kind in (ActKind.PART_CLOSED, ActKind.PART_OPENED):
        return words.named("op.parts", act.target)
    if act.kind in (ActKind.SITE_CHANGED, ActKind.SITE_IMPORTED):
        return words.listed([_setting(words, key) for key in act.target.split(", ")])
    return act.target


def why(words: Texts, act: ActView) -> str:
    """Return the reason of an act, with the names of changed fields in words."""
    if act.kind not in (ActKind.ENDPOINT_CHANGED, ActKind.EVALUATION_CHANGED):
        return act.why
    return words.listed([_change(words, part) for part in act.why.split("; ")])


def _change(words: Texts, part: str) -> str:
    """A changed field and its value in words; a reason as it is."""
    name, _, value = part.partition(": ")
    text = next((words.table[key] for start in _FIELDS if (key := f"{start}.{name}") in words.table), None)
    if not value or text is None:
        return part
    return words.fill("op.acts.change", name=text, value=words.table.get(f"op.acts.{value}", value))


def _setting(words: Texts, key: str) -> str:
    """The text of a setting of the site, such as `accent` or `imprint.en`."""
    name, _, language = key.partition(".")
    text = words.table.get(f"op.site.part.{name}")
    if text is None:
        return key
    return f"{text} ({words.named('op.pages', language)})" if language else text
