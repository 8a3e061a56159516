"""The static tree: the public files of a day, their list with SHA-256, and a leaf of the log with the list's digest."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import re
from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from arena.adapters.staged_files import staged_files
from arena.adapters.store import log_leaves
from arena.adapters.store import releases as stored
from arena.adapters.store.leases import unguarded
from arena.usecases.files import hub_tables
from arena.usecases.files.board_tables import boards_of
from arena.usecases.files.day_records import day_records
from arena.usecases.files.drafts import NOTES, TreeDraft, noted_states, notes_of
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena.usecases.files.board_tables import FileBoard
    from arena.usecases.files.drafts import FileState


INDEX: Final = "index.json"
SUMS: Final = "SHA256SUMS"
MONTHS: Final = "months"
"""Folder of the lists of earlier months."""
_DAY: Final = re.compile(r"(?:boards|data)/([0-9]{4}-[0-9]{2})-[0-9]{2}/")
"""Beginning of the path of a file of a day, with its month."""
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

    `votes` gives the pieces of the export, `audit_weeks` the weeks whose audit files are public on a day by file name,
    and `audit` the file of such a week, which never changes, or None if it has none.
    """

    address: str
    releases: Path
    votes: Callable[[Database], AsyncIterator[bytes]]
    audit_weeks: Callable[[Session, date], dict[str, date]]
    audit: Callable[[Session, date], bytes | None]
    dataset: str = ""


async def publish_files(
    database: Database, folder: Path, source: TreeSource, now: datetime, guard: Guard = unguarded
) -> list[TreeFile]:
    """Write the tree of today to a folder, which keeps the files of earlier days; returns all files of the folder.

    The new files are made aside and replace those before in one step, during which there is no index. A failure leaves
    the tree as it was.

    Raises:
        NoBoard: There is no snapshot yet.
        Invalid: A file cannot be read or written, or another process is writing this tree.
    """
    boards = await database.read(boards_of)
    async with staged_files(folder, INDEX) as stage:
        draft = TreeDraft(folder, stage, await asyncio.to_thread(noted_states, folder))
        await asyncio.to_thread(_write_boards, draft, boards, source, now)
        await _write_audits(database, draft, source, now.date())
        await _write_votes(source.votes(database), draft)
        await asyncio.to_thread(_copy_releases, draft, source.releases, await database.read(_published))
        files, digest = await asyncio.to_thread(_write_lists, draft, now, boards[0].day)
        await database.write(_log, digest, len(files), now.date(), guard)
    return files


def published_day(folder: Path) -> date | None:
    """The day on which the tree of a folder was written; None if there is none, or its list cannot be read."""
    try:
        return datetime.fromisoformat(json.loads((folder / INDEX).read_bytes())["made_at"]).date()
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _write_lists(draft: TreeDraft, now: datetime, day: date) -> tuple[list[TreeFile], str]:
    """Write what is said about all files; returns them, and the digest of their sums.

    Files of days of a month before that of `day`, which is the newest board's, are listed in a file of that month, so
    that the list of all does not grow by each day.
    """
    states = {name: state for name, state in draft.states().items() if name not in {INDEX, SUMS}}
    months = defaultdict[str, list[TreeFile]](list)
    for file in _tree_files(states):
        day_of_file = _DAY.match(file.path)
        if day_of_file and day_of_file[1] < f"{day:%Y-%m}":
            months[day_of_file[1]].append(file)
    for month, files in months.items():
        name = f"{MONTHS}/{month}.json"
        draft.write(name, _listed({"month": month}, files))
        states[name] = draft.state(name)
    elsewhere = {file.path for files in months.values() for file in files}
    files = _tree_files({name: state for name, state in sorted(states.items()) if name not in elsewhere})
    sums = "".join(f"{file.sha256}  {file.path}\n" for file in files).encode()
    draft.write(SUMS, sums)
    draft.write(NOTES, notes_of(states))
    draft.write(INDEX, _listed({"made_at": now.isoformat(), "day": day.isoformat()}, files))
    return _tree_files(dict(sorted(states.items()))), hashlib.sha256(sums).hexdigest()


def _tree_files(states: Mapping[str, FileState]) -> list[TreeFile]:
    return [TreeFile(name, state.bytes, state.sha256) for name, state in states.items()]


def _listed(facts: dict[str, str], files: Sequence[TreeFile]) -> bytes:
    """A list of files as JSON, after these facts about it."""
    content = {**facts, "files": [asdict(file) for file in files]}
    return json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n"


def _write_boards(draft: TreeDraft, boards: list[FileBoard], source: TreeSource, now: datetime) -> None:
    day = boards[0].day.isoformat()
    for board in boards:
        draft.write(f"boards/{day}/{board.file_name}.csv", board.csv())
        if hub_tables.can_write():
            draft.write(f"boards/{day}/{board.file_name}.parquet", hub_tables.parquet_bytes(board.hub_rows()))
    for name, body in day_records(boards, source.address, now).items():
        draft.write(f"data/{name}", body)
    if hub_tables.can_write():
        _write_hub(draft, boards)
    if source.dataset:
        for name, body in result_cards(boards, source.dataset, source.address).items():
            draft.write(f"eval_results/{name}", body)


def _write_hub(draft: TreeDraft, boards: list[FileBoard]) -> None:
    for config in sorted({board.config for board in boards}):
        rows = [row for board in boards if board.config == config for row in board.hub_rows()]
        full = f"{config}/full-00000-of-00001.parquet"
        draft.write(f"{config}/latest-00000-of-00001.parquet", hub_tables.parquet_bytes(rows))
        with draft.open(full) as out:
            hub_tables.write_history(out, draft.folder / full, rows)


async def _write_audits(database: Database, draft: TreeDraft, source: TreeSource, today: date) -> None:
    """Write the audit files that the tree lacks; one week is in memory at a time."""
    for file_name, week in (await database.read(source.audit_weeks, today)).items():
        name = f"audit/{file_name}"
        if not draft.has(name) and (body := await database.read(source.audit, week)) is not None:
            await asyncio.to_thread(draft.write, name, body)


async def _write_votes(pieces: AsyncIterator[bytes], draft: TreeDraft) -> None:
    with draft.open(VOTES) as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as out:
        async for piece in pieces:
            await asyncio.to_thread(out.write, piece)


def _published(session: Session) -> list[str]:
    return [row.name for row in stored.all_releases(session) if row.published_at]


def _copy_releases(draft: TreeDraft, releases: Path, names: list[str]) -> None:
    for name in names:
        for path in sorted((releases / name).glob("*")):
            if path.is_file():
                draft.copy(path, f"releases/{name}/{path.name}")


def _log(session: Session, digest: str, files: int, day: date, guard: Guard) -> None:
    guard(session)
    log_leaves.add(session, LeafKind.FILES, digest=digest, files=files, day=day.isoformat())


def result_cards(boards: Sequence[FileBoard], dataset: str, address: str) -> dict[str, bytes]:
    """The result cards of models with a place, by path; `dataset` is the boards' repository, such as org/board."""
    entries = defaultdict[str, list[str]](list)
    for board in boards:
        for row in board.placed:
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
