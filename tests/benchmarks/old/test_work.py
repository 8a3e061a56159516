"""Loops and routes in an arena with a past: no statement reads what ever was, and none is sent for each endpoint."""

from __future__ import annotations

import asyncio
import gc
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from unittest.mock import ANY

import pytest
from sqlalchemy import select, text

from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.integrity import GateRunRow
from arena.adapters.store.tables.snapshots import SnapshotRow
from benchmarks.old.rows import END, Size, fill
from benchmarks.old.work import STREAMED, works
from tests.statements import Statements, recorded

MAX_GARBAGE = 400
"""Objects in cycles that a request may leave."""
SMALL = Size(endpoints=10, owners=5, battles=600, days=0.2, changes=60)
LARGE = Size(endpoints=30, owners=15, battles=1_800, days=0.6, changes=180)
GROWING = {"votes", "battles", "turns", "replies", "log_leaves", "vote_origins", "snapshots", "endpoint_changes"}
STORED = "ix_snapshots_stored"
"""The index of the few snapshots that have their tables."""
NEWEST = re.compile(r"FROM (\w+)\s+ORDER BY \1\.(id|number) DESC\s+LIMIT")
"""A scan that ends at its first row."""
VARYING = {
    "/readyz": "its answer is kept for some seconds",
    "/api/v1/leaderboard/newest": "its answer is kept for a second",
    "/api/v1/votes/export": "one for each thousand votes",
}
"""Work whose statements may grow, with the reason."""


async def statements_at(url: str, size: Size) -> dict[str, Statements]:
    """The statements of each work, once everything that was due is done."""
    with closing(open_database(url)) as database, ThreadPoolExecutor(1) as executor:
        await database.write(fill, size)
        async with works(database, executor, END + timedelta(hours=1)) as all_work:
            results: dict[str, Statements] = {}
            for _ in range(3):
                for work in all_work:
                    with recorded() as statements:
                        await work.run()
                    results[work.name] = statements
            return results


@pytest.fixture(scope="module")
def large(empty_database, tmp_path_factory) -> tuple[str, dict[str, Statements]]:
    """The URL of a large arena, and the statements of each work there."""
    path = tmp_path_factory.mktemp("old") / "large.db"
    path.write_bytes(empty_database.read_bytes())
    url = f"sqlite:///{path}"
    return url, asyncio.run(statements_at(url, LARGE))


async def test_no_statement_of_a_pass_or_a_request_scans_a_table_that_grows_with_time(large):
    url, results = large
    assert len(results) > 60
    scans = {}
    with closing(open_database(url)) as database:
        for name in results.keys() - STREAMED.keys():
            if tables := await database.read(scanned, results[name]):
                scans[name] = tables
    assert scans == {}


def scanned(session, statements: Statements) -> list[tuple[str, str]]:
    """The growing tables that statements scan, by SQLite's plan without statistics."""
    assert not session.scalar(text("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'"))
    connection, tables = session.connection(), []
    for statement, parameters in statements:
        if re.match(r"SELECT|UPDATE|DELETE|WITH|INSERT", statement):
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters):
                step = re.match(r"SCAN (\w+)", row[3])
                if step and step[1] in GROWING and STORED not in row[3] and not NEWEST.search(statement):
                    tables.append((row[3], statement))
    return tables


async def test_no_statement_of_a_pass_reads_a_leaderboard_s_table_or_what_lies_behind_it(sqlite_url):
    """Of a thousand models it has thirty megabytes, through all of which SQLite goes to a column behind it.

    Only the loop that thins them reads times, those in the index of the few that have their tables.
    """
    names = list(SnapshotRow.__table__.columns.keys())
    behind = {f"snapshots.{name}" for name in names[names.index("payload") :]}
    reads = {}
    with closing(open_database(sqlite_url)) as database, ThreadPoolExecutor(1) as executor:
        await database.write(fill, SMALL)
        async with works(database, executor, END + timedelta(hours=1)) as all_work:
            passes = [work for work in all_work if work.kind == "loop"]
            for work in [*passes, *passes]:
                await work.run()
            for work in passes:
                with recorded() as statements:
                    await work.run()
                reads[work.name] = [statement for statement, _ in statements if names_any(statement, behind)]
    assert {name: statements for name, statements in reads.items() if statements} == {"snapshots": [ANY]}
    by_index = "WHERE snapshots.payload IS NOT NULL ORDER BY snapshots.created_at"
    assert by_index in " ".join(reads["snapshots"][0].split())


def names_any(statement: str, columns: set[str]) -> bool:
    """Whether a query returns one of these columns."""
    returned = statement.partition("FROM")[0]
    return any(re.search(rf"{re.escape(column)}\b", returned) for column in columns)


async def test_statements_of_a_pass_or_a_request_do_not_grow_with_the_arena(sqlite_url, large):
    few, many = await statements_at(sqlite_url, SMALL), large[1]
    grown = {name: (len(few[name]), len(many[name])) for name in few if len(many[name]) > len(few[name])}
    assert {name: counts for name, counts in grown.items() if name not in VARYING} == {}


async def test_the_gate_has_no_week_of_the_past_to_close(sqlite_url):
    """Each takes a run over all votes before its end, in an arena of a thousand models minutes."""
    weeks = select(GateRunRow.week).where(GateRunRow.created_at > END)
    with closing(open_database(sqlite_url)) as database, ThreadPoolExecutor(1) as executor:
        await database.write(fill, replace(SMALL, days=30.0))
        async with works(database, executor, END + timedelta(hours=1)) as all_work:
            await next(work for work in all_work if work.name == "gate").run()
        assert await database.read(lambda session: list(session.scalars(weeks))) == [None]


async def test_no_request_leaves_much_for_the_garbage_collector(sqlite_url):
    """One collection of thousands of objects in cycles stops every stream."""
    garbage: dict[str, int] = {}
    with closing(open_database(sqlite_url)) as database, ThreadPoolExecutor(1) as executor:
        await database.write(fill, SMALL)
        async with works(database, executor, END + timedelta(hours=1)) as all_work:
            requests = [work for work in all_work if work.kind != "loop"]
            for work in requests:
                await work.run()
            gc.collect()
            gc.freeze()  # so that a collection looks at what the request has made, not at the whole process
            try:
                for work in requests:
                    await work.run()
                    garbage[work.name] = gc.collect()
            finally:
                gc.unfreeze()
    assert len(garbage) > 40
    assert {name: count for name, count in garbage.items() if count > MAX_GARBAGE} == {}
