"""Sets of labels for prompts, and the labellers that give them.

The ten capabilities are SuperCLUE's, the flags LMArena's, the areas those of TencentLLMEval's task tree; the words that
say what they mean are our own.
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
"""Key in the parameters of a board for the source of its topics, and the share of votes without any."""
RULES: Final = "rules"
PEOPLE: Final = "people"
"""Readers of the sample, the second against the first, among the labellers that are measured."""
NO_ENDPOINTS: Final = frozenset({RULES, PEOPLE})
"""Labellers that no endpoint may pass for."""
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
"""The area of each capability; none asks for plugins."""


class LabelSet(Wire):
    """Labels with what each means; a prompt may have several. `groups` are above them, such as SuperCLUE's four."""

    name: str
    version: int
    labels: dict[str, str]
    groups: dict[str, list[str]] = Field(default_factory=dict)

    def group(self, label: str) -> str:
        """The group of a label, empty where there is none."""
        return next((name for name, labels in self.groups.items() if label in labels), "")


@dataclass(frozen=True, slots=True)
class LabelSource:
    """A labeller, the set that it labels by, and its version: of its rules, of its rubric or of a person's choice."""

    set: str
    labeller: str
    version: int

    @classmethod
    def parse(cls, text: str) -> LabelSource:
        """Read SET/LABELLER/VERSION.

        Raises:
            Invalid: It has another form, or the set is unknown.
        """
        match = _SOURCE.fullmatch(text)
        if match is None:
            raise Invalid(f"{text!r} is not of the form SET/LABELLER/VERSION, such as capabilities/rules/2.")
        return cls(label_set(match[1]).name, match[2], int(match[3]))

    def record(self) -> dict[str, object]:
        """The source as a published board names it."""
        return {"set": self.set, "labeller": self.labeller, "version": self.version}

    def __str__(self) -> str:
        """The form that `parse` reads."""
        return f"{self.set}/{self.labeller}/{self.version}"


CAST: Final = LabelSource("capabilities", RULES, 1)
"""The category that a vote has from the moment when it was cast; it is a column of the vote and no row."""


@cache
def set_names() -> tuple[str, ...]:
    """The names of all sets."""
    return names_in(_FOLDER)


@cache
def label_set(name: str) -> LabelSet:
    """A set by its name.

    Raises:
        Invalid: There is none of this name.
    """
    return read_named(_FOLDER, name, LabelSet, "label set")


def rule_source(name: str) -> LabelSource:
    """The rules of a set, in their newest version.

    Raises:
        Invalid: There is no set of this name.
    """
    return LabelSource(label_set(name).name, RULES, RULES_VERSION)


def areas_of(prompts: Sequence[str]) -> tuple[str, ...]:
    """The areas of a conversation, the surest first."""
    return tuple(dict.fromkeys(AREAS[prompt] for prompt in capabilities_of(prompts)))


LABEL_RULES: Final[Mapping[str, Callable[[Sequence[str]], Sequence[str]]]] = {
    "capabilities": capabilities_of,
    "flags": flags_of,
    "areas": areas_of,
}
"""The rules of each set, version `RULES_VERSION`."""
