"""Formats of question files: detection by the beginning of a file, parser, and facts of the source."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from typing import Final, cast

from arena.adapters.row_files.row_file import RowFile
from arena.adapters.row_files.rows import distinct_names, mapping, shown
from arena.domain.errors import Invalid
from arena.domain.terms import QuestionFormat
from arena.evaluations.domain.questions import FORMAT
from arena.evaluations.usecases.sets.formats import benchmarks, tables
from arena.evaluations.usecases.sets.formats.fields import Row, Unused, by_header, parse_rows
from arena.evaluations.usecases.sets.formats.heads import columns_of

_KEYS: Final = re.compile(rb'"(\w+)"\s*:')
_START_BYTES: Final = 2**16
_FIELDS_SHOWN: Final = 12
_LOOKED_AT: Final = 200
"""First rows of JSON whose fields are its columns."""
_SIGNATURES: Final = (
    (QuestionFormat.ARENA, {b"format", b"licence"}),
    (QuestionFormat.LLMEVAL2, {b"question_uuid", b"dialog"}),
    (QuestionFormat.HUMANRANKEVAL, {b"question", b"answers", b"votes"}),
    (QuestionFormat.ARENA_HARD, {b"uid", b"prompt"}),
    (QuestionFormat.ARENA_HARD, {b"cluster", b"turns"}),
    (QuestionFormat.MT_BENCH, {b"question_id", b"turns"}),
    (QuestionFormat.ALIGNBENCH, {b"question_id", b"question", b"subcategory"}),
)
"""Keys near the beginning of a JSON file by which its format is detected; the first match is used."""
_FACTS: Final[Mapping[QuestionFormat, dict[str, str]]] = {
    QuestionFormat.TENCENT: {"source": "xsysigma/TencentLLMEval", "licence": "academic research only"},
    QuestionFormat.LLMEVAL2: {"source": "llmeval/llmeval-2", "language": "zh"},
    QuestionFormat.MT_BENCH: {"source": "lm-sys/FastChat", "licence": "Apache-2.0", "language": "en"},
    QuestionFormat.ARENA_HARD: {"source": "lmarena/arena-hard-auto", "licence": "Apache-2.0"},
    QuestionFormat.ALIGNBENCH: {"source": "THUDM/AlignBench", "language": "zh"},
    QuestionFormat.CMMLU: {"source": "haonan-li/CMMLU", "licence": "CC BY-NC-SA 4.0", "language": "zh"},
    QuestionFormat.HUMANRANKEVAL: {"source": "huawei-noah/noah-research", "language": "en"},
}


class UnknownFormat(Invalid):
    """A file is of no format of questions."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The facts about a set in its file, and its rows as fields of questions.

    `unused` has the columns of a table that hold something and are not used, once the rows have been read.
    """

    format: QuestionFormat
    facts: Mapping[str, object]
    rows: Iterator[Row]
    unused: Unused = field(default_factory=Unused)


def facts_of(format: QuestionFormat) -> Mapping[str, str]:
    """Facts of the source of a format."""
    return _FACTS.get(format, {})


def contents(
    file: RowFile,
    format: QuestionFormat | None,
    columns: Mapping[str, str],
) -> Contents:
    """Read a file lazily; None detects its format.

    Raises:
        Invalid: The format is unknown, or the file does not have it.
    """
    result = format or _detect(file, columns)
    stem = file.path.name.split(".")[0]
    if result is QuestionFormat.ARENA:
        return _native(file)
    if result is QuestionFormat.TENCENT:
        unused = Unused()
        return Contents(result, {}, tables.tencent(file.sheet(), unused), unused)
    if result is QuestionFormat.TEXT:
        return Contents(result, {}, tables.lines(file.lines()))
    if result is QuestionFormat.CMMLU:
        return Contents(result, {}, tables.cmmlu(file.table()[1], stem))
    if result is QuestionFormat.CSV:
        unused = Unused()
        header, rows = _table(file)
        return Contents(result, {}, tables.by_columns(distinct_names(header), rows, columns, unused), unused)
    return Contents(result, {}, _of_json(result, file.json(), stem))


def _of_json(format: QuestionFormat, rows: Iterator[Row], stem: str) -> Iterator[Row]:
    match format:
        case QuestionFormat.LLMEVAL2:
            return benchmarks.questions(rows, stem)
        case QuestionFormat.MT_BENCH:
            return parse_rows(rows, benchmarks.mt_bench)
        case QuestionFormat.ARENA_HARD:
            return parse_rows(rows, benchmarks.arena_hard)
        case QuestionFormat.ALIGNBENCH:
            return parse_rows(rows, benchmarks.align_bench)
        case _:
            return parse_rows(rows, partial(benchmarks.human_rank_eval, topic=stem))


def _native(file: RowFile) -> Contents:
    rows = file.json()
    _, first = next(rows, (1, None))
    facts = cast("dict[str, object]", first) if isinstance(first, dict) else {}
    if facts.get("format") != FORMAT:
        raise Invalid(
            f"{file.path}: the first line is not the facts of a set, with the format {FORMAT}.", rule="set_facts"
        )
    own_facts = {name: value for name, value in facts.items() if name != "format"}
    return Contents(QuestionFormat.ARENA, own_facts, parse_rows(rows, mapping))


def _table(file: RowFile) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns of any table, and its rows."""
    if file.is_zip:
        header, rows = tables.sheet_table(file.sheet())
        return header, by_header(header, rows)
    return _columns(file) if file.start().startswith((b"{", b"[")) else file.table()


def _columns(file: RowFile) -> tuple[list[str], Iterator[Row]]:
    """The columns of a table, from the fields of the first JSON rows, and all rows."""
    rows = file.json()
    first = list(islice(rows, _LOOKED_AT))
    fields = [cast("dict[str, object]", row) for _, row in first if isinstance(row, dict)]
    return list(dict.fromkeys(chain.from_iterable(fields))), chain(first, rows)


def _detect(file: RowFile, columns: Mapping[str, str]) -> QuestionFormat:
    if file.is_zip:
        return _sheet_format(file)
    start, path = file.start(), file.path
    if start.startswith((b"{", b"[")):
        keys = set(_KEYS.findall(start[:_START_BYTES]))
        for format_, signature in _SIGNATURES:
            if signature <= keys:
                return format_
        if columns or keys & {b"prompt", b"question"} or {"prompt", "turns"} & {*columns_of(_first_fields(start))}:
            return QuestionFormat.CSV
    elif path.name.lower().removesuffix(".gz").endswith((".csv", ".tsv")) or columns:
        return QuestionFormat.CMMLU if start.startswith(b",Question,A,B,C,D,Answer") else QuestionFormat.CSV
    elif path.name.lower().endswith((".txt", ".md")):
        return QuestionFormat.TEXT
    problem, fields = f"{path}: nobody knows the format of this file", _fields(file)
    remedies = (
        "`arena questions import --format` takes it as one",
        "`arena questions import --column prompt=FIELD` names the one with the question",
    )
    raise UnknownFormat(f"{problem}{fields}; {remedies[bool(fields)]}.", rule="file_format")


def _first_fields(start: bytes) -> list[str]:
    """The fields of the first row at the beginning of a JSON file; none if it does not end there."""
    text = start.decode(errors="ignore").removeprefix("[").lstrip()
    with suppress(ValueError, RecursionError):
        row, _ = json.JSONDecoder().raw_decode(text)
        return list(cast("dict[str, object]", row)) if isinstance(row, dict) else []
    return []


def _sheet_format(file: RowFile) -> QuestionFormat:
    """TencentLLMEval's format by the heads of a spreadsheet, else that of any table; the file is at its start again."""
    header, _ = tables.sheet_table(file.sheet())
    file.raw.seek(0)
    return QuestionFormat.TENCENT if tables.is_tencent(header) else QuestionFormat.CSV


def _fields(file: RowFile) -> str:
    """The fields of the first row of JSON, for a message; nothing of any other file."""
    if not file.start().startswith((b"{", b"[")):
        return ""
    row = next(file.json(), (1, None))[1]
    names = list(cast("dict[str, object]", row)) if isinstance(row, dict) else []
    more = f" and {len(names) - _FIELDS_SHOWN} more" if len(names) > _FIELDS_SHOWN else ""
    return f", whose fields are {', '.join(map(shown, names[:_FIELDS_SHOWN]))}{more}" if names else ""
