"""Tables of questions: TencentLLMEval's spreadsheets, CMMLU's CSV, other tables, and lines of text."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from string import ascii_uppercase
from typing import Final, cast

from arena.adapters.row_files.csv_rows import CsvRow
from arena.adapters.row_files.rows import NoText, Unusable, distinct_names, shown
from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject
from arena.evaluations.domain.people.protocols import is_number
from arena.evaluations.usecases.sets.formats import dialogues
from arena.evaluations.usecases.sets.formats.fields import (
    PLANNED,
    Fields,
    Row,
    Spellings,
    Unused,
    by_header,
    check_cells,
    name_by_content,
    parse_rows,
    require,
    text,
)
from arena.evaluations.usecases.sets.formats.heads import columns_of

LETTERS: Final = "ABCD"
_HAN: Final = "[一二三四五六七八九十百]"
_BULLET: Final = re.compile(
    rf"""
    \s* (?: (?: [-*•] | \d{{1,4}}[.)、．] ) \s+ | \d{{1,4}}[、．](?!\d+、)
    | {_HAN}{{1,4}}、(?!{_HAN}) | （{_HAN}{{1,4}}） )
    """,
    re.VERBOSE,
)
"""A number or bullet before a question; a number that begins a list, as in "1、2、3", is none."""
_REMEDY: Final = "Rename one in the file, or take it by `arena questions import --column FIELD=COLUMN`."
_MAX_SHOWN: Final = 30
"""Most columns that a message names."""
TREE_HEADS: Final = frozenset({"一级分类", "major areas"})
_TENCENT: Final = (
    *({"一级类目", "二级类目"}, {"domain area", "tasks"}),
    *({head} for head in sorted(TREE_HEADS)),
)
"""Heads by which TencentLLMEval's four spreadsheets are known: two of questions and two of the task tree."""
_FIELDS: Final = (
    *("id", "prompt", "turns", "area", "category", "task"),
    *("difficulty", "hint", "reference", "options", "key", "answers"),
)
_NONE: Final[tuple[object, ...]] = ()
_TENCENT_FIELDS: Final = frozenset({"id", "prompt", "area", "category", "reference"})


def tencent(rows: Iterable[tuple[int, list[object]]], unused: Unused) -> Iterator[Row]:
    """Read TencentLLMEval's questions or task tree, Chinese or English.

    In a task tree, a blank area or category is that of the row above, as cells are merged. `unused` gets the columns
    that are not used.

    Raises:
        Invalid: There is no column for the question.
    """
    header, result = sheet_table(rows)
    fields = {column: field for field, column in columns_of(header).items() if field in _TENCENT_FIELDS}
    if "prompt" not in fields.values():
        raise _no_question(header)
    columns = [fields.get(name, name) for name in distinct_names(header)]
    has_merged_cells = not TREE_HEADS.isdisjoint(head.casefold() for head in header)
    heads = {field: column for column, field in fields.items()}
    return parse_rows(by_header(columns, result), _Tencent(heads, unused, has_merged_cells=has_merged_cells))


def sheet_table(rows: Iterable[tuple[int, list[object]]]) -> tuple[list[str], Iterator[tuple[int, list[object]]]]:
    """The heads of a spreadsheet, from its first row with a value, and the rows below."""
    result, blank = iter(rows), (0, list[object]())
    return [cell.text if isinstance(cell, NoText) else text(cell) or "" for cell in next(result, blank)[1]], result


def is_tencent(header: Iterable[str]) -> bool:
    """Whether a spreadsheet has the heads of TencentLLMEval's, of which nobody else has all."""
    heads = {head.casefold() for head in header}
    return any(signature <= heads for signature in _TENCENT)


def _no_question(header: Iterable[str]) -> Invalid:
    """The error of a table without a column for the question, with the columns that it has, or without anything."""
    names = [shown(name) for name in header if name][:_MAX_SHOWN]
    return Invalid(rule="question_column", names=names) if names else Invalid(rule="file_empty")


class _Tencent:
    """A parser of rows that fills merged cells from the rows above."""

    def __init__(self, heads: Mapping[str, str], unused: Unused, *, has_merged_cells: bool) -> None:
        self._heads, self._unused = heads, unused
        self._has_merged_cells = has_merged_cells
        self._values_above: dict[str, str | None] = {}
        self._spellings = Spellings()

    def __call__(self, row: dict[str, object]) -> Fields:
        self._unused.note(row, _TENCENT_FIELDS)
        check_cells(row, self._heads)
        area, category = self._place(row, "area"), self._place(row, "category")
        node = {"area": area, "category": category}
        if self._has_merged_cells and area is not None:
            prompt = text(row.get("prompt"))
            return {**node, PLANNED: prompt and self._question(row, node, prompt)}
        return self._question(row, node, require(row, "prompt"))

    def _question(self, row: dict[str, object], node: dict[str, str | None], prompt: str) -> Fields:
        area, category, reference = node["area"], node["category"], text(row.get("reference"))
        is_dialogue = (area or "").casefold() in dialogues.AREAS
        return {
            "id": text(row.get("id")) or name_by_content(area or "", category or "", prompt),
            "turns": dialogues.turns(prompt) if is_dialogue else [dialogues.one_text(prompt)],
            **node,
            "reference": reference and dialogues.one_text(reference),
        }

    def _place(self, row: JsonObject, level: str) -> str | None:
        if not self._has_merged_cells and level == "area" and row.get(level) is None:
            raise Unusable("area: blank; of merged cells only the first row has it", rule="missing", column="area")
        name = self._spellings.of(text(row.get(level)))
        if self._has_merged_cells and name is None:
            return self._values_above.get(level)
        if name != self._values_above.get(level) and level == "area":
            self._values_above["category"] = None
        self._values_above[level] = name
        return name


def cmmlu(rows: Iterable[CsvRow], subject: str) -> Iterator[Row]:
    """Read a subject of CMMLU: number, question, four options and the letter of the right one."""

    def parse(row: dict[str, object]) -> Fields:
        return {
            "id": f"{subject}-{text(row.get('')) or name_by_content(str(row))}",
            "turns": [require(row, "Question")],
            "area": subject.replace("_", " "),
            "options": [require(row, letter) for letter in LETTERS],
            "key": require(row, "Answer"),
        }

    return parse_rows(rows, parse)


def lines(text: Iterable[str]) -> Iterator[Row]:
    """Read plain text: each non-blank line is a question, without a number or bullet before it."""
    for number, line in enumerate(text, start=1):
        mark = _BULLET.match(line)
        if prompt := line[mark.end() if mark else 0 :].strip():
            yield number, {"id": name_by_content(prompt), "turns": [prompt]}


def by_columns(header: list[str], rows: Iterable[Row], columns: Mapping[str, str], unused: Unused) -> Iterator[Row]:
    """Read any table; `columns` are names of columns by field, if these are not the usual ones.

    `unused` gets the columns that hold something and are not used.

    Raises:
        Invalid: A column is missing, or a field is unknown.
    """
    if unknown := sorted(set(columns) - set(_FIELDS)):
        raise Invalid(f"No field {shown(unknown[0])} can be taken from a column; there are: {', '.join(_FIELDS)}.")
    places = {**columns_of(header, columns.values()), **columns}
    if absent := [f"{shown(name)} for {field}" for field, name in columns.items() if name not in header]:
        names = ", ".join(shown(name) for name in header[:_MAX_SHOWN]) or "none"
        raise Invalid(f"No column {', '.join(absent)}; there are: {names}. {_REMEDY}")
    if not {"prompt", "turns"} & set(places):
        raise _no_question(header)
    if {"prompt", "turns"} <= set(places):
        del places["prompt" if "turns" in columns else "turns"]
    return parse_rows(rows, _AnyTable(places, unused))


class _AnyTable:
    """A parser of rows of any table by the column of each field, and of each option by its letter."""

    def __init__(self, places: Mapping[str, str], unused: Unused) -> None:
        self._places, self._unused = places, unused
        self._fields = [field for field in _FIELDS if field in places]
        self._letters = [places[letter] for letter in ascii_uppercase if letter in places]

    def __call__(self, row: dict[str, object]) -> Fields:
        self._unused.note(row, self._places.values())
        check_cells(row, {name: name for name in self._places.values()})
        fields = {field: self._value(field, row) for field in self._fields}
        self._note_lost(row, fields)
        turns = fields.pop("prompt", None) or fields["turns"]
        if isinstance(fields.get("reference"), list):
            fields |= {"answers": fields["reference"], "reference": None}
        options = self._options(row) or _texts(fields.get("options"))
        if options and "key" not in self._places and (key := _letter_of(fields.get("reference"), options)):
            fields |= {"key": key, "reference": _unless_letter(fields.get("reference"), key)}
        elif options and (key := _letter_of(fields.get("key"), options)):
            fields["key"] = key
        name = fields.get("id") or name_by_content(*_texts(turns))
        return {**fields, "id": name, "turns": turns, "options": options, "answers": fields.get("answers") or _NONE}

    def _options(self, row: dict[str, object]) -> list[str]:
        """The options by letter up to the last one that is filled; one left out before it would move the letters."""
        filled = [place for place, name in enumerate(self._letters, 1) if text(row.get(name))]
        return [require(row, name) for name in self._letters[: max(filled, default=0)]]

    def _note_lost(self, row: dict[str, object], fields: Fields) -> None:
        """Note the columns whose cell is not blank and gives no field."""
        lost = {self._places[field] for field, value in fields.items() if not value}
        self._unused.note(row, {*self._places.values()} - {name for name in lost if not _is_blank(row.get(name))})

    def _value(self, field: str, row: dict[str, object]) -> object:
        """The value of a field: a list of texts or of ranked answers, or one text; None if its cell holds neither."""
        place = self._places[field]
        parts = _elements(row.get(place))
        if field in {"prompt", "turns"}:
            return [require(row, place)] if parts is None or field == "prompt" else parts
        if field == "options":
            return _by_letter(row.get(place)) if parts is None else _texts(parts)
        is_ranked = bool(parts) and all(isinstance(part, dict) for part in parts or ())
        if field == "answers" or (field == "reference" and is_ranked):
            return parts if is_ranked else None
        if isinstance(row.get(place), list):
            return "\n\n".join(_texts(parts))
        return text(row.get(place))


def _letter_of(answer: object, options: Sequence[str]) -> str | None:
    """The letter of an option, if the answer is one, also in full width, or is the option's text; None if neither.

    Raises:
        Unusable: It is a letter of no option.
    """
    if not isinstance(answer, str):
        return None
    letters = ascii_uppercase[: len(options)]
    letter = _unless_text(answer)
    if letter and letter in letters:
        return letter
    if options.count(answer) == 1 and not is_number(answer):
        return letters[options.index(answer)]
    if letter is None or answer in options:
        return None
    last = letters[-1]
    raise Unusable(f"answer {shown(answer)} is none of A to {last}", rule="letter", value=shown(answer), last=last)


def _unless_text(answer: str) -> str | None:
    """The letter that an answer is, as a capital; None if it is a text."""
    letter = unicodedata.normalize("NFKC", answer).upper()
    return letter if len(letter) == 1 and letter in ascii_uppercase else None


def _unless_letter(answer: object, key: str) -> object:
    """An answer that says more than the letter of the right option, which stays the reference; None of the letter."""
    return None if isinstance(answer, str) and _unless_text(answer) == key else answer


def _elements(cell: object) -> list[object] | None:
    """The elements of a list, also of one that a cell of a table has as JSON; None of anything else."""
    result = _parsed(cell, "[")
    return cast("list[object]", result) if isinstance(result, list) else None


def _by_letter(cell: object) -> list[str]:
    """The options of an object that names them from A on without a gap, in this order; none of anything else."""
    result = _parsed(cell, "{")
    entries = cast("dict[str, object]", result).items() if isinstance(result, dict) else ()
    options = {name.strip().upper(): option for name, value in entries if (option := text(value))}
    return [options[letter] for letter in sorted(options)] if {*options} == {*ascii_uppercase[: len(options)]} else []


def _parsed(cell: object, start: str) -> object:
    """The value of a cell that has JSON beginning with this character; any other cell as it is."""
    if isinstance(cell, str) and cell.lstrip().startswith(start):
        with suppress(ValueError, RecursionError):
            return cast("object", json.loads(cell))
    return cell


def _texts(parts: object) -> list[str]:
    """The texts and numbers among the elements of a list."""
    return [part for element in cast("list[object]", parts or []) if (part := text(element))]


def _is_blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and text(cell) is None)
