"""Every vote that was tampered with is named, however many there are, and whatever was done to them.

The full run, 100,000 votes and 1,000 of each kind:
`uv run pytest -n 0 -m heavy tests/trust/verifier/test_tampering.py`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.rotations import read_published_log
from arena_trust.tlog.tiles import ENTRIES, WIDTH, Tile, decode_bundle, encode_bundle
from arena_trust.verifier import audits, bundles, export_lines
from arena_trust.verifier import board as boards
from arena_trust.verifier.published_leaves import PublishedLeaves, read_leaves
from arena_trust.verifier.sources import log_reader
from arena_trust.verifier.verification_report import VerificationReport
from arena_trust.verifier.votes import ExportCheck, VerifiedVotes
from tests.paths import ROOT
from tests.trust.verifier.arenas import PublishedArena, judged_arena, tell
from tests.trust.verifier.test_verification import EDITS

Rows = list[dict[str, Any]]


@dataclass
class Loaded:
    """An honest arena in memory, and how many of its votes a test tampers with at once."""

    arena: PublishedArena
    leaves: PublishedLeaves
    rows: Rows
    size: int
    count: int

    def places(self, seed: str) -> list[int]:
        """Places of rows, none next to another."""
        return [3 * each for each in sorted(Random(seed).sample(range(len(self.rows) // 3 - 1), self.count))]

    def numbers(self, places: list[int]) -> set[int]:
        return {self.rows[place]["number"] for place in places}

    def read(self, rows: Rows) -> tuple[VerifiedVotes, VerificationReport]:
        findings = VerificationReport(most=10 * self.count)
        reading = ExportCheck(self.leaves, findings)
        for start in range(0, len(rows), 2_000):
            reading.take(
                export_lines.read_block(export_lines.LineBlock(start + 1, text(rows[start : start + 2_000]), {}))
            )
        return reading.end(), findings

    def checked(self, rows: Rows) -> list[str]:
        return self.read(rows)[1].faults


def text(rows: Rows) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows).encode()


def named(sentences: list[str], pattern: str) -> set[int]:
    return {int(found) for each in sentences for found in re.findall(pattern, each)}


def loaded(folder, honest: int, count: int) -> Loaded:
    arena = judged_arena(folder, honest)
    read = log_reader(str(arena.log))
    checkpoint = read_published_log(read, VerifierKey.parse(read("key").decode())).checkpoint
    return Loaded(arena, read_leaves(str(arena.log), checkpoint, tell), arena.lines(), checkpoint.size, count)


@pytest.fixture(scope="module", params=[(3_000, 40), pytest.param((98_800, 1_000), marks=pytest.mark.heavy)])
def honest(request, tmp_path_factory) -> Loaded:
    return loaded(tmp_path_factory.mktemp("honest"), *request.param)


def test_nothing_is_wrong_with_an_honest_arena(honest):
    assert honest.checked(honest.rows) == []
    assert honest.arena.verified(audits=(honest.arena.audit,)).faults == []


def test_every_edited_vote_is_named(honest):
    rows, places = list(honest.rows), honest.places("edits")
    fields = [field for field in EDITS if field != "number"]
    for turn, place in enumerate(places):
        rows[place] = rows[place] | EDITS[fields[turn % len(fields)]](rows[place])
    assert named(honest.checked(rows), r"^vote (\d+) ") == honest.numbers(places)


def test_every_deleted_vote_is_named(honest):
    places = honest.places("deletions")
    rows = [row for place, row in enumerate(honest.rows) if place not in set(places)]
    wrong = honest.checked(rows)
    assert named(wrong, r"^vote (\d+) is in the log as one on listed models") == honest.numbers(places)
    assert len(wrong) == honest.count


def test_both_votes_of_every_swap_are_named(honest):
    rows, places = list(honest.rows), honest.places("swaps")
    for place in places:
        one, other = rows[place], rows[place + 1]
        rows[place], rows[place + 1] = other | {"number": one["number"]}, one | {"number": other["number"]}
    both = honest.numbers([*places, *(place + 1 for place in places)])
    assert named(honest.checked(rows), r"^vote (\d+) is not the vote that the log commits to") == both


def test_every_vote_that_was_moved_is_named(honest):
    rows, places = list(honest.rows), honest.places("orders")
    for place in places:
        rows[place], rows[place + 1] = rows[place + 1], rows[place]
    wrong = honest.checked(rows)
    assert named(wrong, r"^vote (\d+) comes after vote \d+ in the export") == honest.numbers(places)


def test_every_vote_that_is_called_unlisted_later_is_named(honest):
    """The export leaves it out; and when its leaf is rewritten too, the tile above contradicts."""
    places = honest.places("unlisted")
    rows = [row for place, row in enumerate(honest.rows) if place not in set(places)]
    assert named(honest.checked(rows), r"^vote (\d+) is in the log as one on listed") == honest.numbers(places)
    for index in Random("leaves").sample(range(1, len(honest.rows)), honest.count):
        relabelled(honest, index)


def relabelled(honest: Loaded, index: int) -> None:
    number = index // WIDTH
    tile = Tile(ENTRIES, number, min(WIDTH, honest.size - number * WIDTH))
    path = honest.arena.log / tile.path
    whole = path.read_bytes()
    entries = decode_bundle(whole, tile)
    assert b'"listed":true' in entries[index % WIDTH]
    entries[index % WIDTH] = entries[index % WIDTH].replace(b'"listed":true', b'"listed":false')
    path.write_bytes(encode_bundle(entries))
    try:
        with pytest.raises(Unsound, match=f"^Leaf {index} of the log is not the one that its tile names"):
            bundles.read_bundles(bundles.BundleRange(str(honest.arena.log), honest.size, number, number + 1))
    finally:
        path.write_bytes(whole)


def test_every_truncation_between_votes_names_the_first_that_is_missing(honest):
    published = boards.read_board(honest.arena.board)
    reading, start = ExportCheck(honest.leaves, VerificationReport()), 0
    for place in honest.places("truncations")[1:]:
        reading.take(export_lines.read_block(export_lines.LineBlock(start + 1, text(honest.rows[start:place]), {})))
        start, findings = place, VerificationReport()
        boards.check_end(reading.votes, honest.leaves, published["snapshot"], findings)
        first = honest.rows[place]["number"]
        assert findings.faults == [f"vote {first} is in the log and the board, and the export ends before it"]


def test_every_truncation_within_a_vote_names_its_line(honest, tmp_path):
    whole, path = text(honest.rows[:200]) + b"\n", tmp_path / "cut.jsonl"
    for cut in Random("cuts").sample(range(1, len(whole)), honest.count):
        path.write_bytes(whole[:cut])
        line = whole[:cut].count(b"\n") + 1
        if whole[cut - 1 : cut] == b"\n":
            assert sum(each.data.count(b"\n") + 1 for each in export_lines.line_blocks(path, {})) == line - 1
            continue
        with pytest.raises(Unsound, match=rf"^The export is cut off in line {line}\.$"):
            list(export_lines.line_blocks(path, {}))


def test_every_changed_weight_is_named(honest):
    """By whoever has the audit files; without them the board has another digest than its leaf."""
    votes, _ = honest.read(honest.rows)
    decided = {vote for leaf in honest.leaves.decisions for vote in leaf["votes"]}
    free = [row["number"] for row in honest.rows if row["number"] not in decided]
    chosen = Random("weights").sample(free, honest.count)
    leaf = honest.leaves.decisions[-1] | {"quarters": 2, "votes": chosen}
    forged = deepcopy(honest.leaves)
    forged.decisions.append(leaf)
    findings = VerificationReport(most=2 * honest.count)
    audits.check([honest.arena.audit], votes, forged, findings)
    assert named(findings.faults, r"^vote (\d+) weighs 0.5 by the log, and 1 by the gate") == set(chosen)
    forged.decisions[-1] = leaf | {"votes": chosen[:1]}
    alone = VerificationReport()
    boards.check(honest.arena.board, votes, forged, alone, datetime.now(UTC))
    assert "has another digest than the one computed" in alone.faults[0]


def test_every_changed_row_of_the_board_is_named(honest):
    votes, _ = honest.read(honest.rows)
    published = boards.read_board(honest.arena.board)
    computed = boards.recompute_board(published, votes, honest.leaves)
    rng = Random("rows")
    for _ in range(honest.count):
        place, amount = rng.randrange(len(published["rows"])), rng.choice([1e-6, 1, -2, 1e3])
        row: dict[str, Any] = published["rows"][place]
        field = rng.choice([name for name, value in row.items() if type(value) in {int, float}])
        changed = [*published["rows"]]
        changed[place] = row | {field: row[field] + amount}
        findings = VerificationReport()
        boards.check_rows(published | {"rows": changed}, computed, findings)
        assert findings.faults == [f"row {place + 1} of the board ({row['name']}) has another {field}"]


@pytest.mark.heavy
def test_the_command_finds_one_of_each_kind(honest, tmp_path):
    kinds = {
        "edit": lambda rows: [*rows[:9], rows[9] | {"turns": 99}, *rows[10:]],
        "deletion": lambda rows: rows[:9] + rows[10:],
        "order": lambda rows: [*rows[:9], rows[10], rows[9], *rows[11:]],
        "truncation": lambda rows: rows[:-9],
    }
    command = [sys.executable, "-m", "arena_trust", "--log", str(honest.arena.log)]
    command += ["--board", str(honest.arena.board), "--audit", str(honest.arena.audit)]
    command += ["--seen", str(tmp_path / "seen.json"), "--export", str(tmp_path / "votes.jsonl")]
    for kind, change in {"honest": list, **kinds}.items():
        rows = change(honest.rows)
        (tmp_path / "votes.jsonl").write_bytes(text(rows) + b"\n")
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (kind, done.returncode, "FAULT: vote" in done.stdout) == (kind, int(kind != "honest"), kind != "honest")


def test_a_board_that_is_ranked_by_another_score_is_named(honest, tmp_path):
    board = json.loads(honest.arena.board.read_bytes()) | {"by": "elo"}
    (tmp_path / "elo.json").write_text(json.dumps(board))
    with pytest.raises(Unsound, match="is ranked by elo; save it without `by`"):
        boards.read_board(tmp_path / "elo.json")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"category": "code"}, "is the board of a category or language; `arena rank verify` checks those"),
        ({"language": "zh"}, "is the board of a category or language; `arena rank verify` checks those"),
        ({"hosts": {"groups": [["gull", "tern"]], "left_out": 3}}, "counts hosts of one model once; `arena rank v"),
    ],
)
def test_a_board_of_other_votes_is_sent_to_the_command_that_checks_it(honest, tmp_path, fields, sentence):
    board = json.loads(honest.arena.board.read_bytes()) | fields
    (tmp_path / "board.json").write_text(json.dumps(board))
    with pytest.raises(Unsound, match=sentence):
        boards.read_board(tmp_path / "board.json")
