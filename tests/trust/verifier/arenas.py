"""Published files of an arena: its log, export, leaderboard and audits."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import insert

from arena.adapters.store import decisions
from arena.adapters.store.engine import Database, open_database
from arena.adapters.store.engine.migration import migrate
from arena.adapters.store.tables.conversations import BattleRow, VoteRow
from arena.adapters.store.tables.endpoints import OwnerRow
from arena.adapters.store.votes import LeftOut
from arena.api.boards import documents
from arena.api.boards.cache import Boards
from arena.api.routes.pairs import get_pair
from arena.calls.targets import Keys
from arena.domain.errors import ModelNotFound
from arena.domain.terms import BattleState, NotCounted, Outcome
from arena.usecases.exchange import writer
from arena.usecases.integrity.gate_rounds import GateState
from arena.usecases.integrity.published_audits import audit_body
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.votes import votes
from arena_rating import EloParameters, LeaderboardParameters
from arena_trust.verifier.verification import VerificationInput, verify
from arena_trust.verifier.verification_report import VerificationReport
from tests.publication import publish_once
from tests.row_factories import endpoint_row
from tests.usecases.integrity.test_gate_rounds import MONDAY, attacked, rounds
from tests.usecases.integrity.test_gate_rounds import fill as fill_week
from tests.usecases.transparency.arenas import START, sequencer
from tests.vote_leaves import add_leaves

METHOD = Method(LeaderboardParameters(EloParameters(orders=20)), seed=3)
NAMES = ("gull", "heron", "ibis", "jay", "hidden")


@dataclass
class PublishedArena:
    """Paths of the published files."""

    folder: Path
    log: Path
    export: Path
    board: Path

    @property
    def tables(self) -> tuple[Path, ...]:
        return self.folder / "method.json", self.folder / "pair.json"

    @property
    def audits(self) -> list[Path]:
        return sorted(self.folder.glob("audit *.jsonl"))

    @property
    def audit(self) -> Path:
        return self.audits[0]

    def copied(self, folder: Path) -> PublishedArena:
        shutil.copytree(self.folder, folder)
        return published(folder)

    def verified(self, **changed: Any) -> VerificationReport:
        state_file = self.folder / "seen.json"
        request = VerificationInput(str(self.log), self.export, self.board, None, state_file)
        return verify(
            VerificationInput(**{**{name: getattr(request, name) for name in request.__slots__}, **changed}), tell
        )

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.export.read_text("utf-8").splitlines()]

    def rewrite(self, rows: list[dict[str, Any]]) -> None:
        lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
        self.export.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def published(folder: Path) -> PublishedArena:
    return PublishedArena(folder, folder / "log", folder / "votes.jsonl", folder / "leaderboard.json")


def tell(_what: str, _done: int, _whole: int) -> None:
    """Ignore progress."""


def fill(session, count: int) -> None:
    """Votes on four listed models and a hidden one."""
    owner = OwnerRow(name="owner", created_at=START)
    session.add_all(endpoint_row(name, owner=owner, listed=name != "hidden") for name in NAMES)
    session.flush()
    rng = Random(5)
    battles, rows = [], []
    for number in range(count):
        a, b = rng.sample(range(1, 6), 2)
        moment = START + timedelta(minutes=number)
        battles.append(
            {
                "id": f"battle {number}",
                "voter_key": f"voter {number % 7}",
                "endpoint_a_id": a,
                "endpoint_b_id": b,
                "probability": 0.1,
                "state": BattleState.VOTED,
                "language": "en",
                "created_at": moment,
            }
        )
        rows.append(
            {
                "id": f"vote {number}",
                "battle_id": f"battle {number}",
                "outcome": rng.choice(list(Outcome)),
                "voter_key": f"voter {number % 7}",
                "endpoint_a_id": a,
                "endpoint_b_id": b,
                "language": rng.choice(["en", "zh", None]),
                "style": [number % 9] * 8,
                "turns": 1,
                "not_counted": NotCounted.TOO_FAST if number % 50 == 9 else None,
                "created_at": moment,
            }
        )
    session.execute(insert(BattleRow), battles)
    session.execute(insert(VoteRow), rows)
    session.flush()
    add_leaves(session)


async def publish(database: Database, folder: Path, count: int) -> PublishedArena:
    """Publish an arena with `count` votes and a signed log; the last three votes are excluded one by one."""
    await database.write(fill, count)
    for number in (count - 2, count - 1, count):
        await votes.exclude(database, number, reason="bought", by="an operator", now=START)
    return await sign_and_publish(database, folder)


async def sign_and_publish(database: Database, folder: Path) -> PublishedArena:
    """Sign the log and publish the files of a database."""
    with ThreadPoolExecutor(1) as executor:
        while await publish_once(database, METHOD, CountedLog(), executor=executor, now=lambda: START):
            pass
    log = sequencer(database, folder)
    while await log.turn():
        pass
    files = published(folder)
    await writer.export_file(database, files.export, salt=b"salt")
    files.board.write_bytes((await database.read(documents.whole)).document.bodies[""])
    files.tables[0].write_bytes((await database.read(documents.method, LeftOut())).document.bodies[""])
    for errors in list((await database.read(documents.differences)).values())[:1]:
        with suppress(ModelNotFound):  # models of imports have no page
            compared = await get_pair(errors.names[0], errors.names[1], database, Keys({}.get), Boards(database))
            files.tables[1].write_text(compared.model_dump_json())
    return files


def judged_arena(folder: Path, honest: int) -> PublishedArena:
    """Publish an arena with `honest` votes and an attack, in one week that the gate has closed."""

    async def one_week(database: Database) -> None:
        log, bots = attacked(honest)
        await database.write(fill_week, log, bots)
        with ThreadPoolExecutor(1) as executor:
            for days in (6, 8):
                await rounds(database, GateState(), executor, MONDAY + timedelta(days=days))

    return publish_after(folder, one_week)


def publish_after(folder: Path, happen: Callable[[Database], Awaitable[None]]) -> PublishedArena:
    """Publish a new arena after `happen` has filled it, with the audit files."""
    url = f"sqlite:///{folder / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    try:
        return asyncio.run(_made(database, folder, happen))
    finally:
        database.close()


async def _made(database: Database, folder: Path, happen: Callable[[Database], Awaitable[None]]) -> PublishedArena:
    await happen(database)
    arena = await sign_and_publish(database, folder)
    for week in await database.read(decisions.closed_weeks):
        row = await database.read(decisions.of_week, week)
        assert row
        assert row.audit
        (folder / f"audit {week}.jsonl").write_bytes(audit_body(row, week))
    return arena
