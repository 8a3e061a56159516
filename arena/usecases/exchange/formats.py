"""Formats of vote files: the arena's own, Chatbot Arena's battles, and CSV with columns of any names."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, StrictBool

from arena.adapters.row_files.rows import BadRow, Unusable, mapping, shown
from arena.domain.errors import Invalid
from arena.domain.terms import Format, NotCounted, Outcome
from arena.usecases.exchange import fields, layouts
from arena.usecases.exchange.chat_labels import NOTHING_SAID, battle_prompts, labels_of
from arena.usecases.exchange.export_format import NAME, VERSION
from arena.usecases.exchange.imported_votes import ColumnNames, Ids, ImportedVote, Voters, usual_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from arena.adapters.row_files.csv_rows import CsvRow
    from arena.adapters.row_files.json_rows import JsonRow

    Row = Mapping[str, object]
    Votes = Iterator[ImportedVote | BadRow]

_TO_JSON: Final = json.JSONEncoder().encode
"""A text as JSON, in a third of the time of `json.dumps`."""
_winner_word = lru_cache(fields.MAX_CELLS)(fields.winner_word)
_OWN_REASONS: Final = frozenset(NotCounted)
_IDENTITY: Final = ("question_id", "id", "model_a", "model_b", "winner", "judge", "tstamp")
"""Fields that identify one of Chatbot Arena's battles; later scripts have added others."""
_OTHER_NAMES: Final = {"tstamp": "timestamp", "judge": "evaluation_session_id"}
"""Names of fields in later releases; ids do not depend on them, so an earlier import stays known."""
_COLUMNS_SHOWN: Final = 30
_WINNER: Final = "winner"


class _OwnVote(BaseModel):
    id: fields.Id
    a: fields.Name
    b: fields.Name
    outcome: Outcome
    voter: fields.Voter = None
    language: fields.Language = None
    category: fields.Category = None
    style: fields.Counts = None
    turns: fields.Turns = None
    seconds: fields.Seconds = None
    created_at: fields.Moment = None
    number: fields.Number = None
    probability: fields.Probability = None
    counted: StrictBool | None = None
    reason: fields.Reason = None


class _Battle(BaseModel):
    model_a: fields.Name
    model_b: fields.Name
    winner: fields.Winner
    judge: Annotated[fields.Voter, fields.IF_FIT] = None
    turn: Annotated[fields.Turns, fields.IF_FIT] = None
    tstamp: Annotated[fields.Moment, fields.IF_FIT] = None


def own_votes(rows: Iterable[JsonRow]) -> Votes:
    """Votes of an export: JSON lines without prompts and answers.

    They keep their ids, by which an import recognises votes that the log has already.
    """
    voters, ids = Voters(Format.ARENA), set[str]()

    def parse(line: int, row: Row) -> ImportedVote:
        for field, expected in (("format", NAME), ("version", VERSION)):
            if row.get(field) != expected:
                raise Unusable(f"{field}: not {expected!r}: {shown(row.get(field))}")
        vote = fields.parsed(_OwnVote, row)
        if vote.id in ids:
            raise Unusable(f"id: an earlier line has it too: {shown(vote.id)}")
        fields.check_different(vote.a, vote.b, ("a", "b"))
        if vote.counted is not (vote.reason is None):
            raise Unusable(f"counted: {fields.REASONS['counted']}")
        ids.add(vote.id)
        is_own_reason = vote.reason in _OWN_REASONS
        return ImportedVote(
            line=line,
            id=vote.id,
            a=vote.a,
            b=vote.b,
            outcome=vote.outcome,
            voter=voters.key(vote.voter, vote.id),
            language=vote.language,
            category=vote.category,
            style=vote.style,
            turns=vote.turns,
            seconds=vote.seconds,
            created_at=vote.created_at,
            not_counted=NotCounted(vote.reason) if is_own_reason else None,
            excluded=None if is_own_reason else vote.reason,
            number=vote.number,
            probability=vote.probability,
        )

    return _parsed(rows, parse)


def battles(rows: Iterable[JsonRow], path: Path, *, texts: bool = False) -> Votes:
    """Votes of Chatbot Arena's battles, in the form of its cleaning script and public releases, as array or JSON lines.

    It reads `model_a`, `model_b`, `winner`, `judge` (or `evaluation_session_id`), `language`, `turn`, `tstamp` (or
    `timestamp`), `question_id` (or `id`) and `anony`; with `texts` also the prompts of `conversation_a`, for labels.
    `layouts` has others that are read like these.

    Raises:
        Invalid: The rows have another layout.
    """
    ids, voters = Ids(Format.CHATBOT_ARENA), Voters(Format.CHATBOT_ARENA)

    def parse(line: int, row: Row) -> ImportedVote:
        if str(row.get("anony")).lower() in {"false", "0"}:
            raise Unusable("anony: the names were visible, so the vote was not blind")
        others = {usual: row.get(other) for usual, other in _OTHER_NAMES.items() if row.get(usual) is None}
        battle = fields.parsed(_Battle, dict(row) | others)
        fields.check_different(battle.model_a, battle.model_b, ("model_a", "model_b"))
        vote_id = ids.next(json.dumps([row.get(field) for field in _IDENTITY]))
        labels = labels_of(battle_prompts(row)) if texts else NOTHING_SAID
        return ImportedVote(
            line=line,
            id=vote_id,
            a=battle.model_a,
            b=battle.model_b,
            outcome=battle.winner,
            voter=voters.key(battle.judge, vote_id),
            language=fields.language_name(row.get("language")) or labels.language,
            category=labels.category,
            turns=battle.turn,
            created_at=battle.tstamp,
        )

    return _parsed(layouts.battle_rows(rows, path), parse)


def named_columns(header: list[str], rows: Iterable[CsvRow], columns: ColumnNames | None) -> Votes:
    """Votes of CSV rows, by `columns`, or if that is None, by columns with usual names.

    Raises:
        Invalid: A required column is missing or not unique; the detail names the columns of the file.
    """
    if columns is None and _has_shares(header):
        header, rows = [*header, _WINNER], map(_with_winner, rows)
    names = _columns_by_role(header, columns or usual_columns(header))
    ids, voters = Ids(Format.CSV), Voters(Format.CSV)
    left, right, winner = (
        fields.CellCheck[str](names[role], role, fields.Name) for role in ("left", "right", "winner")
    )
    voter = (
        fields.CellCheck[str | None](names["voter"], "voter", Annotated[fields.Voter, fields.IF_FIT])
        if "voter" in names
        else None
    )
    starts = [(name, f"[{_TO_JSON(name)}, ") for name in sorted(set(header))]

    def parse(line: int, row: Row) -> ImportedVote:
        a, b, word, person = left.cell(row), right.cell(row), winner.cell(row), voter and voter.cell(row)
        fields.check_different(a, b, (left.column, right.column))
        # From all cells, so that a row has the same id with other options; the JSON of its sorted items.
        vote_id = ids.next("[" + ", ".join([f"{start}{_TO_JSON(row[name])}]" for name, start in starts]) + "]")
        outcome = _outcome(word, a, b, winner.column)
        return ImportedVote(line=line, id=vote_id, a=a, b=b, outcome=outcome, voter=voters.key(person, vote_id))

    return _parsed(rows, parse)


def _has_shares(header: list[str]) -> bool:
    return set(layouts.SHARES) <= set(header) and _WINNER not in header


def _with_winner(row: CsvRow) -> CsvRow:
    """A row with the winner from three columns."""
    line, cells = row
    try:
        return line, cells if isinstance(cells, Unusable) else {**cells, _WINNER: layouts.winner_of_shares(cells)}
    except Unusable as error:
        return line, error


def _parsed(rows: Iterable[tuple[int, object]], parse: Callable[[int, Row], ImportedVote]) -> Votes:
    """Parse the rows; an unusable one becomes a `BadRow`."""
    for line, value in rows:
        try:
            yield parse(line, mapping(value))
        except Unusable as error:
            yield BadRow(line, str(error))


def _columns_by_role(header: list[str], columns: ColumnNames | None) -> dict[str, str]:
    """The names of the columns by role, after a check that the header has each exactly once."""
    header_text = ", ".join(shown(name) for name in header[:_COLUMNS_SHOWN]) or "none"
    if columns is None:
        raise Invalid(
            f"There are no columns model_a, model_b and winner, but {header_text}; rename them in the file, or name"
            " them on the command line with --left, --right and --winner."
        )
    names = {role: name for role, name in asdict(columns).items() if name is not None}
    if missing := [name for name in names.values() if name not in header]:
        raise Invalid(f"No column {', '.join(shown(name) for name in missing)}; there are: {header_text}.")
    if repeats := [name for name in names.values() if header.count(name) > 1]:
        raise Invalid(f"More than one column {shown(repeats[0])}; there are: {header_text}.")
    return names


def _outcome(winner: str, left: str, right: str, column: str) -> Outcome:
    """The outcome from a word for the winner or from its name; Unusable if it is neither, or both and they differ."""
    word = _winner_word(winner)
    outcome = Outcome.A if winner == left else Outcome.B if winner == right else word
    if outcome is None:
        raise Unusable(f"{column}: {fields.REASONS['winner']}: {shown(winner)}")
    if word not in {None, outcome}:
        raise Unusable(f"{column}: {shown(winner)} is the name of one model and a word for another outcome")
    return outcome
