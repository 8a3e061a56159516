"""The content of `templates.toml`: requests by kind, and a frame for the answer to each."""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import Final

from pydantic import BaseModel, Field

from arena_providers.demo.script import Saying, content_of

_PART: Final = re.compile(r"(?<!\?P)<([a-z]+)>")
"""The name of a part of a pattern."""


class Template(Saying):
    """A frame, with the patterns of the requests that it answers.

    A `plain` one says nothing of being a frame; `keeps` are the sorts that it is of, such as funny, and one that
    `states` its object takes it with its negations; `nothing` stands for a missing object and `nobody` for a missing
    second side, in English and Chinese; one that takes `clauses` is made for an object that is more than a plain noun
    phrase; `options` are what it says of parts of a request that may be missing; `shown` is the number of list items if
    the prompt names none, 0 for all.
    """

    name: str
    ask: list[str]
    plain: bool = False
    states: bool = False
    clauses: bool = False
    keeps: str = "(?!)"
    nothing: tuple[str, str] = ("", "")
    nobody: tuple[str, str] = ("", "")
    shown: int = 0
    options: dict[str, tuple[str, str]] = Field(default_factory=dict)

    @cached_property
    def patterns(self) -> list[re.Pattern[str]]:
        """The patterns with their named parts in place."""
        return [re.compile(_with_parts(pattern), re.IGNORECASE) for pattern in self.ask]


class Templates(BaseModel):
    """The content of `templates.toml`."""

    refused: re.Pattern[str]
    form: re.Pattern[str]
    clause: re.Pattern[str]
    denied: re.Pattern[str]
    involved: re.Pattern[str]
    unadvised: re.Pattern[str]
    lead: re.Pattern[str]
    end: re.Pattern[str]
    opening: re.Pattern[str]
    count: re.Pattern[str]
    unsaid: re.Pattern[str]
    article: re.Pattern[str]
    addition: re.Pattern[str]
    noun: re.Pattern[str]
    numbers: dict[str, int]
    other_side: dict[str, str]
    words: dict[str, str]
    forms: list[Template]
    advice: list[Template]


@cache
def templates() -> Templates:
    """The parsed content of `templates.toml`."""
    return Templates.model_validate(content_of("templates.toml"))


def _with_parts(pattern: str) -> str:
    while _PART.search(pattern):
        pattern = _PART.sub(lambda match: re.sub(r"\n\s*", "", templates().words[match[1]]), pattern)
    return pattern
