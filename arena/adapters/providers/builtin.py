"""Built-in endpoints, which the arena registers itself, as rows of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SCRIPTED: Final = "demo"
"""The dialect of the scripted practice models."""


@dataclass(frozen=True, slots=True)
class BuiltinEndpoint:
    """An endpoint that comes with the arena: its public identity and its parameters, without URL or key.

    `languages` are ISO 639-1 codes of what it can answer; none says any.
    """

    name: str
    dialect: str
    wire_model: str
    owner: str
    description_en: str
    description_zh: str
    languages: tuple[str, ...] = ()
    licence: str | None = None
    link: str | None = None
    system_prompt: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
