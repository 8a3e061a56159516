"""The static tree: the public files of a day, their list with SHA-256, and a leaf of the log with the list's digest."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from arena.adapters.store import log_leaves
from arena.adapters.store import releases as stored
from arena.adapters.whole_files import file_digest, whole_file
from arena.domain.errors import Invalid
from arena.usecases.files import hub_tables
from arena.usecases.files.board_tables import boards_of
from arena.usecases.files.day_records import day_records
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from datetime import date, datetime
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena.usecases.files.board_tables import FileBoard


INDEX: Final = "index.json"
SUMS: Final = "SHA256SUMS"
VOTES: Final = "votes.jsonl.gz"


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file of the tree; `path` is relative to the tree."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TreeSource:
    """The sources of the tree: the arena's public address, the folder of releases, the data set for it, if any.

    `votes` gives the pieces of the export, `audits` the audit files that are public on a day.
    """

    address: str
    releases: Path
    votes: Callable[[Database], AsyncIterator[bytes]]
    audits: Callable[[Session, date], dict[str, bytes]]
    dataset: str = ""


async def publish_files(database: Database, folder: Path, source: TreeSource, now: datetime) -> list[TreeFile]:
    """Write the tree of today to a folder, which keeps the files of earlier days; returns all files of the folder.

    The index is deleted first and written last, so a tree with an index is complete.

    Raises:
        NoBoard: There is no snapshot yet.
        Invalid: A file cannot be written.
    """
    boards = await database.read(boards_of)
    await asyncio.to_thread(_remove_index, folder)
    await asyncio.to_thread(_write_boards, folder, boards, source, now)
    for name, body in (await database.read(source.audits, now.date())).items():
        _write(folder / "audit" / name, body)
    await _write_votes(source.votes(database), folder / VOTES)
    await asyncio.to_thread(_copy_releases, folder, source.releases, await database.read(_published))
    files = await asyncio.to_thread(_list, folder)
    sums = "".join(f"{file.sha256}  {file.path}\n" for file in files).encode()
    _write(folder / SUMS, sums)
    await database.write(_log, hashlib.sha256(sums).hexdigest(), len(files), now.date())
    index = {"made_at": now.isoformat(), "day": boards[0].day.isoformat(), "files": [asdict(file) for file in files]}
    _write(folder / INDEX, json.dumps(index, ensure_ascii=False, indent=1).encode() + b"\n")
    return files


def _remove_index(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / INDEX).unlink(missing_ok=True)
    except OSError as error:
        raise Invalid(f"{folder}: {error.strerror or error}.") from None


def _write_boards(folder: Path, boards: list[FileBoard], source: TreeSource, now: datetime) -> None:
    day = boards[0].day.isoformat()
    for board in boards:
        _write(folder / "boards" / day / f"{board.file_name}.csv", board.csv())
        if hub_tables.can_write():
            _write(folder / "boards" / day / f"{board.file_name}.parquet", hub_tables.parquet_bytes(board.hub_rows()))
    for name, body in day_records(boards, source.address, now).items():
        _write(folder / "data" / name, body)
    if hub_tables.can_write():
        _write_hub(folder, boards)
    if source.dataset:
        for name, body in result_cards(boards, source.dataset, source.address).items():
            _write(folder / "eval_results" / name, body)


def _write_hub(folder: Path, boards: list[FileBoard]) -> None:
    for config in sorted({board.config for board in boards}):
        rows = [row for board in boards if board.config == config for row in board.hub_rows()]
        full = folder / config / "full-00000-of-00001.parquet"
        _write(folder / config / "latest-00000-of-00001.parquet", hub_tables.parquet_bytes(rows))
        _write(full, hub_tables.parquet_bytes(hub_tables.with_today(full, rows)))


async def _write_votes(pieces: AsyncIterator[bytes], path: Path) -> None:
    with whole_file(path) as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as out:
        async for piece in pieces:
            await asyncio.to_thread(out.write, piece)


def _published(session: Session) -> list[str]:
    return [row.name for row in stored.all_releases(session) if row.published_at]


def _copy_releases(folder: Path, releases: Path, names: list[str]) -> None:
    for name in names:
        for path in sorted((releases / name).glob("*")):
            if path.is_file():
                _write(folder / "releases" / name / path.name, path.read_bytes())


def _list(folder: Path) -> list[TreeFile]:
    """All files except the index and the sums, by path."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".part")
    files = sorted((path.relative_to(folder).as_posix(), path) for path in paths)
    return [TreeFile(name, path.stat().st_size, file_digest(path)) for name, path in files if name not in {INDEX, SUMS}]


def _log(session: Session, digest: str, files: int, day: date) -> None:
    log_leaves.add(session, LeafKind.FILES, digest=digest, files=files, day=day.isoformat())


def _write(path: Path, body: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Invalid(f"{path.parent}: {error.strerror or error}.") from None
    with whole_file(path) as out:
        out.write(body)


def result_cards(boards: Sequence[FileBoard], dataset: str, address: str) -> dict[str, bytes]:
    """The result cards of all models by path; `dataset` is the repository of the boards, such as org/board."""
    entries = defaultdict[str, list[str]](list)
    for board in boards:
        for row in board.rows:
            if row.bt is not None:
                entries[row.name].append(_entry(board, row, dataset, address))
    return {f"{_folder(name)}/.eval_results/arena.yaml": "".join(texts).encode() for name, texts in entries.items()}


def _folder(name: str) -> str:
    """The folder of a model, its name escaped for a path."""
    return quote(name, safe="").replace(".", "%2E") if name.startswith(".") else quote(name, safe="")


def _entry(board: FileBoard, row: LeaderboardRowView, dataset: str, address: str) -> str:
    page = f"{address}/model?{urlencode({'name': row.name})}"
    low, high = row.bt_low, row.bt_high
    interval = f"95 % interval {low:.0f} to {high:.0f}, " if low is not None and high is not None else ""
    ranks = f"rank {row.rank_low} to {row.rank_high}, {row.battles} battles"
    notes = f"Bradley-Terry rating from blind votes; {interval}{ranks}"
    # Texts are JSON strings, which are also YAML, so that a name cannot break the form.
    return (
        f"- dataset:\n    id: {json.dumps(dataset)}\n    task_id: {json.dumps(board.name)}\n"
        f"  value: {row.bt}\n  date: {json.dumps(board.day.isoformat())}\n"
        f"  source:\n    url: {json.dumps(page)}\n    name: {json.dumps('Battle Arena')}\n"
        f"  notes: {json.dumps(notes)}\n"
    )
