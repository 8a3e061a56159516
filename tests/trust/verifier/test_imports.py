"""Imports of an honest arena hold whatever is listed, and a changed one is found also where votes may be missing."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from arena.adapters.store import endpoints
from arena.adapters.store.engine import short_transactions
from arena.adapters.store.engine.short_transactions import BATCH_ROWS
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.terms import Outcome
from arena.usecases.endpoints import definition
from arena.usecases.endpoints.states import OPERATOR, Step
from arena.usecases.exchange.importer import import_votes
from arena.usecases.exchange.reader import read_votes
from arena_trust.tlog.hashing import Unsound, leaf_hash
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.leaves import LeafKind
from arena_trust.tlog.rotations import read_published_log
from arena_trust.verifier import bundles
from arena_trust.verifier.export_lines import LineBlock, read_block
from arena_trust.verifier.published_leaves import PublishedLeaves, read_leaves
from arena_trust.verifier.sources import log_reader
from arena_trust.verifier.verification_report import VerificationReport
from arena_trust.verifier.votes import ExportCheck
from tests.trust.verifier.arenas import PublishedArena, publish_after, tell
from tests.usecases.exchange.files import COLUMNS, SAMPLE
from tests.usecases.transparency.arenas import START

Rows = list[dict[str, Any]]


def arena_with(folder, *listings: tuple[str, bool], before: tuple[str, ...] = ()) -> PublishedArena:
    """An arena with 200 imported votes, whose models are then listed or not; `before` are those unlisted at first."""
    votes = read_votes(SAMPLE, columns=COLUMNS)[0]

    async def happen(database) -> None:
        def list_(session, name, listed) -> None:
            row = endpoints.by_name(session, name)
            assert row
            definition.set_listed(session, row, listed, Step(OPERATOR, "", START))

        first = [vote for vote in votes if {vote.a, vote.b} & set(before)][:1]
        if first:
            await import_votes(database, first, START)
        for name in before:
            await database.write(list_, name, False)
        await import_votes(database, votes, START)
        for name, listed in listings:
            await database.write(list_, name, listed)

    return publish_after(folder, happen)


def names() -> list[str]:
    return sorted({name for vote in read_votes(SAMPLE, columns=COLUMNS)[0] for name in (vote.a, vote.b)})


def leaves_of(arena: PublishedArena) -> PublishedLeaves:
    read = log_reader(str(arena.log))
    checkpoint = read_published_log(read, VerifierKey.parse(read("key").decode())).checkpoint
    return read_leaves(str(arena.log), checkpoint, tell)


def findings_of(leaves: PublishedLeaves, rows: Rows) -> VerificationReport:
    report = VerificationReport()
    check = ExportCheck(leaves, report)
    content = "\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    check.take(read_block(LineBlock(1, content.encode(), {})))
    check.end()
    return report


def flipped(row: dict[str, Any]) -> dict[str, Any]:
    other = {"a": "b", "b": "a", "tie": "a", "both_bad": "b"}
    return {**row, "outcome": other[row["outcome"]]}


CASES = {
    "unlisted later": ({"listings": [(0, False)]}, True),
    "two unlisted later": ({"listings": [(0, False), (3, False)]}, True),
    "listed again": ({"listings": [(0, False), (0, True)]}, False),
    "unlisted before": ({"before": [1]}, True),
    "unlisted before and listed later": ({"before": [1], "listings": [(1, True)]}, False),
    "unlisted before and another later": ({"before": [1], "listings": [(2, False)]}, True),
}


@pytest.mark.parametrize(("happened", "is_short"), CASES.values(), ids=CASES)
def test_an_honest_arena_holds_and_each_change_of_a_vote_that_is_comparable_is_found(tmp_path, happened, is_short):
    every = names()
    arena = arena_with(
        tmp_path,
        *((every[place], listed) for place, listed in happened.get("listings", [])),
        before=tuple(every[place] for place in happened.get("before", [])),
    )
    report = arena.verified()
    assert report.holds, str(report)
    leaves, rows = leaves_of(arena), arena.lines()
    assert (len(rows) < 200) is is_short
    hidden_at_first = {every[place] for place in happened.get("before", [])}
    for place in Random(1).sample(range(len(rows)), 10):
        changed = [flipped(row) if number == place else row for number, row in enumerate(rows)]
        found = findings_of(leaves, changed)
        row = rows[place]
        if not is_short or hidden_at_first.isdisjoint((row["a"], row["b"])):
            assert not found.holds, row


def test_a_vote_on_listed_models_that_is_left_out_is_found_beside_those_that_may_be_missing(tmp_path):
    every = names()
    arena = arena_with(tmp_path, (every[0], False))
    leaves, rows = leaves_of(arena), arena.lines()
    found = findings_of(leaves, rows[1:])
    a, b = sorted((rows[0]["a"], rows[0]["b"]))
    assert [f"between {a} and {b}; the export has" in sentence for sentence in found.faults] == [True]


def test_leaves_of_earlier_versions_have_no_pairs_and_still_verify(tmp_path):
    arena = arena_with(tmp_path, (names()[0], False))
    leaves, rows = leaves_of(arena), arena.lines()
    assert leaves.import_pairs
    leaves.import_pairs = []
    assert findings_of(leaves, rows).holds
    leaves.unlisted = set()
    (fault,) = findings_of(leaves, rows).faults
    assert "on listed models; the export has" in fault


def test_names_of_models_that_are_not_listed_are_in_no_leaf_of_the_import(tmp_path):
    hidden = names()[1]
    arena = arena_with(tmp_path, before=(hidden,))
    logged = [pair for leaf in leaves_of(arena).import_pairs[1:] for pair in leaf["pairs"]]
    assert logged
    assert not any(hidden in pair for pair in logged)


def test_the_longest_names_of_many_models_fit_into_the_leaves_of_an_import(database, monkeypatch):
    """A bundle has two bytes for the length of a leaf."""
    monkeypatch.setattr(short_transactions, "BATCH_SECONDS", 60.0)  # the numbers of leaves are those of a quick machine
    models = [f"{number:02}" + "\\" * 78 for number in range(40)]
    pairs = [(a, b) for a in models for b in models if a < b]
    sample = read_votes(SAMPLE, columns=COLUMNS)[0][0]
    votes = [sample._replace(id=f"v{place}", a=a, b=b, outcome=Outcome.A) for place, (a, b) in enumerate(pairs)]

    async def sizes() -> Counter[str]:
        await import_votes(database, votes, START)
        rows = await database.read(lambda session: list(session.execute(select(LeafRow.kind, LeafRow.data))))
        assert max(len(data) for _, data in rows) < 2**16
        return Counter(kind for kind, _ in rows)

    assert asyncio.run(sizes())[LeafKind.IMPORT_PAIRS] == sum(
        -(-len(pairs[start : start + BATCH_ROWS]) // 60) for start in range(0, len(pairs), BATCH_ROWS)
    )


@pytest.mark.parametrize("more", [b"", b"x", bytes(32)])
def test_a_tile_that_is_longer_or_shorter_than_its_leaves_is_named(more):
    entries = [b"one", b"two"]
    tile = b"".join(map(leaf_hash, entries))
    wrong = tile + more if more else tile[:-1]
    with pytest.raises(Unsound, match=r"leaf 5 of the log on|Leaf 6 of the log"):
        bundles._leaf_hashes(5, entries, wrong)
