"""An honest arena is found right, and every change of what it publishes is found and named."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from datetime import datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Thread

import pytest

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.hashing import leaf_hash
from arena_trust.tlog.keys import Signer, VerifierKey
from arena_trust.tlog.leaves import LeafKind, encode_leaf
from arena_trust.tlog.tiles import ENTRIES, WIDTH, Edge, Tile, decode_bundle, encode_bundle, tiles
from arena_trust.verifier.board import is_before_log
from arena_trust.verifier.published_leaves import PublishedLeaves
from arena_trust.verifier.verification_report import VerificationReport
from tests.paths import ROOT
from tests.trust.tlog.test_notes import SIGNER
from tests.trust.verifier.arenas import PublishedArena, publish

COUNT = 600


@pytest.fixture(scope="module")
def honest(tmp_path_factory) -> PublishedArena:
    import asyncio

    folder = tmp_path_factory.mktemp("honest")
    url = f"sqlite:///{folder / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    try:
        return asyncio.run(publish(database, folder, COUNT))
    finally:
        database.close()


@pytest.fixture
def arena(honest, tmp_path) -> PublishedArena:
    return honest.copied(tmp_path / "copy")


def sentences(findings) -> str:
    return "\n".join(findings.faults)


def test_an_honest_arena_is_right_and_what_is_not_known_is_said(arena):
    findings = arena.verified()
    assert findings.faults == []
    assert "computed again from these votes to the last bit" in str(findings)
    assert re.search(r"\d+ votes on models that were not listed cannot be opened", str(findings))
    assert "for the first time" in str(findings)
    again = arena.verified()
    assert again.holds
    assert "goes on from" in str(again)


@pytest.mark.process
def test_the_command_says_it_by_its_exit_status(arena):
    command = [sys.executable, "-m", "arena_trust", "--log", str(arena.log), "--export", str(arena.export)]
    command += ["--board", str(arena.board), "--seen", str(arena.folder / "seen.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "FAULT" not in done.stdout
    rows = arena.lines()
    rows[3]["outcome"] = "a" if rows[3]["outcome"] == "b" else "b"
    arena.rewrite(rows)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"FAULT: vote {rows[3]['number']} is not the vote that the log commits to" in done.stdout


EDITS = {
    "outcome": lambda row: {"outcome": "a" if row["outcome"] != "a" else "tie"},
    "a": lambda row: {"a": row["b"], "b": row["a"]},
    "language": lambda _: {"language": "fr"},
    "turns": lambda row: {"turns": (row["turns"] or 0) + 1},
    "style": lambda row: {"style": [each + 1 for each in row["style"] or [0]]},
    "probability": lambda row: {"probability": (row["probability"] or 0) + 0.001},
    "created_at": lambda _: {"created_at": "2026-02-28"},
    "nonce": lambda _: {"nonce": "00" * 32},
    "reason": lambda row: {"counted": not row["counted"], "reason": "stopped" if row["counted"] else None},
    "number": lambda row: {"number": row["number"] + 100_000},
}


@pytest.mark.parametrize("field", EDITS)
def test_every_edit_of_a_vote_is_found_and_named(arena, field):
    rows = arena.lines()
    place = Random(field).randrange(len(rows) - 5)
    number = rows[place]["number"]
    rows[place] |= EDITS[field](rows[place])
    arena.rewrite(rows)
    findings = arena.verified()
    assert f"vote {number} " in sentences(findings) or f"vote {number + 100_000} " in sentences(findings)


def test_deletions_swaps_orders_and_truncations_are_found_and_named(arena):
    rows = arena.lines()
    for place in (0, 7, len(rows) - 10):
        arena.rewrite(rows[:place] + rows[place + 1 :])
        assert f"vote {rows[place]['number']} is in the log as one on listed models" in sentences(arena.verified())
        swapped = [dict(row) for row in rows]
        swapped[place]["number"], swapped[place + 1]["number"] = rows[place + 1]["number"], rows[place]["number"]
        arena.rewrite(swapped)
        assert f"vote {rows[place]['number']} is not the vote" in sentences(arena.verified())
        arena.rewrite([*rows[:place], rows[place + 1], rows[place], *rows[place + 2 :]])
        assert f"vote {rows[place]['number']} comes after vote" in sentences(arena.verified())
    arena.rewrite(rows[:-20])
    assert f"vote {rows[-20]['number']} is in the log and the board" in sentences(arena.verified())
    arena.rewrite(rows)
    whole = arena.export.read_bytes()
    arena.export.write_bytes(whole[:-30])
    assert "cut off in line" in sentences(arena.verified())


def test_a_vote_that_is_called_unlisted_later_or_made_up_is_found(arena):
    rows = arena.lines()
    gone = {"gull"}
    arena.rewrite([row for row in rows if not gone & {row["a"], row["b"]}])
    first = next(row["number"] for row in rows if gone & {row["a"], row["b"]})
    assert f"vote {first} is in the log as one on listed models" in sentences(arena.verified())
    made = dict(rows[0], number=99_999)
    del made["nonce"]
    arena.rewrite([*rows, made])
    assert "vote 99999 is in the export and not in the log" in sentences(arena.verified())


def test_an_exclusion_without_a_leaf_and_a_leaf_without_an_exclusion_are_found(arena):
    rows = arena.lines()
    place = next(place for place, row in enumerate(rows) if row["counted"])
    changed = [dict(row) for row in rows]
    changed[place] |= {"counted": False, "reason": "we did not like it"}
    arena.rewrite(changed)
    number = rows[place]["number"]
    assert f"vote {number} is excluded in the export, and the log has no such" in sentences(arena.verified())
    place = next(place for place, row in enumerate(rows) if row["reason"] == "bought")
    changed = [dict(row) for row in rows]
    changed[place] |= {"counted": True, "reason": None}
    arena.rewrite(changed)
    assert f"vote {rows[place]['number']} is excluded by the log and counts" in sentences(arena.verified())


def test_a_vote_that_counts_with_a_reason_not_to_count_is_named(arena):
    rows = arena.lines()
    place = next(place for place, row in enumerate(rows) if row["counted"])
    rows[place] |= {"reason": "bought"}
    arena.rewrite(rows)
    assert f"vote {rows[place]['number']} counts and does not, by the export" in sentences(arena.verified())


@pytest.mark.parametrize(("faults", "last"), [(1, "FAULT: fault 0"), (2, "FAULT: fault 1"), (5, "FAULT: and 3 more")])
def test_faults_beyond_the_most_that_are_named_are_counted(faults, last):
    report = VerificationReport(most=2)
    for number in range(faults):
        report.fault(f"fault {number}")
    assert str(report).splitlines()[-1] == last


@pytest.mark.parametrize("field", ["elo", "rank", "bt_low", "wins", "points_per_battle"])
def test_a_changed_row_of_the_board_is_found_and_named(arena, field):
    board = json.loads(arena.board.read_text())
    board["rows"][1][field] += 1
    arena.board.write_text(json.dumps(board))
    name = board["rows"][1]["name"]
    assert f"row 2 of the board ({name}) has another {field}" in sentences(arena.verified())


def test_a_board_that_the_log_does_not_name_is_found(arena):
    board = json.loads(arena.board.read_text())
    board["snapshot"]["seed"] += 1
    arena.board.write_text(json.dumps(board))
    assert "has another digest than the one computed" in sentences(arena.verified())
    board["snapshot"]["id"] += 7
    arena.board.write_text(json.dumps(board))
    assert "is not in the log" in sentences(arena.verified())


@pytest.mark.parametrize(
    ("seconds", "is_newest", "is_wrong"),
    [(3, True, False), (599, True, False), (-60, True, False), (601, True, True), (-601, True, True), (3, False, True)],
)
def test_a_board_that_is_newer_than_the_log_is_not_wrong_for_ten_minutes(arena, seconds, is_newest, is_wrong):
    board = json.loads(arena.board.read_text())
    board["snapshot"]["id"] += 7 if is_newest else -1
    arena.board.write_text(json.dumps(board))
    computed_at = datetime.fromisoformat(board["snapshot"]["created_at"])
    findings = arena.verified(now=computed_at + timedelta(seconds=seconds))
    assert bool(findings.faults) == is_wrong
    assert ("is not yet in the log, which has it 10 minutes later at most" in str(findings)) != is_wrong
    assert not findings.holds


def test_a_board_that_is_in_the_log_is_checked_however_new_it_is(arena):
    snapshot = json.loads(arena.board.read_text())["snapshot"]
    findings = arena.verified(now=datetime.fromisoformat(snapshot["created_at"]))
    assert (findings.faults, findings.unread, findings.holds) == ([], "", True)


def test_the_first_board_of_an_arena_is_newer_than_a_log_without_one():
    assert PublishedLeaves().last_decision == 0
    snapshot = {"id": 1, "created_at": "2026-03-01T12:00:00+00:00"}
    assert is_before_log(snapshot, PublishedLeaves(), datetime.fromisoformat(snapshot["created_at"]))


@pytest.mark.parametrize("moment", [None, "yesterday", 3, "2026-02-28T12:00:00"])
def test_a_board_without_a_time_has_none_to_be_logged_in(arena, moment):
    board = json.loads(arena.board.read_text())
    board["snapshot"] |= {"id": 99, "created_at": moment}
    arena.board.write_text(json.dumps(board))
    assert "board 99 is not in the log" in sentences(arena.verified())


def test_the_grounded_table_and_the_comparison_of_two_models_are_computed_again(arena):
    findings = arena.verified(tables=arena.tables)
    assert findings.faults == []
    assert "the grounded table was computed again" in str(findings)
    assert "the comparison of gull and heron was computed again" in str(findings)


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("method.json", lambda table: table["grounded"].update(bar=1000.0), "the grounded table has another bar"),
        ("method.json", lambda table: table["grounded"]["rows"].pop(), "the grounded table has another rows"),
        ("pair.json", lambda table: table["boards"][0].update(better=0.99), "gull and heron has another better"),
        ("pair.json", lambda table: table["boards"][0].update(more=0), "gull and heron has another more"),
        ("pair.json", lambda table: table.update(boards=[]), "gull and heron has another value"),
        ("method.json", lambda table: table["tables"].update(digest=""), "has another digest in the log"),
        ("method.json", lambda table: table.pop("tables"), "is neither the method of a leaderboard nor a comparison"),
    ],
)
def test_a_changed_table_is_found_and_named(arena, file, change, message):
    path = arena.folder / file
    table = json.loads(path.read_text())
    change(table)
    path.write_text(json.dumps(table))
    assert message in sentences(arena.verified(tables=(path,)))


def test_tables_before_the_first_snapshot_are_left_open(arena):
    path = arena.tables[0]
    path.write_text('{"grounded":null,"tables":null}')
    assert "was saved before the first tables were computed" in str(arena.verified(tables=(path,)))


def test_a_corrupt_tile_a_foreign_checkpoint_and_a_wrong_key_are_one_clear_error_each(arena):
    whole = {path: path.read_bytes() for path in arena.log.rglob("*") if path.is_file()}
    size = int((arena.log / "checkpoint").read_text().split("\n")[1])
    used = {tile.path for tile in tiles(size)}
    assert len(used) == 7
    for path, data in whole.items():
        if path.name in {"checkpoint", "checkpoint.keys", "key", ".lock"}:
            continue
        path.write_bytes(bytes([data[0] ^ 1]) + data[1:])
        findings = arena.verified()
        path.write_bytes(data)
        assert findings.holds is (path.relative_to(arena.log).as_posix() not in used)
    checkpoint = arena.log / "checkpoint"
    note = checkpoint.read_text()
    for changed, message in (
        (note.replace(f"\n{size}\n", f"\n{size - 1}\n"), "is wrong"),
        (note[:-20] + "\n", "not base64"),
        (Checkpoint("other.example", 1, bytes(32)).signed(SIGNER), "None of the known keys"),
        ("", "A note is"),
    ):
        checkpoint.write_text(changed)
        assert len(arena.verified().faults) == 1
        assert message in sentences(arena.verified())
    checkpoint.write_text(note)
    key = VerifierKey.parse((arena.log / "key").read_text())
    other = VerifierKey(key.name, SIGNER.key.public)
    assert "None of the known keys" in sentences(arena.verified(key=str(other)))
    assert "wrong hash" in sentences(arena.verified(key=str(key).replace(key.id.hex(), "00000000")))


def rewritten(arena: PublishedArena, signer: Signer, entries: list[bytes]) -> None:
    """The log as an operator with the key could sign it anew."""
    edge = Edge()
    full = {(0, n): b"".join(each) for n, (_, each) in enumerate(edge.extend(map(leaf_hash, entries)))}
    size = len(entries)
    for number in range(-(-size // WIDTH)):
        width = min(WIDTH, size - number * WIDTH)
        for tile, data in (
            (Tile(ENTRIES, number, width), encode_bundle(entries[number * WIDTH : number * WIDTH + width])),
            (Tile(0, number, width), full.get((0, number)) or b"".join(edge.levels[0])),
        ):
            (arena.log / tile.path).parent.mkdir(parents=True, exist_ok=True)
            (arena.log / tile.path).write_bytes(data)
    (arena.log / Tile(1, 0, size // WIDTH).path).write_bytes(b"".join(edge.levels[1]))
    (arena.log / "checkpoint").write_text(Checkpoint(signer.name, size, edge.root()).signed(signer))


def test_a_log_that_was_written_anew_is_found_by_whoever_saw_it_before(arena):
    size = Checkpoint.parse((arena.log / "checkpoint").read_text().split("\n\n")[0] + "\n").size
    entries: list[bytes] = []
    for number in range(-(-size // WIDTH)):
        tile = Tile(ENTRIES, number, min(WIDTH, size - number * WIDTH))
        entries += decode_bundle((arena.log / tile.path).read_bytes(), tile)
    signer = Signer("arena.example/log/1", SIGNER.private)
    entries[0] = encode_leaf("origin", origin=signer.name, key=str(signer.key))  # pyright: ignore[reportArgumentType]
    key = str(signer.key)
    rewritten(arena, signer, entries)
    assert arena.verified(key=key).faults == []
    rewritten(arena, signer, [*entries, b'{"v":1,"kind":"snapshot","id":99,"digest":""}'])
    assert arena.verified(key=key).holds
    rewritten(arena, signer, entries)
    assert "leaves, and had" in sentences(arena.verified(key=key))
    changed = [*entries, b'{"v":1,"kind":"key"}', b'{"v":1,"kind":"key"}']
    rewritten(arena, signer, changed)
    assert "are not those that this machine saw before" in sentences(arena.verified(key=key))
    rewritten(arena, signer, [*entries, entries[5]])
    arena.folder.joinpath("seen.json").unlink()
    assert "has two leaves" in sentences(arena.verified(key=key))
    released = [encode_leaf(LeafKind.RELEASE, name="2026-03", digest=digest * 64) for digest in "aab"]
    rewritten(arena, signer, [*entries, *released[:2], encode_leaf(LeafKind.LABELS, name="2026-03", digest="c" * 64)])
    assert arena.verified(key=key).faults == []
    arena.folder.joinpath("seen.json").unlink()
    rewritten(arena, signer, [*entries, *released])
    assert "the release 2026-03 has two digests in the log" in sentences(arena.verified(key=key))
    rewritten(arena, signer, [*entries, encode_leaf(LeafKind.EVALUATION, name="2026-03")])
    assert "has fields missing" in sentences(arena.verified(key=key))
    rewritten(arena, signer, [*entries, b"anything"])
    assert "not one of an arena" in sentences(arena.verified(key=key))


def test_files_that_are_not_there_are_one_sentence(arena):
    arena.board.write_text('{"snapshot":null,"rows":[],"pairs":[]}')
    assert "none had been computed" in sentences(arena.verified())
    arena.board.write_text("[]")
    assert "is not a published leaderboard" in sentences(arena.verified())
    for path in (arena.board, arena.export):
        path.unlink()
        findings = arena.verified()
        assert (findings.faults, findings.holds, findings.unread) == ([], False, f"{path}: No such file or directory.")
    findings = arena.verified(log=str(arena.folder / "nowhere"))
    assert (findings.faults, findings.holds) == ([], False)
    assert findings.unread.startswith("key of the log cannot be read: ")


TRANSIENT = {
    "gone": lambda reply: reply(404, b""),
    "busy": lambda reply: reply(429, b"{}"),
    "proxy": lambda reply: reply(502, b"<h1>Bad gateway</h1>"),
    "portal": lambda reply: reply(200, b"<h1>Sign in to this network</h1>", kind="text/html; charset=utf-8"),
    "cut": lambda reply: reply(200, b"half", length=4000),
    "nothing": lambda _: None,
}


@pytest.fixture
def served(arena):
    """The arena's log at an address; a test sets what answers for the files with `part` in their path."""

    class Handler(SimpleHTTPRequestHandler):
        part, failure = "", "gone"

        def do_GET(self) -> None:
            if Handler.part and Handler.part in self.path:
                TRANSIENT[Handler.failure](self.reply)
                self.close_connection = True
            else:
                super().do_GET()

        def reply(self, status: int, body: bytes, *, kind: str = "application/json", length: int = 0) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(length or len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(arena.log))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield Handler, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("failure", TRANSIENT)
def test_a_file_that_does_not_arrive_accuses_nobody(arena, served, failure):
    handler, address = served
    assert arena.verified(log=address).holds
    assert json.loads((arena.log / "checkpoint.keys").read_bytes()) == []  # published before a key is ever replaced
    handler.failure = failure
    for part in ("/key", "/checkpoint", "/tile/entries", "/tile/0", "/checkpoint.keys"):
        handler.part = part
        findings = arena.verified(log=address, seen=arena.folder / "new.json")
        if (part, failure) == ("/checkpoint.keys", "gone"):
            assert findings.holds  # a log whose key was never replaced may lack it
            (arena.folder / "new.json").unlink()
            continue
        assert (findings.faults, findings.holds) == ([], False), part
        assert "of the log cannot be fetched: " in findings.unread
        assert str(findings).splitlines()[-1] == f"COULD NOT BE CHECKED: {findings.unread} Please try again."
        assert not (arena.folder / "new.json").exists()


def test_the_log_is_found_below_the_address_or_folder_of_its_arena(arena, served):
    _, address = served
    arena.log.rename(arena.folder / "root")
    arena.log.mkdir()
    (arena.folder / "root").rename(arena.log / "log")
    for place in (address, f"{address}/", f"{address}/log", str(arena.log)):
        assert arena.verified(log=place).holds, place


def test_an_address_without_a_log_is_told_what_to_give_and_not_to_try_again(arena, served):
    _, address = served
    for place in (f"{address}/votes", str(arena.folder / "none")):
        findings = arena.verified(log=place)
        assert findings.unread.startswith("key of the log cannot be "), place
        assert str(findings).endswith(
            " Give the address of an arena, or the address or folder of its log, such as https://arena.example/log."
        )


@pytest.mark.parametrize("option", ["export", "board"])
def test_a_file_that_is_not_there_is_named_and_nobody_is_told_to_try_again(arena, option):
    findings = arena.verified(**{option: arena.folder / "none.json"})
    assert findings.faults == []
    assert str(findings).endswith("none.json: No such file or directory.")


@pytest.mark.process
def test_the_command_has_a_status_of_its_own_for_a_file_that_does_not_arrive(arena, served):
    handler, address = served
    handler.part, handler.failure = "/tile/0", "proxy"
    command = [sys.executable, "-m", "arena_trust", "--log", address, "--seen", str(arena.folder / "seen.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, "FAULT" in done.stdout) == (3, "", False)
    assert "COULD NOT BE CHECKED: tile/0/000" in done.stdout


def test_a_zipped_export_is_read_and_a_torn_bundle_is_named(arena):
    arena.export.write_bytes(gzip.compress(arena.export.read_bytes()))
    assert arena.verified().faults == []
    arena.export.write_bytes(gzip.decompress(arena.export.read_bytes()))
    rows = arena.lines()
    rows[5]["turns"] += 1
    arena.rewrite(rows)
    assert sentences(arena.verified()) == f"vote {rows[5]['number']} is not the vote that the log commits to"
    path = arena.log / "tile" / "entries" / "000"
    path.write_bytes(path.read_bytes()[:-1])
    assert "tile/entries/000 is not a bundle" in sentences(arena.verified())


@pytest.mark.parametrize(
    "line",
    ['{"number":1}', "[]", '{"a":1}{"b":2}', "", '{"number":"1"}', "{", '"vote"', '{"number":99999999999999999999}'],
)
def test_a_line_that_is_no_vote_is_named(arena, line):
    text = arena.export.read_text("utf-8").split("\n")
    text[7] = line
    arena.export.write_text("\n".join(text), "utf-8")
    assert len(arena.verified().faults) == 1
    assert "ine 8 of the export is not" in sentences(arena.verified())


@pytest.mark.parametrize(("field", "value"), [("style", "[3,3]"), ("turns", "1"), ("a", None), ("probability", "0.1")])
def test_a_field_of_another_type_is_not_taken_for_the_one_that_is_committed_to(arena, field, value):
    rows = arena.lines()
    rows[3][field] = value
    arena.rewrite(rows)
    assert "Line 4 of the export is not a vote" in sentences(arena.verified())
