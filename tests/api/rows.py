"""The rows of a running arena, written beside it; hooks of schemathesis import this, and so nothing of the arena."""

from __future__ import annotations

import gzip
import json
import sqlite3
from datetime import date
from pathlib import Path
from typing import Any, Final

from tests.faults.processes import PATIENCE

WEEK: Final = date(2026, 1, 5)
"""The Monday of a week that is over."""


class Rows:
    """The rows of a running arena, written beside it."""

    def __init__(self, database: Path) -> None:
        # Made in one thread and used in another, never at the same time.
        self._connection = sqlite3.connect(database, timeout=PATIENCE, isolation_level=None, check_same_thread=False)

    def close(self) -> None:
        self._connection.close()

    def lead(self, endpoint: str, state: str, pending: dict[str, Any] | None) -> None:
        """Bring an endpoint into a state; it is never drawn for a battle, since nothing answers there."""
        change = "UPDATE endpoints SET state = ?, pending = ?, weight = 0 WHERE id = ?"
        self._connection.execute(change, (state, json.dumps(pending) if pending else None, endpoint))

    def decide(self, endpoint: str) -> dict[str, list[str]]:
        """A week that the gate has closed, a decision, and objections without an answer; by name of the parameter."""
        run = (WEEK.isoformat(), gzip.compress(b'{"number":1}\n'), "2026-01-20 00:00:00")
        self._connection.execute(
            "INSERT INTO gate_runs (week, last_vote, last_decision, method, unlisted, awake, networks, established,"
            " boards, audit, created_at) VALUES (?, 1, 1, 'm', '[]', false, 1, 0, '{\"rows\": []}', ?, ?)",
            run,
        )
        self._connection.execute(
            'INSERT INTO decisions (quarters, reason, method, votes, "by", created_at)'
            " VALUES (1, 'pooled', 'm', '[1]', 'gate', '2026-01-20 00:00:00')"
        )
        objected = [("?", endpoint, f"2026-01-2{number} 00:00:00") for number in range(9)]
        self._connection.executemany(
            "INSERT INTO objections (text, endpoint_id, created_at) VALUES (?, ?, ?)", objected
        )
        return {"decision": ["1"], "objection": [str(number + 1) for number in range(9)], "week": ["2026-W02"]}

    def copy(self, kind: str, old: str, new: str) -> None:
        """Make another `battle` or `chat` like one that has a single turn and no vote, about something else."""
        turns, replies = ("turns", "replies") if kind == "battle" else ("chat_turns", "chat_replies")
        self._connection.execute("BEGIN IMMEDIATE")
        self._copy(f"{kind}s", "id", old, id=new)
        at = self._connection.execute(f"SELECT id FROM {turns} WHERE {kind}_id = ?", [old]).fetchone()[0]  # noqa: S608
        turn = self._copy(turns, f"{kind}_id", old, **{"id": None, f"{kind}_id": new, "prompt": f"What is {new}?"})
        self._copy(replies, "turn_id", at, id=None, turn_id=turn)
        self._connection.execute("COMMIT")

    def _copy(self, table: str, key: str, old: str | int, **new: str | int | None) -> int | None:
        """Copy the rows with this key but for what is new; returns the number of the last."""
        names = [name for _, name, *_ in self._connection.execute(f"PRAGMA table_info({table})")]
        taken = ", ".join(f":{name}" if name in new else name for name in names)
        copy = f"INSERT INTO {table} ({', '.join(names)}) SELECT {taken} FROM {table} WHERE {key} = :old"  # noqa: S608
        return self._connection.execute(copy, {**new, "old": old}).lastrowid
