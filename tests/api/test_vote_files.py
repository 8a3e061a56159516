"""Votes from a file by the operator: the preview writes nothing, the import adds its votes, errors are clear."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import json
import tempfile
from pathlib import Path

import httpx2
import pytest

from arena.adapters.store import votes as stored
from arena.api.http import long_work, spool
from arena.api.http.voter_cookie import Cookies
from arena.api.routes import vote_files
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from tests.api.conftest import ORIGIN, serving
from tests.conftest import NAMES
from tests.domain.test_file_names import UNUSABLE_NAMES
from tests.paths import ROOT

pytestmark = pytest.mark.process

KEY = "k" * 40
SIGNED = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/octet-stream"}
FEEDBACK = (ROOT / "tests" / "fixtures" / "feedback.json").read_bytes()
TABLE = b"model_a,model_b,winner\n" + b"x,y,model_a\ny,z,model_b\nz,x,tie\n" * 4 + b"x,x,model_a\n"


@pytest.fixture
def app(runtime):
    return whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))


@pytest.fixture
async def operator(app):
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1/operator", headers=SIGNED, timeout=120
    ) as client:
        yield client


async def posted(operator, path: str, name: str, body) -> list[dict]:
    """The lines of the answer to a file."""
    answer = await operator.post(path, params={"name": name}, content=body)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


async def refused(operator, path: str, name: str, body) -> dict:
    """The problem of a file that is refused before or right after its first rows, on however busy a machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_work, "LOOK", long_work.START)
        answer = await operator.post(path, params={"name": name}, content=body)
    problem = answer.json()
    assert answer.status_code == problem["status"], answer.text
    return problem


async def look(operator, name: str, body) -> dict:
    return (await posted(operator, "/votes/preview", name, body))[-1]


async def test_feedback_is_seen_with_both_boards_before_anything_is_written_and_then_added_once(runtime, operator):
    seen = (await look(operator, "feedback.json", FEEDBACK))["result"]
    assert (await runtime.database.read(stored.count), len(seen["rows"])) == (0, 20)
    assert seen["models"] == 4
    assert "Open WebUI takes one pass of Elo" in seen["difference"]
    picture = base64.b64decode(seen["picture"].removeprefix("data:image/svg+xml;base64,")).decode()
    assert picture.startswith("<svg ")
    for number in ("1086", "1094", "893", "916"):
        assert f">{number}<" in picture
    added = (await posted(operator, "/votes", "feedback.json", FEEDBACK))[-1]["result"]
    assert (added["votes"], added["known"]) == (seen["votes"], 0)
    assert await runtime.database.read(stored.count) == seen["votes"]
    again = (await posted(operator, "/votes", "feedback.json", FEEDBACK))[-1]["result"]
    assert again == {"votes": 0, "known": seen["votes"], "names": []}
    acts = [(act["kind"], act["target"]) for act in (await operator.get("/acts")).json()]
    assert ("votes_imported", "feedback.json") in acts


async def test_each_line_says_how_much_of_the_file_is_done(operator):
    lines = await posted(operator, "/votes/preview", "votes.csv", TABLE)
    assert len(lines) > 1
    assert {line["of"] for line in lines[:-1]} == {len(TABLE)}
    shares = [line["done"] for line in lines[:-1]]
    assert shares == sorted(shares)
    assert shares[-1] == len(TABLE)


@pytest.mark.parametrize("name", ["票" * 80 + ".csv", "a b\u202f.csv", "C:\\votes\\.csv", "../votes.csv"])
async def test_a_file_can_have_any_name_that_ends_as_its_form_does(operator, name):
    assert (await look(operator, name, TABLE))["result"]["votes"] == 12


@pytest.mark.parametrize("path", ["/votes", "/votes/preview"])
@pytest.mark.parametrize("name", UNUSABLE_NAMES)
async def test_what_is_no_name_of_a_file_is_one_sentence(operator, path, name):
    answer = await operator.post(path, params={"name": name}, content=TABLE)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    # The guard in front of all routes refuses a zero byte.
    assert ("zero byte" if "\0" in name else "rename it") in answer.json()["detail"]


async def test_a_bad_row_is_named_with_its_line_and_the_others_are_counted(operator):
    seen = (await look(operator, "votes.csv", TABLE))["result"]
    assert (seen["votes"], seen["models"], seen["bad"], seen["difference"]) == (12, 3, 1, "")
    assert seen["bad_rows"][0].startswith("line 14")


@pytest.mark.parametrize("path", ["/votes/preview", "/votes"])
@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("votes.csv", b"a,b\n1,2\n", "rename them in the file"),
        ("votes.csv", b"PK\x03\x04\x14\0\0\0", "a ZIP archive"),
        ("x.bin", b"\x00\x01\x02", "neither JSON nor CSV"),
        ("../../etc/passwd", b"root:x", "neither JSON nor CSV"),
    ],
)
async def test_a_file_of_another_tool_is_one_sentence_without_a_folder(operator, path, name, body, said):
    problem = await refused(operator, path, name, body)
    assert (problem["code"], problem["status"]) == ("invalid", 422)
    assert said in problem["detail"]
    assert tempfile.gettempdir() not in problem["detail"]


@pytest.mark.parametrize("path", ["/votes/preview", "/votes"])
@pytest.mark.parametrize("body", [b"PK\x03\x04\x14\0\0\0", b"\x89PNG\r\n\x1a\n", gzip.compress(b"%PDF-", mtime=0)])
async def test_a_file_that_is_no_text_is_told_by_the_formats_of_votes(operator, path, body):
    problem = await refused(operator, path, "votes.xlsx", body)
    assert problem["params"] == {"rule": "votes_kind"}
    assert "give its rows as a file of CSV, JSON lines or one JSON array" in problem["detail"]


@pytest.mark.parametrize("path", ["/votes/preview", "/votes"])
@pytest.mark.parametrize("body", [b"", b" \n", gzip.compress(b"", mtime=0)])
async def test_an_empty_file_is_called_empty(operator, path, body):
    problem = await refused(operator, path, "votes.csv", body)
    assert (problem["status"], problem["code"], problem["params"]) == (422, "invalid", {"rule": "file_empty"})


async def test_a_preview_names_the_models_of_this_arena_for_which_the_votes_count(runtime, operator):
    rows = f"{NAMES[1]},zebra,model_a\n{NAMES[0]},{NAMES[1]},tie\n".encode()
    body = b"model_a,model_b,winner\n" + rows
    assert (await look(operator, "votes.csv", body))["result"]["here"] == sorted(NAMES[:2])
    await posted(operator, "/votes", "votes.csv", body)
    assert (await look(operator, "votes.csv", TABLE.replace(b"x", b"zebra")))["result"]["here"] == []


async def test_a_file_without_a_vote_is_one_sentence(operator):
    assert "no vote in it" in (await refused(operator, "/votes/preview", "feedback.json", b"[]"))["detail"]


@pytest.mark.parametrize("path", ["/votes/preview", "/votes"])
async def test_more_rows_than_the_page_takes_are_refused_and_nothing_is_added(runtime, operator, monkeypatch, path):
    monkeypatch.setattr(vote_files, "ROWS", 12)
    problem = await refused(operator, path, "votes.csv", TABLE)
    assert "votes.csv: more than 12 rows" in problem["detail"]
    assert await runtime.database.read(stored.count) == 0


async def test_a_file_beyond_the_limit_is_refused_by_its_head_and_while_it_comes(operator, monkeypatch):
    monkeypatch.setattr("arena.api.http.guard.FILE_BYTES", 3 * 2**20)

    async def endless():
        for _ in range(8):
            yield b"x" * 2**20

    whole = await operator.post("/votes/preview", params={"name": "x.csv"}, content=b"x" * 4 * 2**20)
    pieces = await operator.post("/votes/preview", params={"name": "x.csv"}, content=endless())
    for answer in (whole, pieces):
        assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")
        assert "3 megabytes" in answer.json()["detail"]


async def test_whoever_has_no_key_is_refused_before_the_file_is_read(operator):
    async def unread():
        raise AssertionError
        yield b""

    headers = {"Authorization": "Bearer no"}
    answer = await operator.post("/votes/preview", params={"name": "x"}, content=unread(), headers=headers)
    assert answer.status_code in {401, 403}


async def test_a_disk_that_is_full_is_told_as_such(operator, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool, "_write", full)
    answer = await operator.post("/votes/preview", params={"name": "x.csv"}, content=TABLE)
    assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")


async def test_whoever_leaves_ends_the_reading_and_leaves_no_file(app, runtime, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    row = b"x,y,model_a\n"
    body = b"model_a,model_b,winner\n" + row * 400_000
    async with serving(app) as server:
        for path in ("votes/preview", "votes"):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = [f"POST /api/v1/operator/{path}?name=votes.csv HTTP/1.1", "Host: arena.test"]
            head += [*(f"{name}: {value}" for name, value in SIGNED.items()), f"Content-Length: {len(body)}", "", ""]
            writer.write("\r\n".join(head).encode() + body)
            async with asyncio.timeout(120):
                assert b" 200 " in await reader.readline()
                await reader.readuntil(b'"done"')
            assert list(tmp_path.iterdir())
            writer.close()
            async with asyncio.timeout(120):
                while list(tmp_path.iterdir()):
                    await asyncio.sleep(0.05)
    assert await runtime.database.read(stored.count) == 0


@pytest.mark.sqlite
async def test_more_files_than_places_are_refused_before_they_are_read(operator):
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(spool.MAX_FILES):
            await stack.enter_async_context(spool.spooled(pieces_of(TABLE), "votes.csv"))
        answer = await operator.post("/votes", params={"name": "votes.csv"}, content=TABLE)
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert (await posted(operator, "/votes", "votes.csv", TABLE))[-1]["result"]["votes"] == 12


async def pieces_of(body: bytes):
    yield body


async def test_two_hundred_megabytes_are_taken_piece_by_piece(app, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    chat = b'"' + b"word " * 20_000 + b'"'
    rows = b",".join(
        b'{"id":"%d","user_id":"u%d","data":{"rating":1,"model_id":"m%d","sibling_model_ids":["m%d"]},'
        b'"snapshot":{"chat":%s},"created_at":%d}' % (n, n % 9, n % 5, (n + 1) % 5, chat, 1_760_000_000 + n)
        for n in range(2_000)
    )
    size = len(rows) + 2
    assert size > 200_000_000

    async def pieces():
        yield b"["
        for start in range(0, len(rows), 2**18):
            yield rows[start : start + 2**18]
        yield b"]"

    held = []

    def written(file, piece):
        held.append(len(piece))
        file.write(piece)

    monkeypatch.setattr(spool, "_write", written)
    async with serving(app) as server, httpx2.AsyncClient(headers=SIGNED, timeout=300) as client:
        url = f"http://127.0.0.1:{server.port}/api/v1/operator/votes/preview"
        lines = await posted(client, url, "feedback.json", pieces())
    assert lines[-1]["result"]["votes"] == 2_000
    assert max(held) <= 2**20 + 2**18
    assert sum(held) == size
    done = [line["done"] for line in lines[:-1]]  # how many there are depends on the speed of the machine
    assert done == sorted(done)
    assert 0 < done[0] < size


def test_the_page_s_limit_is_that_of_the_api():
    script = Path(ROOT / "frontend/arena_frontend/pages/operator/operator_votes.js").read_text("utf-8")
    assert f"LIMIT = {spool.FILE_BYTES // 2**20} * MEGA" in script
    conf = Path(ROOT / "deploy/nginx/default.conf.template").read_text("utf-8")
    assert f"client_max_body_size    {spool.FILE_BYTES // 2**20}m" in conf
