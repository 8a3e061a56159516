"""A configuration: what a model is asked with beyond its endpoint, and the digest by which everybody names the same."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Annotated, Final

from pydantic import AfterValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from arena.domain.schemas.base import Wire, text_field

PLACE: Final = "{prompt}"
"""Where a template has the prompt."""
TEXT_LIMIT: Final = 20_000
NAME_LIMIT: Final = 80


def _has_a_place(template: str) -> str:
    if template.count(PLACE) != 1:
        raise PydanticCustomError("template", "a template has {place} once", {"place": PLACE})
    return template


_Template = Annotated[str, AfterValidator(_has_a_place), Field(max_length=TEXT_LIMIT)]


class ConfigurationSettingsView(Wire):
    """Settings of a configuration; None leaves the endpoint's own. `template` has `{prompt}` where the prompt goes."""

    system_prompt: Annotated[str | None, Field(max_length=TEXT_LIMIT)] = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    top_p: Annotated[float | None, Field(gt=0, le=1)] = None
    max_tokens: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    template: Annotated[Annotated[str, AfterValidator(_has_a_place), Field(max_length=TEXT_LIMIT)] | None, Field()] = (
        None
    )

    def prompt(self, text: str) -> str:
        """A prompt as it is sent."""
        return text if self.template is None else self.template.replace(PLACE, text)


class ConfigurationRequest(ConfigurationSettingsView):
    """A configuration to keep: its name, and one setting at least."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "short answers", "max_tokens": 200, "template": "Briefly: {prompt}"}]}
    )
    name: Annotated[str, text_field(NAME_LIMIT)]


class ConfigurationView(Wire):
    """A version of a configuration of an endpoint, which never changes."""

    name: str
    version: int
    model: str
    settings: ConfigurationSettingsView
    digest: str


def digest(name: str, model: str, settings: ConfigurationSettingsView) -> str:
    """SHA-256 of the canonical JSON of name, endpoint and the settings that are given, in the order of their names."""
    facts = {"name": name, "model": model, **settings.model_dump(exclude_none=True)}
    content = json.dumps(facts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(content.encode()).hexdigest()
