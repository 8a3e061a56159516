"""The public files over HTTP: the list, their types, and nothing beside their folder."""

from __future__ import annotations

import json
from http import HTTPStatus

import httpx2
import pytest

from arena.adapters.store import log_leaves
from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.transparency.witnessing import path_of
from arena_trust.tlog.leaves import LeafKind
from tests.api.conftest import ORIGIN
from tests.usecases.transparency.arenas import sequencer

TABLE, TEXT = "text/csv; charset=utf-8", "text/plain; charset=utf-8"
ELSEWHERE = (
    "nothing.csv",
    "%2e%2e/secret.csv",
    "..%2fsecret.csv",
    "link.csv",
    "sub",
    "a%00b.csv",
    "page.html",
    "a\\..\\b.csv",
    ".staged/half.csv",
    "sub/../.staged/half.csv",
    "sub/..%2f.digests.json",
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "secret.csv").write_text("beside the folder")
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


@pytest.fixture
async def client(runtime, folder):
    app = whole_app(runtime, Cookies(b"a secret of the tests"), files=folder)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://arena.test") as client:
        yield client


async def test_the_list_says_whether_files_are_there_or_are_being_written(client, folder):
    assert (await client.get("/api/v1/files")).json() == {"made_at": None, "day": None, "written": True, "files": []}
    entry = {"path": "text/x.csv", "bytes": 3, "sha256": "a" * 64}
    body = {"made_at": "2026-11-25T10:00:00+00:00", "day": "2026-11-25", "files": [entry]}
    (folder / "index.json").write_text(json.dumps(body))
    listed = (await client.get("/api/v1/files")).json()
    assert (listed["written"], listed["day"], listed["files"]) == (False, "2026-11-25", [entry])
    folder.joinpath("index.json").unlink()
    folder.rmdir()
    assert (await client.get("/api/v1/files")).json()["written"] is False


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.csv", TABLE), ("b/c.parquet", "application/vnd.apache.parquet"), ("SHA256SUMS", "text/plain; charset=utf-8")],
)
async def test_a_file_has_its_type_and_may_be_read_from_other_sites(client, folder, name, kind):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"1,2")
    answer = await client.get(f"/files/{name}")
    assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, b"1,2", kind)
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("name", ELSEWHERE)
async def test_whatever_is_no_public_file_is_not_found(client, folder, name):
    for name_of_folder in ("sub", ".staged"):
        (folder / name_of_folder).mkdir()
    for hidden in (".staged/half.csv", ".digests.json"):
        (folder / hidden).write_text("{}")
    (folder / "page.html").write_text("<script>1</script>")
    (folder / "link.csv").symlink_to(folder.parent / "secret.csv")
    answer = await client.get(f"/files/{name}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_the_folder_itself_leads_to_its_page_and_takes_no_writes(client):
    assert (await client.get("/files/")).headers["location"] == "/files"
    refused = await client.post("/files/a.csv", headers={"Origin": "http://arena.test"})
    assert refused.status_code in {HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.FORBIDDEN}


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
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "path", ["checkpoint", "key", "tile/0/000", "tile/0/001.p/45", "tile/entries/000", path_of("other.example/log")]
)
async def test_a_file_of_the_log_is_sent_once_to_whoever_has_it(door, path, method):
    first = await door.request(method, f"/log/{path}")
    tag = first.headers["etag"]
    for known in (tag, f"W/{tag}", f'"another", {tag}', "*"):
        again = await door.request(method, f"/log/{path}", headers={"If-None-Match": known})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
        names = ("etag", "cache-control", "access-control-allow-origin")
        assert [again.headers[name] for name in names] == [first.headers[name] for name in names]
    other = await door.request(method, f"/log/{path}", headers={"If-None-Match": '"another"'})
    assert (other.status_code, other.content) == (200, first.content)


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
