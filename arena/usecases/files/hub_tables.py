"""Tables of leaderboards (`latest` and `full`) as parquet files, which need pyarrow."""

from __future__ import annotations

import importlib
import importlib.util
import io
from typing import TYPE_CHECKING, Any, Final

from arena.usecases.files.board_tables import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_NUMBERS: Final = {"rating", "rating_lower", "rating_upper", "variance"}
_COUNTS: Final = {"vote_count", "rank"}
HubRows = list[dict[str, object]]


def can_write() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def parquet_bytes(rows: Sequence[dict[str, object]]) -> bytes:
    """The rows as a parquet file; the same rows give the same bytes."""
    arrow: Any = importlib.import_module("pyarrow")
    files: Any = importlib.import_module("pyarrow.parquet")
    types = {
        name: arrow.float64() if name in _NUMBERS else arrow.int64() if name in _COUNTS else arrow.string()
        for name in COLUMNS
    }
    out = io.BytesIO()
    files.write_table(arrow.Table.from_pylist(list(rows), schema=arrow.schema(types)), out, compression="zstd")
    return out.getvalue()


def with_today(path: Path, rows: HubRows) -> HubRows:
    """The rows of a file, if there is one, without those of the days of `rows`, and then `rows`."""
    if not path.is_file():
        return rows
    files: Any = importlib.import_module("pyarrow.parquet")
    earlier: HubRows = files.read_table(path).to_pylist()
    days = {row["leaderboard_publish_date"] for row in rows}
    return [row for row in earlier if row["leaderboard_publish_date"] not in days] + rows
