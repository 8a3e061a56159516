"""Formats of vote files: the arena's own, Chatbot Arena's battles, and CSV whose columns the caller names."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, StrictBool

from arena.adapters.row_files.rows import BadRow, Unusable, mapping, shown
from arena.domain.errors import Invalid
from arena.domain.terms import Format, NotCounted, Outcome
from arena.usecases.exchange import fields
from arena.usecases.exchange.chat_labels import NOTHING_SAID, battle_prompts, labels_of
from arena.usecases.exchange.export_format import NAME, VERSION
from arena.usecases.exchange.imported_votes import ColumnNames, Ids, ImportedVote, Voters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from arena.adapters.row_files.csv_rows import CsvRow
    from arena.adapters.row_files.json_rows import JsonRow

    Row = Mapping[str, object]
    Votes = Iterator[ImportedVote | BadRow]

_WORDS: Final = frozenset(NotCounted)
_IDENTITY: Final = ("question_id", "id", "model_a", "model_b", "winner", "judge", "tstamp")
"""Fields of Chatbot Arena's battles that make a battle the same, whatever columns later scripts have added to it."""
_NAMED: Final = 30
_USUAL: Final = (
    ("left", "model_a", "a", "model_1", "left_model"),
    ("right", "model_b", "b", "model_2", "right_model"),
    ("winner", "outcome", "preference", "vote"),
    ("voter", "judge", "worker", "annotator", "user", "user_id"),
)
"""Usual columns of the left and the right model, the winner and the voter, the likeliest first."""


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
    judge: fields.Voter = None
    turn: fields.Turns = None
    tstamp: fields.Moment = None


class _Cells(BaseModel):
    left: fields.Name
    right: fields.Name
    winner: fields.Name
    voter: fields.Voter = None


def own_votes(rows: Iterable[JsonRow]) -> Votes:
    """Votes of an export: JSON lines without any prompt or answer.

    They keep their ids, so those that the log already holds are recognised.
    """
    voters, seen = Voters(Format.ARENA), set[str]()

    def parse(line: int, row: Row) -> ImportedVote:
        for field, expected in (("format", NAME), ("version", VERSION)):
            if row.get(field) != expected:
                raise Unusable(f"{field}: not {expected!r}: {shown(row.get(field))}")
        vote = fields.parsed(_OwnVote, row)
        if vote.id in seen:
            raise Unusable(f"id: an earlier line has it too: {shown(vote.id)}")
        fields.check_different(vote.a, vote.b, ("a", "b"))
        if vote.counted is not (vote.reason is None):
            raise Unusable(f"counted: {fields.REASONS['counted']}")
        seen.add(vote.id)
        is_own_reason = vote.reason in _WORDS
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


def battles(rows: Iterable[JsonRow], *, texts: bool = False) -> Votes:
    """Chatbot Arena's battles, as its cleaning script and its public releases write them: a JSON array or JSON lines.

    Read are `model_a`, `model_b`, `winner`, `judge`, `language`, `turn`, `tstamp`, `question_id` (or `id`) and `anony`;
    with `texts` also the prompts of `conversation_a`, for labels.
    """
    ids, voters = Ids(Format.CHATBOT_ARENA), Voters(Format.CHATBOT_ARENA)

    def parse(line: int, row: Row) -> ImportedVote:
        if str(row.get("anony")).lower() in {"false", "0"}:
            raise Unusable("anony: the names were visible, so the vote was not blind")
        battle = fields.parsed(_Battle, row)
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

    return _parsed(rows, parse)


def named_columns(header: list[str], rows: Iterable[CsvRow], columns: ColumnNames | None) -> Votes:
    """Votes of CSV rows, by the columns that the caller names, or else by usual names.

    Raises:
        Invalid: A column that is needed is not there; the detail names those that are.
    """
    names = _checked(header, columns or _usual(header))
    ids, voters = Ids(Format.CSV), Voters(Format.CSV)

    def parse(line: int, row: Row) -> ImportedVote:
        vote = fields.parsed(_Cells, {role: row[name] for role, name in names.items()}, names)
        fields.check_different(vote.left, vote.right, (names["left"], names["right"]))
        # All cells, so that reading with other options does not import a row again.
        vote_id = ids.next(json.dumps(sorted(row.items())))
        outcome, voter = _outcome(vote, names["winner"]), voters.key(vote.voter, vote_id)
        return ImportedVote(line=line, id=vote_id, a=vote.left, b=vote.right, outcome=outcome, voter=voter)

    return _parsed(rows, parse)


def _parsed(rows: Iterable[tuple[int, object]], parse: Callable[[int, Row], ImportedVote]) -> Votes:
    """Parse row after row; one that cannot be used becomes a `BadRow` and the next one follows."""
    for line, value in rows:
        try:
            yield parse(line, mapping(value))
        except Unusable as error:
            yield BadRow(line, str(error))


def _usual(header: list[str]) -> ColumnNames | None:
    """The columns with usual names, whatever their capitals and spaces; None without both models and the winner."""
    there = {name.strip().casefold().replace(" ", "_"): name for name in reversed(header)}
    left, right, winner, voter = (next((there[name] for name in names if name in there), None) for names in _USUAL)
    return ColumnNames(left, right, winner, voter) if left and right and winner else None


def _checked(header: list[str], columns: ColumnNames | None) -> dict[str, str]:
    """The named columns by their roles, each of which the header has once."""
    there = ", ".join(shown(name) for name in header[:_NAMED]) or "none"
    if columns is None:
        raise Invalid(f"Name the columns with --left, --right and --winner; there are: {there}.")
    names = {role: name for role, name in asdict(columns).items() if name is not None}
    if missing := [name for name in names.values() if name not in header]:
        raise Invalid(f"No column {', '.join(shown(name) for name in missing)}; there are: {there}.")
    if twice := [name for name in names.values() if header.count(name) > 1]:
        raise Invalid(f"More than one column {shown(twice[0])}; there are: {there}.")
    return names


def _outcome(row: _Cells, column: str) -> Outcome:
    """From a word for the winner or the winner's own name; ambiguous if a model is named like such a word."""
    word = fields.winner_word(row.winner)
    named = {row.left: Outcome.A, row.right: Outcome.B}.get(row.winner)
    outcome = named or word
    if outcome is None:
        raise Unusable(f"{column}: {fields.REASONS['winner']}: {shown(row.winner)}")
    if word not in {None, outcome}:
        raise Unusable(f"{column}: {shown(row.winner)} is the name of one model and a word for another outcome")
    return outcome
