"""Untrusted spreadsheets are read within limits, or refused with one sentence."""

import io
import re
import tracemalloc
import zipfile
from datetime import date, datetime, time, timedelta
from random import Random

import pytest
from openpyxl import Workbook

from arena.adapters.row_files import xlsx_rows
from arena.adapters.row_files.rows import NoText
from arena.domain.errors import Invalid

SHEET = "xl/worksheets/sheet1.xml"
INLINE_HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
INLINE_ROW = b'<row><c t="inlineStr"><is><t>' + b"The same long answer. " * 1_400 + b"</t></is></c></row>"
INLINE_END = b"</sheetData></worksheet>"


def book(*rows) -> bytes:
    workbook, file = Workbook(), io.BytesIO()
    for row in rows:
        workbook.active.append(row)
    workbook.save(file)
    return file.getvalue()


def with_part(content: bytes, name: str, part: bytes) -> bytes:
    """The same archive with one part replaced."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            new.writestr(member, part if member == name else old.read(member))
    return file.getvalue()


def read(content: bytes) -> list:
    return list(xlsx_rows.rows(io.BytesIO(content)))


def test_cells_keep_their_types_and_rows_their_numbers():
    assert read(book(["a", 1], [], [None, 2.5])) == [(1, ["a", 1]), (3, [None, 2.5])]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (date(2026, 1, 2), NoText("date", "2026-01-02 00:00:00")),
        (datetime.fromisoformat("2026-01-02T03:04"), NoText("date", "2026-01-02 03:04:00")),
        (time(12, 30), NoText("time", "12:30:00")),
        (timedelta(hours=30), NoText("time", "1 day, 6:00:00")),
        ("#N/A", NoText("error", "#N/A")),
        (True, True),
        (1, 1),
    ],
)
def test_a_cell_that_holds_no_text_says_its_kind(value, cell):
    assert read(book(["a", value])) == [(1, ["a", cell])]


def test_a_text_like_an_error_value_stays_a_text_and_a_formula_has_its_value():
    text, formulas = (
        '<c t="inlineStr"><is><t>#N/A</t></is></c>',
        '<c><f>1+1</f><v>2</v></c><c t="str"><f>""</f><v/></c>',
    )
    row = f"<row>{text}{formulas}</row>".encode()
    assert read(with_part(book(["a"]), SHEET, INLINE_HEAD + row + INLINE_END)) == [(1, ["#N/A", 2])]


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04", book(["a"])[:-30]])
def test_what_is_no_spreadsheet_is_refused(content):
    with pytest.raises(Invalid, match="no spreadsheet"):
        read(content)


def test_a_file_that_unpacks_to_more_than_is_read_is_refused_with_the_remedy(monkeypatch):
    monkeypatch.setattr(xlsx_rows, "EXPANDED_LIMIT", 2**21)
    with pytest.raises(Invalid, match="unpacks to 16 MB, more than the 2 MB that are read; split it"):
        read(with_part(book(["a"]), SHEET, b" " * 2**24))


def test_a_long_answer_in_many_rows_is_read_however_well_it_packs():
    inline = with_part(book(["a"]), SHEET, INLINE_HEAD + INLINE_ROW * 3_000 + INLINE_END)
    assert sum(member.file_size for member in zipfile.ZipFile(io.BytesIO(inline)).infolist()) > 250 * len(inline)
    assert len(read(inline)) == 3_000


def test_what_is_damaged_is_said_in_words():
    """Whatever is broken in a part, the sentence names no class of Python."""
    rng, content = Random(7), book(["a", 1], ["b", 2.5])
    names, sentences = zipfile.ZipFile(io.BytesIO(content)).namelist(), set[str]()
    for _ in range(300):
        name = rng.choice(names)
        part = bytearray(zipfile.ZipFile(io.BytesIO(content)).read(name))
        start = rng.randrange(len(part))
        part[start : start + rng.randrange(1, 40)] = rng.choice([b"", b"<", b"-1", b"x" * 9, b'"'])
        try:
            read(with_part(content, name, bytes(part)))
        except Invalid as error:
            sentences.add(str(error))
    assert len(sentences) >= 3
    assert not [sentence for sentence in sentences if re.search(r"[A-Z]\w+(Error|Exception|Forbidden|File)", sentence)]


def test_a_file_beyond_the_size_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(xlsx_rows, "SIZE_LIMIT", 100)
    with pytest.raises(Invalid, match="larger than 0 MB; split it"):
        read(book(["a"]))


def test_entities_are_refused():
    plain = zipfile.ZipFile(io.BytesIO(book([1]))).read(SHEET)
    bomb = plain.replace(b"<worksheet", b'<!DOCTYPE worksheet [<!ENTITY b "1">]><worksheet')
    bomb = bomb.replace(b"<v>1</v>", b"<v>&b;</v>")
    assert b"&b;" in bomb
    assert read(with_part(book([1]), SHEET, plain)) == [(1, [1])]
    with pytest.raises(Invalid, match="damaged: it defines XML entities"):
        read(with_part(book([1]), SHEET, bomb))


def test_a_sheet_that_claims_a_million_rows_ends_at_the_bound(monkeypatch):
    monkeypatch.setattr(xlsx_rows, "ROW_LIMIT", 50)
    far = zipfile.ZipFile(io.BytesIO(book(["a"]))).read(SHEET).replace(b'r="1"', b'r="1048576"')
    with pytest.raises(Invalid, match="more than 50 rows"):
        read(with_part(book(["a"]), SHEET, far))


def test_cells_far_to_the_right_take_no_memory_for_the_empty_ones_between():
    """Two thousand rows of one cell; a rectangle around them would have 33 million."""
    cells = "".join(
        f'<row r="{row}"><c r="{"XFD" if row % 2 else "A"}{row}"><v>{row}</v></c></row>' for row in range(1, 2_001)
    )
    content = with_part(book(["a"]), SHEET, INLINE_HEAD + cells.encode() + INLINE_END)
    tracemalloc.start()
    rows, peak = read(content), tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert rows == [(row, [row]) for row in range(2, 2_001, 2)]
    assert peak < 32 * 2**20
