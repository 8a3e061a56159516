"""A browser checks a receipt by itself, and calls nothing proven that does not hold."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from arena_trust.tlog.checkpoints import Checkpoint, Proof
from arena_trust.tlog.leaves import CommittedVote, LeafKind, encode_leaf, vote_leaf
from arena_trust.tlog.proofs import inclusion_proof
from arena_trust.tlog.rotations import announcement
from arena_trust.tlog.tiles import subtrees
from tests.paths import ROOT
from tests.trust.tlog.logs import Files
from tests.trust.tlog.test_notes import SIGNER, STRANGER
from tests.usecases.transparency.arenas import START

NONCE = bytes(range(32))
VOTE = CommittedVote(7, START.date(), "鸥", "heron", "tie", None, "zh", 1, [1] * 8, 0.25)


class Arena:
    """A log in files, and the receipt of one vote in it, behind a plain file server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = Files()
        self.proofs: list[str] = []
        (folder / "assets").symlink_to(ROOT / "frontend" / "arena_frontend" / "assets")
        (folder / "page.html").write_text("<!doctype html><title>receipts</title>")
        self.index = 300
        self.grow([b"leaf %d" % number for number in range(self.index)])
        self.grow([vote_leaf(VOTE, NONCE, listed=True)])

    def grow(self, leaves: list[bytes]) -> None:
        self.log.publish(leaves)
        self.log.written(self.folder / "log")

    def receipt(
        self,
        *,
        signer=SIGNER,
        extra: dict[str, str] | None = None,
        without: tuple[str, ...] = (),
        index: int | None = None,
    ) -> None:
        size = self.log.edge.size
        place = self.index if index is None else index
        opening = {"leaf": self.log.leaves[self.index].decode(), "nonce": NONCE.hex(), "vote": VOTE.canonical.decode()}
        note = Checkpoint(SIGNER.name, size, self.log.edge.root()).signed(signer)
        path = inclusion_proof(subtrees(self.log, size), place, size)
        shown = {name: value for name, value in (opening | (extra or {})).items() if name not in without}
        proof = Proof(place, path, note, json.dumps(shown, ensure_ascii=False).encode())
        target = self.folder / "api" / "v1" / "battles" / "b"
        target.mkdir(parents=True, exist_ok=True)
        (target / "receipt").write_text(str(proof))
        (self.folder / "log" / "key").write_text(f"{SIGNER.key}\n")
        (self.folder / "log" / "checkpoint.keys").write_text(json.dumps(self.proofs))

    def change_key(self, leaf: bytes) -> None:
        """Announce another key by this leaf, and prove that by a checkpoint of the new key."""
        self.grow([leaf])
        size = self.log.edge.size
        note = Checkpoint(SIGNER.name, size, self.log.edge.root()).signed(STRANGER)
        self.proofs = [str(Proof(size - 1, inclusion_proof(subtrees(self.log, size), size - 1, size), note, leaf))]


class Handler(SimpleHTTPRequestHandler):
    """Answers a missing receipt as the API does."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if not self.path.endswith("/receipt"):
            return super().send_error(code, message, explain)
        body = json.dumps({"code": "not_logged"}).encode()
        self.send_response(404)
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    Handler.extensions_map = {**Handler.extensions_map, ".js": "text/javascript"}
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


CHECK = "async () => (await import('/assets/receipts.js')).check('b')"


@pytest.fixture
def arena(tmp_path) -> Arena:
    return Arena(tmp_path)


@pytest.fixture(scope="module")
def tab(browser):
    """The tab of all tests: the address of each is another origin, so it finds nothing of the one before."""
    with browser.new_page() as tab:
        yield tab


@pytest.fixture
def page(tab, arena):
    with served(arena.folder) as address:
        tab.goto(f"{address}/page.html")
        yield tab
        tab.unroute_all()
        tab.evaluate("localStorage.clear()")  # a later test may have the same port
        tab.goto("about:blank")


def test_a_receipt_is_proven_at_every_size_to_which_the_log_grows(arena, page):
    assert page.evaluate(CHECK) == {"state": "waiting"}
    for more in (0, 1, 210, 1, 255, 600):
        arena.grow([b"more %d" % number for number in range(more)])
        arena.receipt()
        found = page.evaluate(CHECK)
        assert found["state"] == "proven", (more, found)
        root = b64encode(arena.log.edge.root()).decode()
        assert found["place"] == {"index": 300, "size": arena.log.edge.size, "root": root, "origin": SIGNER.name}
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('arena_receipts'))")
    assert Proof.parse(kept["b"]).index == 300


@pytest.mark.heavy
def test_a_receipt_in_a_log_of_a_million_leaves_is_proven(arena, page, record_property):
    arena.grow([b"more %d" % number for number in range(1_000_000)])
    arena.receipt()
    assert page.evaluate(CHECK)["state"] == "proven"
    arena.grow([b"still more %d" % number for number in range(1_000)])
    arena.receipt()
    # Also that the log only grew since the last visit: this needs more of its tiles.
    timed = f"async () => {{ const start = performance.now(); const found = await ({CHECK})(); "
    found, milliseconds = page.evaluate(timed + "return [found, performance.now() - start]; }")
    assert found["state"] == "proven"
    assert found["place"]["size"] > 1_001_000
    record_property("milliseconds", round(milliseconds))


def test_what_does_not_hold_is_never_proven(arena, page):
    for changed, why in (
        ({"signer": STRANGER}, "key"),
        ({"extra": {"vote": VOTE.canonical.decode().replace("tie", "a")}}, "vote"),
        ({"extra": {"nonce": "00" * 32}}, "vote"),
        ({"index": 299}, "path"),
    ):
        arena.receipt(**changed)
        assert page.evaluate(CHECK) == {"state": "wrong", "why": why}
    arena.receipt()
    target = arena.folder / "api/v1/battles/b/receipt"
    whole = target.read_text()
    target.write_text(whole.replace("\n301\n", "\n302\n"))
    assert page.evaluate(CHECK) == {"state": "wrong", "why": "signature"}
    target.write_text(whole)
    assert page.evaluate(CHECK)["state"] == "proven"


def test_a_browser_is_led_to_the_next_key_and_takes_no_receipt_of_the_one_before(arena, page):
    arena.receipt()
    assert page.evaluate(CHECK)["state"] == "proven"
    arena.change_key(encode_leaf(LeafKind.KEY, **announcement(SIGNER, STRANGER.key)))
    arena.receipt(signer=SIGNER)
    assert page.evaluate(CHECK) == {"state": "wrong", "why": "key"}
    for more in (0, 300):
        arena.grow([b"later %d" % number for number in range(more)])
        arena.receipt(signer=STRANGER)
        assert page.evaluate(CHECK)["state"] == "proven"
    arena.proofs = []
    arena.receipt(signer=SIGNER)
    assert page.evaluate(CHECK) == {"state": "wrong", "why": "key"}


def test_a_key_that_the_one_before_has_not_announced_is_not_followed(arena, page):
    arena.receipt()
    assert page.evaluate(CHECK)["state"] == "proven"
    announced = announcement(STRANGER, STRANGER.key) | {"before": str(SIGNER.key)}
    arena.change_key(encode_leaf(LeafKind.KEY, **announced))
    arena.receipt(signer=STRANGER)
    assert page.evaluate(CHECK) == {"state": "wrong", "why": "key"}


def test_a_log_that_was_written_anew_is_found_by_the_browser_that_saw_it_before(arena, page):
    arena.receipt()
    assert page.evaluate(CHECK)["state"] == "proven"
    arena.log = Files()
    arena.grow([b"other %d" % number for number in range(300)])
    arena.grow([vote_leaf(VOTE, NONCE, listed=True), b"more"])
    arena.receipt()
    assert page.evaluate(CHECK) == {"state": "wrong", "why": "history"}


FILES = ["**/log/key", "**/log/checkpoint.keys", "**/b/receipt", "**/log/tile/0/001", "**/log/tile/**"]


def proxy(status: int, kind: str):
    return lambda route: route.fulfill(status=status, content_type=kind, body="busy")


FAILURES = {
    "no network": lambda route: route.abort("internetdisconnected"),
    "cut": lambda route: route.abort("connectionreset"),
    **{
        str(status): proxy(status, kind)
        for status, kind in ((404, "text/html"), (429, "text/plain"), (502, "text/html"), (503, "text/plain"))
    },
    "429 of the arena": lambda route: route.fulfill(status=429, json={"code": "rate_limited"}),
    "sign-in of a network": lambda route: route.fulfill(content_type="text/html; charset=utf-8", body="<h1>Sign in"),
    "not JSON": lambda route: route.fulfill(status=500, content_type="application/json", body="{"),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("file", FILES)
def test_what_cannot_be_read_is_unreached_and_never_wrong(arena, page, file, failure):
    arena.receipt()
    assert page.evaluate(CHECK)["state"] == "proven"
    arena.grow([b"more %d" % number for number in range(400)])
    arena.receipt()
    page.route(file, FAILURES[failure])
    assert page.evaluate(CHECK) == {"state": "unreached"}
    page.unroute(file)
    assert page.evaluate(CHECK)["state"] == "proven"


def test_an_erased_vote_has_a_state_of_its_own_and_its_entry_is_still_checked(arena, page):
    arena.receipt(without=("nonce", "vote"))
    assert page.evaluate(CHECK)["state"] == "erased"
    arena.receipt(without=("nonce", "vote"), index=299)
    assert page.evaluate(CHECK) == {"state": "wrong", "why": "path"}


def test_a_browser_whose_storage_is_broken_or_full_accuses_nobody(arena, page):
    arena.receipt()
    of_log = ("null", "7", '"text"', "[1]", "{}", '{"size": 1}', json.dumps({"size": "2", "root": {}, "key": "a+b"}))
    for kept in ("{", "null", "7", '"text"', "[[]]", *(f'{{"{SIGNER.name}": {state}}}' for state in of_log)):
        page.evaluate("kept => { localStorage.arena_log_seen = localStorage.arena_receipts = kept }", kept)
        assert page.evaluate(CHECK)["state"] == "proven", kept
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') } }")
    assert page.evaluate(CHECK)["state"] == "proven"
