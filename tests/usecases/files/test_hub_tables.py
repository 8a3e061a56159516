"""The table of all days grows by a row group a day, in memory that does not grow with the days."""

from __future__ import annotations

import io
import tracemalloc
from datetime import date, timedelta

import pyarrow as pa
import pytest
from pyarrow import parquet

from arena.domain.errors import Invalid
from arena.usecases.files.board_tables import COLUMNS
from arena.usecases.files.hub_tables import parquet_bytes, write_history

START = date(2026, 1, 1)
MODELS = 2_000


def day(number: int, models: int = MODELS, rating: float = 1000.5) -> list[dict[str, object]]:
    moment = (START + timedelta(days=number)).isoformat()
    facts = ("lab", None, rating, rating - 10, None, 25.0, 100 + number)
    return [
        dict(zip(COLUMNS, (f"model {model} of {number}", *facts, model + 1, "overall", moment), strict=True))
        for model in range(models)
    ]


def continued(path, rows) -> bytes:
    out = io.BytesIO()
    write_history(out, path, rows)
    path.write_bytes(out.getvalue())
    return out.getvalue()


def peak(path, rows) -> int:
    """Most bytes that Python and arrow had at once while the table was continued."""
    pool, out = pa.proxy_memory_pool(pa.default_memory_pool()), path.with_suffix(".new")
    before = pa.default_memory_pool()
    pa.set_memory_pool(pool)
    tracemalloc.start()
    try:
        with out.open("wb") as file:
            write_history(file, path, rows)
        return tracemalloc.get_traced_memory()[1] + (pool.max_memory() or 0)
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(before)


def test_days_are_row_groups_in_order_and_a_day_written_again_replaces_its_rows(tmp_path):
    path = tmp_path / "full.parquet"
    for number in (0, 1, 2, 1):
        written = continued(path, day(number, 3, rating=1000.0 + number))
    rows = parquet.read_table(path).to_pylist()
    assert rows == [row for number in (0, 2, 1) for row in day(number, 3, rating=1000.0 + number)]
    assert parquet.ParquetFile(path).num_row_groups == 3
    assert continued(path, day(1, 3, rating=1001.0)) == written


def test_a_file_with_all_days_in_one_row_group_is_continued(tmp_path):
    path, old = tmp_path / "full.parquet", [row for number in range(40) for row in day(number)]
    path.write_bytes(parquet_bytes(old))
    continued(path, day(40))
    assert parquet.read_table(path).to_pylist() == old + day(40)


def test_memory_is_in_proportion_to_a_day(tmp_path):
    path, peaks = tmp_path / "full.parquet", {}
    for number in range(41):
        continued(path, day(number))
        if number in {9, 40}:
            peaks[number] = peak(path, day(number + 1))
    assert peaks[40] < 1.3 * peaks[9]


@pytest.mark.parametrize("damage", [b"not parquet", b"", b"PAR1" * 50])
def test_a_damaged_table_is_named_in_one_sentence(tmp_path, damage):
    path = tmp_path / "full.parquet"
    path.write_bytes(damage)
    with pytest.raises(Invalid, match=r"full\.parquet cannot be continued") as raised:
        write_history(io.BytesIO(), path, day(1, 2))
    assert len(str(raised.value).splitlines()) == 1


def test_a_table_with_other_columns_is_named_too(tmp_path):
    path = tmp_path / "full.parquet"
    parquet.write_table(pa.table({"leaderboard_publish_date": ["2025-01-01"], "other": [1]}), path)
    with pytest.raises(Invalid, match="cannot be continued"):
        write_history(io.BytesIO(), path, day(1, 2))
