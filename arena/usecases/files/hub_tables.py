"""Tables of leaderboards (`latest` and `full`) as parquet files, which need pyarrow."""

from __future__ import annotations

import importlib
import importlib.util
import io
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from arena.domain.errors import Invalid
from arena.usecases.files.board_tables import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MAX_ROWS: Final = 65_536
"""Bound of the rows in memory while earlier days are copied; those of a day are a row group of their own."""
_DAY: Final = "leaderboard_publish_date"
_NUMBERS: Final = {"rating", "rating_lower", "rating_upper", "variance"}
_COUNTS: Final = {"vote_count", "rank"}
HubRows = list[dict[str, object]]


def can_write() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def parquet_bytes(rows: Sequence[dict[str, object]]) -> bytes:
    """The rows as a parquet file; the same rows give the same bytes."""
    out = io.BytesIO()
    with _writer(out) as writer:
        writer.write_table(_table(rows))
    return out.getvalue()


def write_history(out: BinaryIO, path: Path, rows: HubRows) -> None:
    """Write the rows of a file, if there is one, without those of the days of `rows`, and then `rows`.

    Memory does not grow with the number of days.

    Raises:
        Invalid: The file is damaged or has other columns.
    """
    days = sorted({str(row[_DAY]) for row in rows})
    with _writer(out) as writer:
        try:
            for table in _earlier(path, days) if path.is_file() else ():
                writer.write_table(table)
        except ValueError as error:  # those of pyarrow about contents are such errors
            raise Invalid(f"{path} cannot be continued: {str(error).partition(chr(10))[0]}.") from None
        writer.write_table(_table(rows))


def _earlier(path: Path, days: Sequence[str]) -> Iterator[Any]:
    """Tables of at most `MAX_ROWS` rows of a file, without those of these days, none across two row groups."""
    arrow, files, compute = map(importlib.import_module, ("pyarrow", "pyarrow.parquet", "pyarrow.compute"))
    with files.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            for batch in file.iter_batches(MAX_ROWS, row_groups=[group]):
                table = arrow.Table.from_batches([batch])
                table = table.filter(compute.invert(compute.is_in(table[_DAY], value_set=arrow.array(days))))
                if table.num_rows:
                    yield table


def _writer(out: BinaryIO) -> Any:  # noqa: ANN401 - pyarrow has no types
    files: Any = importlib.import_module("pyarrow.parquet")
    return files.ParquetWriter(out, _schema(), compression="zstd")


def _table(rows: Sequence[dict[str, object]]) -> Any:  # noqa: ANN401
    arrow: Any = importlib.import_module("pyarrow")
    return arrow.Table.from_pylist(list(rows), schema=_schema())


def _schema() -> Any:  # noqa: ANN401
    arrow: Any = importlib.import_module("pyarrow")
    return arrow.schema(
        {
            name: arrow.float64() if name in _NUMBERS else arrow.int64() if name in _COUNTS else arrow.string()
            for name in COLUMNS
        }
    )
