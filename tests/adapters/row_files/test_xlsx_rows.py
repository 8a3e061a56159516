"""Untrusted spreadsheets are read within limits, or refused with one sentence."""

import io
import zipfile

import pytest
from openpyxl import Workbook

from arena.adapters.row_files import xlsx_rows
from arena.domain.errors import Invalid

SHEET = "xl/worksheets/sheet1.xml"


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


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04", book(["a"])[:-30]])
def test_what_is_no_spreadsheet_is_refused(content):
    with pytest.raises(Invalid, match="no spreadsheet"):
        read(content)


def test_a_file_that_unpacks_to_far_more_than_its_size_is_refused():
    with pytest.raises(Invalid, match="unpacks to"):
        read(with_part(book(["a"]), SHEET, b" " * 2**24))


def test_a_file_beyond_the_size_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(xlsx_rows, "SIZE_LIMIT", 100)
    with pytest.raises(Invalid, match="larger than 100 bytes"):
        read(book(["a"]))


def test_entities_are_refused():
    plain = zipfile.ZipFile(io.BytesIO(book([1]))).read(SHEET)
    bomb = plain.replace(b"<worksheet", b'<!DOCTYPE worksheet [<!ENTITY b "1">]><worksheet')
    bomb = bomb.replace(b"<v>1</v>", b"<v>&b;</v>")
    assert b"&b;" in bomb
    assert read(with_part(book([1]), SHEET, plain)) == [(1, [1])]
    with pytest.raises(Invalid, match="damaged"):
        read(with_part(book([1]), SHEET, bomb))


def test_a_sheet_that_claims_a_million_rows_ends_at_the_bound(monkeypatch):
    monkeypatch.setattr(xlsx_rows, "ROW_LIMIT", 50)
    far = zipfile.ZipFile(io.BytesIO(book(["a"]))).read(SHEET).replace(b'r="1"', b'r="1048576"')
    with pytest.raises(Invalid, match="more than 50 rows"):
        read(with_part(book(["a"]), SHEET, far))
