"""Which tables of snapshots are stored: few of all that ever were, found without reading the others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.orm import Session

from arena.adapters.store import snapshots
from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
from arena.usecases.ranking import publication
from tests.statements import counted_steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NOW = datetime(2026, 3, 10, 0, 30, tzinfo=UTC)
FACTS = {"method": "m", "parameters": {}, "seed": 1, "code_version": "1", "votes": 1, "digest": "d"}


def snapshot(moment: datetime, *, table: bool = True) -> SnapshotRow:
    return SnapshotRow(
        last_vote=1, last_exclusion=0, last_decision=0, payload="{}" if table else None, created_at=moment, **FACTS
    )


def part(number: int) -> PartRow:
    return PartRow(snapshot_id=number, kind="code", parameters={}, votes=1, digest="d", payload="{}")


def spared(moments: Sequence[datetime], with_parts: int, before: datetime) -> set[int]:
    """The rule as it is written down, over all snapshots: those from 1 on whose tables stay."""
    rows = list(enumerate(moments, 1))
    return {
        number
        for number, moment in rows
        if moment >= before
        or number == with_parts
        or not any(later > number and other.date() == moment.date() for later, other in rows)
        or (
            moment >= before - snapshots.FINE
            and not any(
                later > number and (other.date(), other.hour) == (moment.date(), moment.hour) for later, other in rows
            )
        )
    }


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """A database in memory that stays empty: examples take back what they write."""
    engine = create_engine("sqlite://")
    BaseRow.metadata.create_all(engine)
    yield engine
    engine.dispose()


@given(
    st.lists(st.integers(0, 6 * 24 * 4), min_size=1, max_size=40).map(sorted),
    st.integers(0, 40),
)
@settings(deadline=None, max_examples=60)
def test_the_last_table_of_each_day_and_recent_hour_and_the_newest_with_parts_stay(engine, quarters, with_parts):
    moments = [NOW - timedelta(days=6) + timedelta(minutes=15 * quarter) for quarter in quarters]
    with_parts = min(with_parts, len(moments))
    with Session(engine) as session:
        session.add_all(map(snapshot, moments))
        session.flush()
        if with_parts:
            session.add(part(with_parts))
            session.flush()
        for before in (NOW - timedelta(days=3), NOW - publication.FULL_TABLES_AGE):
            snapshots.drop_tables(session, snapshots.superfluous(session, before))
            stored = set(session.scalars(text("SELECT id FROM snapshots WHERE payload IS NOT NULL")))
            assert stored == spared(moments, with_parts, before)
            assert snapshots.newest_ids(session) == (len(moments), with_parts)


@pytest.mark.both_databases
async def test_a_pass_without_superfluous_tables_writes_nothing(database, monkeypatch):
    await database.write(lambda session: session.add_all(map(snapshot, [NOW, NOW + timedelta(days=1)])))

    async def refuse(*_) -> None:
        raise AssertionError("a pass with nothing new took the only writer")

    monkeypatch.setattr(database, "write", refuse)
    assert await publication.thin(database, NOW + timedelta(days=4)) == 0


@pytest.mark.sqlite
async def test_work_on_snapshots_does_not_grow_with_those_without_a_table(database):
    """Ten times as many old snapshots: the same rows are visited by each query of a pass or a new board."""
    visits = []
    for days in (1, 9):
        old = [snapshot(NOW - timedelta(days=30 + days, minutes=minute), table=False) for minute in range(400 * days)]
        recent = [snapshot(NOW - timedelta(hours=hour)) for hour in range(30, 0, -1)] if days == 1 else []
        await database.write(lambda session, rows=[*old, *recent]: session.add_all(rows))
        await database.write(lambda session: session.add(part(snapshots.newest_id(session))))
        visits.append(
            [
                await counted_steps(database, snapshots.superfluous, NOW),
                await counted_steps(database, snapshots.stored_ids),
                await counted_steps(database, snapshots.newest_before, NOW - timedelta(days=7)),
                await counted_steps(database, snapshots.newest_with_parts),
            ]
        )
    assert [late <= early * 1.2 + 5 for early, late in zip(*visits, strict=True)] == [True] * 4, visits
