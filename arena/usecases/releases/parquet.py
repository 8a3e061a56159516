"""`arena.parquet`: the rows of a release as columns, written by pyarrow. The same rows give the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import pyarrow as pa  # pyright: ignore[reportMissingTypeStubs]
from pyarrow import parquet  # pyright: ignore[reportMissingTypeStubs]

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from arena.usecases.releases.rows import Row

_arrow = cast("Any", pa)
_files = cast("Any", parquet)

_TEXT: Final = _arrow.string()
_MESSAGE: Final = _arrow.struct(
    {
        "role": _TEXT,
        "content": _arrow.list_(_arrow.struct({"type": _TEXT, "text": _TEXT, "image": _TEXT, "mimeType": _TEXT})),
    }
)
SCHEMA: Final = _arrow.schema(
    {
        **dict.fromkeys(("id", "model_a", "model_b", "winner", "evaluation_session_id"), _TEXT),
        "evaluation_order": _arrow.int32(),
        "conversation_a": _arrow.list_(_MESSAGE),
        "conversation_b": _arrow.list_(_MESSAGE),
        "full_conversation": _arrow.list_(
            _arrow.struct(dict.fromkeys(("user", "model_side_a", "model_side_b"), _MESSAGE)),
        ),
        "category_tag": _arrow.struct({"capability": _TEXT}),
        "language": _TEXT,
        "is_code": _arrow.bool_(),
        "timestamp": _arrow.timestamp("ns"),
        "period": _TEXT,
        "voter_days": _arrow.int32(),
    }
)


def written(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows, with times in UTC that have no time zone, as loaders of such releases expect."""
    naive = [{**row, "timestamp": row["timestamp"].replace(tzinfo=None)} for row in rows]
    _files.write_table(_arrow.Table.from_pylist(naive, schema=SCHEMA), path, compression="zstd")


def read(path: Path) -> list[Row]:
    """The rows of a file."""
    return _files.read_table(path).to_pylist()
