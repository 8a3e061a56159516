"""Sets of labels for prompts, and the labellers that assign them.

The ten capabilities are SuperCLUE's, the flags LMArena's, the areas those of TencentLLMEval's task tree; the
definitions are our own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import Field

from arena.domain.errors import Invalid
from arena.domain.labels.capabilities import capabilities_of
from arena.domain.labels.categories import Category
from arena.domain.labels.flags import flags_of
from arena.domain.package_data import names_in, read_named
from arena.domain.schemas.base import Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_FOLDER: Final = Path(__file__).with_name("sets")
LABELS: Final = "labels"
"""Key, in the parameters of a board, of the source of its topics and the share of votes without a topic."""
RULES: Final = "rules"
PEOPLE: Final = "people"
"""Labeller for the people who label a sample, the second compared with the first."""
NO_ENDPOINTS: Final = frozenset({RULES, PEOPLE})
"""Labellers whose names no endpoint may use."""
RULES_VERSION: Final = 2
_SOURCE: Final = re.compile(r"([a-z_]{1,40})/([^/\s]{1,80})/([1-9][0-9]{0,8})")
AREAS: Final = {
    Category.UNDERSTANDING: "nlp_basics",
    Category.WRITING: "text_generation",
    Category.CHAT: "dialogue",
    Category.DIALOGUE: "dialogue",
    Category.ROLEPLAY: "dialogue",
    Category.REASONING: "reasoning",
    Category.CALCULATION: "reasoning",
    Category.CODE: "reasoning",
    Category.KNOWLEDGE: "domain_expertise",
    Category.SAFETY: "safety",
}
"""The area of each capability; the area of plugins has none."""


class LabelSet(Wire):
    """Labels with their definitions; a prompt may have several. `groups` of labels, such as SuperCLUE's four."""

    name: str
    version: int
    labels: dict[str, str]
    groups: dict[str, list[str]] = Field(default_factory=dict)

    def group(self, label: str) -> str:
        """The group of a label, or an empty text."""
        return next((name for name, labels in self.groups.items() if label in labels), "")


@dataclass(frozen=True, slots=True)
class LabelSource:
    """A label set, a labeller, and the version of its rules or rubric, or one that a person chooses."""

    set: str
    labeller: str
    version: int

    @classmethod
    def parse(cls, text: str) -> LabelSource:
        """Read SET/LABELLER/VERSION.

        Raises:
            Invalid: The form is another one, or the set does not exist.
        """
        match = _SOURCE.fullmatch(text)
        if match is None:
            raise Invalid(f"{text!r} is not of the form SET/LABELLER/VERSION, such as capabilities/rules/2.")
        return cls(label_set(match[1]).name, match[2], int(match[3]))

    def record(self) -> dict[str, object]:
        """The source as JSON of a published board."""
        return {"set": self.set, "labeller": self.labeller, "version": self.version}

    def __str__(self) -> str:
        """The form that `parse` reads."""
        return f"{self.set}/{self.labeller}/{self.version}"


CAST: Final = LabelSource("capabilities", RULES, 1)
"""Source of the category that is stored with a vote when it is cast, in a column of the vote."""


@cache
def set_names() -> tuple[str, ...]:
    """The names of all sets."""
    return names_in(_FOLDER)


@cache
def label_set(name: str) -> LabelSet:
    """A set by its name.

    Raises:
        Invalid: There is no set of this name.
    """
    return read_named(_FOLDER, name, LabelSet, "label set")


def rule_source(name: str) -> LabelSource:
    """The newest rules of a set as a source of labels.

    Raises:
        Invalid: There is no set of this name.
    """
    return LabelSource(label_set(name).name, RULES, RULES_VERSION)


def areas_of(prompts: Sequence[str]) -> tuple[str, ...]:
    """The areas of a conversation, the surest first."""
    return tuple(dict.fromkeys(AREAS[capability] for capability in capabilities_of(prompts)))


LABEL_RULES: Final[Mapping[str, Callable[[Sequence[str]], Sequence[str]]]] = {
    "capabilities": capabilities_of,
    "flags": flags_of,
    "areas": areas_of,
}
"""The rules of each set, version `RULES_VERSION`."""


def by_rules(source: LabelSource, prompts: Mapping[int, Sequence[str]]) -> dict[int, tuple[str, ...]]:
    """The labels of conversations by the rules of the source's set, by number."""
    return {number: tuple(map(str, LABEL_RULES[source.set](prompt))) for number, prompt in prompts.items()}
