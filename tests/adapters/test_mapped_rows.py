"""Rows in a file that other processes map."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from arena.adapters.mapped_rows import MappedRows, StoredRows

KIND = np.dtype([("number", np.int64), ("style", np.int32, (2,))])


def rows(*numbers: int) -> np.ndarray:
    return np.array([(number, (number, -number)) for number in numbers], KIND)


def numbers_of(stored: StoredRows) -> list[int]:
    return stored.open()["number"].tolist()


def test_a_file_without_rows_has_none_and_is_not_made(tmp_path):
    file = MappedRows(KIND, tmp_path / "data")
    assert file.rows.tolist() == []
    assert file.stored().open().tolist() == []
    assert not (tmp_path / "data").exists()


def test_rows_are_those_appended_and_earlier_views_stay_as_they_were(tmp_path):
    file = MappedRows(KIND, tmp_path / "data")
    file.append(rows(1, 2))
    before, stored = file.rows, file.stored()
    file.append(rows(3))
    assert before["number"].tolist() == numbers_of(stored) == [1, 2]
    assert file.rows.tobytes() == rows(1, 2, 3).tobytes()
    assert len(file) == 3
    assert not file.rows.flags.writeable
    assert list((tmp_path / "data").iterdir()) == []


def test_rows_whose_writing_failed_are_written_over(tmp_path):
    file = MappedRows(KIND, tmp_path)
    file.append(rows(1))

    def fill(_self) -> bytes:
        file._file.write(b"half a row")
        raise OSError(28, "No space left on device")

    full_disk = type("FullDisk", (np.ndarray,), {"tobytes": fill})
    with pytest.raises(OSError, match="No space left"):
        file.append(rows(7, 8).view(full_disk))
    file.append(rows(2))
    assert file.rows["number"].tolist() == [1, 2]


def test_a_view_outlives_its_file(tmp_path):
    file = MappedRows(KIND, tmp_path)
    file.append(rows(1, 2))
    view = file.rows
    del file
    assert view["number"].tolist() == [1, 2]


@pytest.mark.process
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_another_process_opens_the_rows_that_there_were(tmp_path, method):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as executor:
        executor.submit(os.getpid).result()
        file = MappedRows(KIND, tmp_path)
        file.append(rows(*range(1_000)))
        stored = file.stored()
        file.append(rows(5_000))
        assert executor.submit(numbers_of, stored).result() == list(range(1_000))


def test_a_system_without_names_of_open_files_sends_the_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.adapters.mapped_rows.sys.platform", "darwin")
    file = MappedRows(KIND, tmp_path)
    file.append(rows(4, 5))
    stored = file.stored()
    assert stored.path == ""
    assert numbers_of(stored) == [4, 5]


@pytest.mark.parametrize("piece", [1, 3, 100])
@pytest.mark.parametrize("part", [slice(None), slice(2), slice(2, 4), slice(4, None), slice(3, 3), slice(9, None)])
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_part_of_a_column_is_a_copy_of_the_chosen_rows(tmp_path, monkeypatch, piece, part, platform):
    monkeypatch.setattr("arena.adapters.mapped_rows.PIECE", piece)
    monkeypatch.setattr("arena.adapters.mapped_rows.sys.platform", platform)
    file, expected = MappedRows(KIND, tmp_path), rows(*range(8))
    file.append(expected)
    for chosen in (None, np.array([True, False, True, True, False, True, False, True]), np.zeros(8, np.bool_)):
        column = file.stored().column("style", chosen)
        chosen_rows = expected["style"] if chosen is None else expected["style"][chosen]
        assert len(column) == len(chosen_rows)
        assert np.array_equal(column[part], chosen_rows[part])
        assert column[part].dtype == np.int32
        assert column[part].base is None
        places = np.arange(len(chosen_rows))[part][::-1]
        assert np.array_equal(column[places], chosen_rows[places])


def test_a_column_of_an_empty_file_is_empty(tmp_path):
    assert MappedRows(KIND, tmp_path).stored().column("style")[:].shape == (0, 2)
