"""What a built-in endpoint is: a row of data that the arena can register by itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BuiltinEndpoint:
    """An endpoint that comes with the arena: its public face and its parameters, without URL or key."""

    name: str
    dialect: str
    wire_model: str
    owner: str
    description_en: str
    description_zh: str
    licence: str | None = None
    link: str | None = None
    system_prompt: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
