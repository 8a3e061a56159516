"""The base class of errors with a public problem document, and how their templates are filled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

Param = str | int | float | list[str]
"""A parameter of an error message."""


class ArenaError(Exception):
    """Base class of all errors with a public problem document."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong on our side."
    details: ClassVar[Mapping[str, str]] = {}
    """English message templates by the parameter `rule`; the empty string is for errors without one."""

    def __init__(self, detail: str | None = None, *, retry_after: int | None = None, **params: Param) -> None:
        """`detail` is public text instead of the template filled with `params`; `retry_after` is in seconds."""
        self.detail = detail or (self.sentence(params) if params else None)
        super().__init__(self.detail or self.title)
        self.retry_after = retry_after
        self.params = params

    @classmethod
    def sentence(cls, params: Mapping[str, Param]) -> str | None:
        """The English message for `params`; None if there is no template for their rule."""
        template = cls.details.get(str(params.get("rule", "")))
        return template and filled(template, params)


def filled(template: str, params: Mapping[str, Param]) -> str:
    """The template with its placeholders replaced; lists are joined with commas."""
    return template.format(
        **{name: ", ".join(value) if isinstance(value, list) else value for name, value in params.items()}
    )
