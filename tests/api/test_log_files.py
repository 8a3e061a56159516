"""The transparency log is served as files, and nothing else of its folder is."""

from __future__ import annotations

import httpx2
import pytest

from arena.adapters.store import log_leaves
from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.transparency.witnessing import path_of
from arena_trust.tlog.leaves import LeafKind
from tests.api.conftest import ORIGIN
from tests.usecases.transparency.arenas import sequencer


@pytest.fixture
async def door(runtime, tmp_path):
    def fill(session) -> None:
        for number in range(300):
            log_leaves.add(session, LeafKind.SNAPSHOT, id=number)

    await runtime.database.write(fill)
    log = sequencer(runtime.database, tmp_path)
    await log.turn()
    (log.files.folder / "secret").write_text("nobody's")
    log.files.put(path_of("other.example/log"), "a checkpoint")
    runtime.log = log.files
    app = whole_app(runtime, Cookies(b"x" * 32, secure=False))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as client:
        yield client


@pytest.mark.sqlite
async def test_tiles_are_kept_for_ever_and_the_checkpoint_for_a_moment(door):
    checkpoint = await door.get("/log/checkpoint")
    assert checkpoint.status_code == 200
    assert checkpoint.text.split("\n")[1] == "301"
    assert (checkpoint.headers["content-type"], checkpoint.headers["cache-control"]) == (
        "text/plain; charset=utf-8",
        "public, max-age=2",
    )
    for path in ("tile/0/000", "tile/0/001.p/45", "tile/1/000.p/1", "tile/entries/000", "tile/entries/001.p/45"):
        tile = await door.get(f"/log/{path}")
        assert tile.status_code == 200
        assert "immutable" in tile.headers["cache-control"]
        assert tile.headers["content-type"] == "application/octet-stream"
    assert (await door.get("/log/key")).text.startswith("arena.example/log/")
    assert (await door.head("/log/checkpoint")).status_code == 200


@pytest.mark.sqlite
async def test_cosigned_checkpoints_of_other_logs_are_served_for_a_moment(door):
    answer = await door.get(f"/log/{path_of('other.example/log')}")
    assert (answer.status_code, answer.text) == (200, "a checkpoint")
    assert answer.headers["cache-control"] == "public, max-age=2"


@pytest.mark.sqlite
async def test_nothing_else_is_served(door):
    for path in (
        "secret",
        "witnessed",
        "witnessed/other.example",
        "",
        "tile",
        "tile/0/002",
        "../master.keys",
        "%2e%2e/master.keys",
    ):
        answer = await door.get(f"/log/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    answer = await door.post("/log/checkpoint", headers={"Origin": ORIGIN})
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
