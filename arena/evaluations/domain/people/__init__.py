"""Evaluations by people as values: protocols, who meets whom on which question, and who annotates what."""

from arena.evaluations.domain.people.assignment import disputed, overlap_is_due, repeat_is_due, repeat_of
from arena.evaluations.domain.people.designs import DESIGNS, drawn_pairs, pairs
from arena.evaluations.domain.people.protocols import (
    SKIP,
    check_question,
    check_reference,
    form_named,
    form_of,
    names,
    protocol,
    right_answer,
    scores,
    turned,
    written,
)

__all__ = (
    "DESIGNS",
    "SKIP",
    "check_question",
    "check_reference",
    "disputed",
    "drawn_pairs",
    "form_named",
    "form_of",
    "names",
    "overlap_is_due",
    "pairs",
    "protocol",
    "repeat_is_due",
    "repeat_of",
    "right_answer",
    "scores",
    "turned",
    "written",
)
