"""Scores of a model for its own repository: `.eval_results/*.yaml`, as hubs of models show them on its page."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena.usecases.files.board_tables import FileBoard


def result_cards(boards: Sequence[FileBoard], dataset: str, address: str) -> dict[str, bytes]:
    """The files of all models by path; `dataset` is the repository that has the boards, such as org/board."""
    entries = defaultdict[str, list[str]](list)
    for board in boards:
        for row in board.rows:
            if row.bt is not None:
                entries[row.name].append(_entry(board, row, dataset, address))
    return {f"{_folder(name)}/.eval_results/arena.yaml": "".join(texts).encode() for name, texts in entries.items()}


def _folder(name: str) -> str:
    """One folder for each model, whatever its name contains."""
    return quote(name, safe="").replace(".", "%2E") if name.startswith(".") else quote(name, safe="")


def _entry(board: FileBoard, row: LeaderboardRowView, dataset: str, address: str) -> str:
    page = f"{address}/model?{urlencode({'name': row.name})}"
    low, high = row.bt_low, row.bt_high
    interval = f"95 % interval {low:.0f} to {high:.0f}, " if low is not None and high is not None else ""
    ranks = f"rank {row.rank_low} to {row.rank_high}, {row.battles} battles"
    notes = f"Bradley-Terry rating from blind votes; {interval}{ranks}"
    # Texts are JSON, which YAML reads alike, so that no name can end one.
    return (
        f"- dataset:\n    id: {json.dumps(dataset)}\n    task_id: {json.dumps(board.name)}\n"
        f"  value: {row.bt}\n  date: {json.dumps(board.day.isoformat())}\n"
        f"  source:\n    url: {json.dumps(page)}\n    name: {json.dumps('Battle Arena')}\n"
        f"  notes: {json.dumps(notes)}\n"
    )
