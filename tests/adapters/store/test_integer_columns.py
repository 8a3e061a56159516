"""Columns out of the database: what rows of a query have, whatever integers and texts they are."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy import BigInteger, Select, String, cast, column, select, union_all
from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.adapters.store.engine.integer_columns import integers
from arena.domain.errors import StoreUnavailable

NUMBERS = (0, 1, -1, 7, 2**40, 2**63 - 1, -(2**63))
TEXTS = ("", " ", "a", "a b", "a,b", "'", "\\", "\n", "é", "投票", "0", "%", ":a")
TYPES = {"place": BigInteger, "number": BigInteger, "text": String}
Rows = list[tuple[int, int | None, str]]


def table_of(rows: Rows) -> Select[*tuple[Any, ...]]:
    """A query of these rows."""
    selects = (
        select(*(cast(value, kind).label(name) for (name, kind), value in zip(TYPES.items(), row, strict=True)))
        for row in rows
    )
    return select(union_all(*selects).subquery("rows"))


def read(session: Session, rows: Rows) -> list[tuple[int, ...]]:
    columns = integers(session, table_of(rows).order_by("place"), tuple(TYPES))
    assert all(column.dtype.str == "<i8" for column in columns.values())
    return list(zip(*(column.tolist() for column in columns.values()), strict=True))


async def test_columns_have_the_rows_of_a_query_in_its_order(database: Database):
    rng = Random(1)
    for count in range(1, 30):
        rows = [(place, rng.choice(NUMBERS), rng.choice(TEXTS)) for place in range(count)]
        result = await database.read(read, rng.sample(rows, count))
        assert [row[:2] for row in result] == [row[:2] for row in rows]
        texts, hashes = [row[2] for row in rows], [row[2] for row in result]
        assert len({*hashes}) == len({*texts}) == len({*zip(hashes, texts, strict=True)})


async def test_a_text_has_the_same_hash_whatever_it_is_read_with(database: Database):
    """A voter's key, in pieces of the log with keys of one length and with others."""
    rng, alphabet = Random(2), "ab7é"
    texts = {"".join(rng.choices(alphabet, k=rng.randrange(18))) for _ in range(200)}
    hashes: dict[str, set[int]] = {text: set() for text in texts}
    for size in (1, 2, 30, 100):
        for _ in range(3):
            chosen = rng.choices(sorted(texts), k=size)
            alike = [text for text in texts if len(text) == len(chosen[0])]
            for some in (chosen, alike):
                rows: Rows = [(place, 0, text) for place, text in enumerate(some)]
                result = await database.read(read, rows)
                for (_, _, text), (_, _, number) in zip(rows, result, strict=True):
                    hashes[text].add(number)
    known = [number for numbers in hashes.values() for number in numbers]
    assert {len(numbers) for numbers in hashes.values()} <= {0, 1}
    assert len({*known}) == len(known) > 100


async def test_a_value_without_which_rows_would_shift_is_refused(database: Database):
    def work(session: Session) -> object:
        return integers(session, table_of([(1, 2, "a"), (2, None, "b")]), tuple(TYPES))

    with pytest.raises((StoreUnavailable, ValueError)):
        await database.read(work)


async def test_a_query_without_rows_gives_empty_columns(database: Database):
    def work(session: Session) -> list[int]:
        query = table_of([(1, 2, "a")]).where(column("place") > 1)
        return integers(session, query, tuple(TYPES))["text"].tolist()

    assert await database.read(work) == []
