"""A configuration: a model's settings on top of those of its endpoint, identified by a digest."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Annotated, Final

from pydantic import AfterValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from arena.domain.schemas.base import Wire, text_field

PLACEHOLDER: Final = "{prompt}"
"""Placeholder of the prompt in a template."""
TEXT_LIMIT: Final = 20_000
NAME_LIMIT: Final = 80


def _check_placeholder(template: str) -> str:
    if template.count(PLACEHOLDER) != 1:
        raise PydanticCustomError("template", "a template has {place} once", {"place": PLACEHOLDER})
    return template


_Template = Annotated[str, AfterValidator(_check_placeholder), Field(max_length=TEXT_LIMIT)]


class ConfigurationSettingsView(Wire):
    """Settings of a configuration; None keeps the endpoint's. `template` has `{prompt}` in the place of the prompt."""

    system_prompt: Annotated[str | None, Field(max_length=TEXT_LIMIT)] = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    top_p: Annotated[float | None, Field(gt=0, le=1)] = None
    max_tokens: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    template: _Template | None = None

    def prompt(self, text: str) -> str:
        """The prompt inside the template, as the model gets it."""
        return text if self.template is None else self.template.replace(PLACEHOLDER, text)


class ConfigurationRequest(ConfigurationSettingsView):
    """A new configuration: a name and at least one setting."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "short answers", "max_tokens": 200, "template": "Briefly: {prompt}"}]}
    )
    name: Annotated[str, text_field(NAME_LIMIT)]


class ConfigurationView(Wire):
    """An immutable version of a configuration of an endpoint."""

    name: str
    version: int
    model: str
    settings: ConfigurationSettingsView
    digest: str


def digest(name: str, model: str, settings: ConfigurationSettingsView) -> str:
    """SHA-256 of the canonical JSON (sorted keys) of name, endpoint and the settings that are not None."""
    facts = {"name": name, "model": model, **settings.model_dump(exclude_none=True)}
    content = json.dumps(facts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(content.encode()).hexdigest()
