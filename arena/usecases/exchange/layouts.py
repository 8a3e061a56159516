"""Layouts of comparisons by other programs, as fields of Chatbot Arena's battles.

- LMSYS's competition of 2024 (`lmsys-arena-human-preference-55k`): the winner in three columns of 0 and 1.
- MT-bench's pairs by a model (lm-sys/FastChat, `gen_judgment.py`, mode pairwise): both orders of a question,
  `g1_winner` and `g2_winner`; an order that ends otherwise makes a tie, as in its `show_result.py`.
- AlpacaEval's `annotations.json` (tatsu-lab/alpaca_eval): `preference` from 1 for the first output to 2 for the second;
  1.5, and 0 in earlier versions, is a tie.

Where a model has judged, what depends on each other are the judgements of one question, so that is the voter.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Final, cast

from arena.adapters.row_files.rows import Unusable, mapping, shown
from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from arena.adapters.row_files.json_rows import JsonRow
    from arena.domain.terms import JsonObject

SHARES: Final = {"winner_model_a": "model_a", "winner_model_b": "model_b", "winner_tie": "tie"}
"""Columns in place of the winner, and the word for each."""
_PAIRS: Final = ("model_1", "model_2", "g1_winner", "g2_winner")
_ANNOTATIONS: Final = ("generator_1", "generator_2", "preference")
_BATTLE: Final = ("model_a", "model_b")
_LOOKED_AT: Final = 20
"""First rows of a file that tell its layout."""
_FIELDS_SHOWN: Final = 12
_SIDES: Final = {"model_1": "model_a", "model_2": "model_b", "tie": "tie"}
_EVEN: Final = 1.5
READ: Final = (
    "votes are read from the arena's export, Open WebUI's export of feedback, battles with model_a, model_b and winner"
    " (Chatbot Arena, LMSYS), pairs of MT-bench, annotations of AlpacaEval, and CSV"
)


def battle_rows(rows: Iterable[JsonRow], path: Path) -> Iterator[JsonRow]:
    """The rows with the fields of battles, whatever layout they have.

    Raises:
        Invalid: None of the first rows has a layout that is read; the detail has their fields.
    """
    iterator = iter(rows)
    first = list(islice(iterator, _LOOKED_AT))
    values = [cast("JsonObject", value) for _, value in first if isinstance(value, dict)]
    adapt = next((adapt for value in values if (adapt := _adapter(value))), None)
    if adapt is None and values:
        names = list(dict.fromkeys(name for value in values for name in value))
        fields = ", ".join(shown(name) for name in names[:_FIELDS_SHOWN])
        raise Invalid(f"{path}: JSON with the fields {fields or 'none'}; {READ}.")
    for line, value in chain(first, iterator):
        try:
            yield line, value if adapt is None else adapt(mapping(value))
        except Unusable as error:
            yield line, error


def winner_of_shares(row: Mapping[str, object]) -> str:
    """The word for the winner from the three columns; raises `Unusable` if not exactly one is 1."""
    words = [word for name, word in SHARES.items() if str(row.get(name)).strip() in {"1", "1.0", "True", "true"}]
    if len(words) != 1:
        values = ", ".join(f"{name} {shown(row.get(name))}" for name in SHARES)
        raise Unusable(f"{values}: not one 1 and two 0")
    return words[0]


def _adapter(row: Mapping[str, object]) -> Callable[[Mapping[str, object]], dict[str, object]] | None:
    """The function that makes fields of battles of rows with the names of this one."""
    layouts = ((_BATTLE, _battle), (_PAIRS, _pair), (_ANNOTATIONS, _annotation))
    return next((adapt for names, adapt in layouts if all(name in row for name in names)), None)


def _battle(row: Mapping[str, object]) -> dict[str, object]:
    if row.get("winner") is None and set(SHARES) <= set(row):
        return dict(row) | {"winner": winner_of_shares(row)}
    return dict(row)


def _pair(row: Mapping[str, object]) -> dict[str, object]:
    orders = [row["g1_winner"], row["g2_winner"]]
    if unknown := [order for order in orders if order not in _SIDES]:
        raise Unusable(f"g1_winner, g2_winner: none of {', '.join(_SIDES)}: {shown(unknown[0])}")
    winner = _SIDES[str(orders[0])] if orders[0] == orders[1] else "tie"
    names = {"model_a": row["model_1"], "model_b": row["model_2"], "winner": winner}
    return dict(row) | names | {"judge": _question(row.get("question_id"))}


def _annotation(row: Mapping[str, object]) -> dict[str, object]:
    preference = row["preference"]
    if isinstance(preference, bool) or not isinstance(preference, int | float) or not 0 <= preference <= 2:
        raise Unusable(f"preference: not a number from 1 to 2: {shown(preference)}")
    is_tie = preference in {0, _EVEN}
    winner = "tie" if is_tie else "model_a" if preference < _EVEN else "model_b"
    names = {"model_a": row["generator_1"], "model_b": row["generator_2"], "winner": winner}
    return dict(row) | names | {"judge": _question(row.get("instruction"))}


def _question(value: object) -> str | None:
    """The name of a question, in whose place a model judges like a person."""
    return None if value is None else f"question {value}"[:1_000]
