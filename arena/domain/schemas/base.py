"""The base class of all messages, and common field types."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from arena.domain.errors import PromptTooLong
from arena.domain.statistics.proportions import finite
from arena.domain.terms import PROMPT_LIMIT

Params = dict[str, str | int | float | list[str]]
"""Parameters of a message, by name."""


def documented(**bounds: JsonValue) -> Any:  # noqa: ANN401 - a field of any type
    """Document a bound in the schema only; the use case enforces it with its own error code."""
    return Field(json_schema_extra=bounds)


def text_field(limit: int) -> Any:  # noqa: ANN401 - as above
    """Document that a text is not empty and has at most `limit` characters."""
    return documented(minLength=1, maxLength=limit)


def within_prompt_limit(prompt: str) -> str:
    """The prompt; raises `PromptTooLong` above `PROMPT_LIMIT` characters."""
    if len(prompt) > PROMPT_LIMIT:
        raise PromptTooLong(limit=PROMPT_LIMIT)
    return prompt


Prompt = Annotated[str, text_field(PROMPT_LIMIT), AfterValidator(within_prompt_limit)]
"""A prompt as sent; white space that a use case trims counts towards the limit."""


Figure = Annotated[float | None, BeforeValidator(finite)]
"""A number, null where it is nan or infinite."""


class Wire(BaseModel):
    """An immutable message without unknown fields; it can be built from any object with attributes of these names."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)

    @classmethod
    def from_row(cls, row: object, **values: object) -> Self:
        """A message of `values`, and of the attributes of a row, or of any object, that are named as the other fields.

        Raises:
            ValidationError: A field without a default is in neither.
        """
        named = (field for field in cls.model_fields if field not in values and hasattr(row, field))
        return cls.model_validate({field: getattr(row, field) for field in named} | values)
