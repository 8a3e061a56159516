"""Reasons that are stored as English sentences, and the rule and figures by which pages say them in other languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_BLANK: Final = re.compile(r"\\\{(\w+)\\\}")
STOPS: Final = {
    "state": "it is {state}",
    "barred": "its owner no longer allows {use}",
    "spent": "its calls for {use} are spent for today (UTC)",
    "failures": "it failed {limit} times in a row, last with {error}",
    "failure": "a call failed: {error}",
    "unexpected": "an unexpected error ({error}), of which the log has more",
}
"""Reasons for which a run stops asking a model."""


def rule_of(reason: str, sentences: Mapping[str, str]) -> tuple[str, dict[str, str]] | None:
    """The rule of the sentence that a reason is, and what fills its blanks; None if it is none of them."""
    for rule, sentence in sentences.items():
        pattern = _BLANK.sub(r"(?P<\1>.+)", re.escape(sentence))
        if match := re.fullmatch(pattern, reason):
            return rule, match.groupdict()
    return None
