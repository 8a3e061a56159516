"""Every route that takes a file hands it to a confined child: neither the loop nor a thread of this process reads."""

from __future__ import annotations

import ast
import base64
import csv
import gzip
import io
import json
import subprocess
import tempfile
import zipfile
from pathlib import Path

import httpx2
import pytest
from openpyxl import Workbook
from PIL import Image

from arena.api.http.protocol import OPERATED_FILES
from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from tests.api.conftest import ORIGIN
from tests.conftest import NAMES
from tests.paths import ROOT

# Who reads a file does not depend on the database.
pytestmark = [pytest.mark.process, pytest.mark.sqlite]

KEY = "k" * 40
API = "/api/v1"
PROGRAMS = {"arena.adapters.row_files.reader_program", "arena.adapters.images.decoder_program"}
"""The programs that read strangers' files, each within limits of memory and processor."""
TABLE = b"model_a,model_b,winner\nx,y,model_a\ny,x,tie\n"
QUESTIONS = base64.b64encode(b"id,question\n1,Why?\n2,How?\n").decode()
NO_FILES = {("post", f"{API}/operator/evaluations/{{evaluation}}/annotators")}
"""Their texts are names of areas."""


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 64), "red").save(file, "PNG")
    return file.getvalue()


def draft(content: str, file: str = "q.csv") -> dict:
    return {"json": {"name": "taste", "content": content, "file": file, "models": list(NAMES)}}


FILES = {
    ("post", f"{API}/images"): {"content": picture()},
    ("patch", f"{API}/operator/site"): {"json": {"mark": base64.b64encode(picture()).decode()}},
    ("post", f"{API}/operator/votes/preview"): {"content": TABLE, "params": {"name": "votes.csv"}},
    ("post", f"{API}/operator/votes"): {"content": TABLE, "params": {"name": "votes.csv"}},
    ("post", f"{API}/operator/evaluations"): draft(QUESTIONS),
}
"""A request with a file for each route that takes one."""


@pytest.fixture
def app(runtime):
    return whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))


@pytest.fixture
async def client(app):
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url=ORIGIN, headers=headers, timeout=120
    ) as client:
        yield client


def has_unbounded_text(schema: dict, schemas: dict) -> bool:
    """Whether a text without a bound is anywhere in what a schema describes."""
    if "$ref" in schema:
        return has_unbounded_text(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    parts = [part for key in ("anyOf", "oneOf", "allOf") for part in schema.get(key, ())]
    parts += [*schema.get("properties", {}).values()]
    parts += [part for key in ("items", "additionalProperties") if isinstance(part := schema.get(key), dict)]
    is_text = schema.get("type") == "string" and schema.keys().isdisjoint({"maxLength", "enum", "pattern", "const"})
    return is_text or any(has_unbounded_text(part, schemas) for part in parts)


def takes_a_file(path: str, body: dict, schemas: dict) -> bool:
    """Whether a body is no JSON, or may be larger than others and has a text without a bound."""
    if set(body["content"]) != {"application/json"}:
        return True
    schema = body["content"]["application/json"]["schema"]
    return path.startswith(tuple(OPERATED_FILES)) and has_unbounded_text(schema, schemas)


def test_every_route_that_takes_a_file_is_tried_here(app):
    document = app.openapi()
    found = {
        (method, path)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if "requestBody" in operation
        and takes_a_file(path, operation["requestBody"], document["components"]["schemas"])
    }
    assert found == FILES.keys() | NO_FILES


@pytest.fixture
def children(monkeypatch, tmp_path):
    """The modules of started children; whatever opens a received file or a parser in this process fails."""
    started, folder = [], tmp_path / "received"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    start, open_ = subprocess.Popen, io.open

    def recorded(words, **options):
        started.append(words[words.index("-m") + 1])
        return start(words, **options)

    def guarded(file, mode="r", *args, **options):
        assert "r" not in mode or not str(file).startswith(str(folder)), f"{file} is read in the serving process"
        return open_(file, mode, *args, **options)

    def refused(*_args, **_options):
        raise AssertionError("parsed in the serving process")

    monkeypatch.setattr(subprocess, "Popen", recorded)
    monkeypatch.setattr(io, "open", guarded)
    monkeypatch.setattr("builtins.open", guarded)
    for parser in ((csv, "reader"), (gzip, "GzipFile"), (zipfile, "ZipFile"), (Image, "open")):
        monkeypatch.setattr(*parser, refused)
    return started


@pytest.mark.parametrize(("method", "path"), FILES, ids=lambda part: part.removeprefix(API))
async def test_a_file_is_read_by_a_confined_child_alone(client, children, method, path):
    request = dict(FILES[method, path])
    if "content" in request:
        request["headers"] = {"Content-Type": "application/octet-stream"}
    answer = await client.request(method, path, **request)
    assert answer.is_success, answer.text
    assert '"problem"' not in answer.text
    assert len(children) == 1
    assert set(children) <= PROGRAMS


def imports(path: Path, modules: set[str]) -> set[str]:
    """The modules that a file imports when it runs, not only for its types."""
    found, nodes = set(), list[ast.AST]([ast.parse(path.read_text("utf-8"))])
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{name.name}" for name in node.names}
            found |= (names & modules) | ({node.module} if names - modules else set())
        nodes += ast.iter_child_nodes(node)
    return found & modules


def test_no_route_can_reach_a_reader_of_files():
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / "arena").rglob("*.py")}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}
    reached, waiting = set(), [name for name in files if name.startswith(("arena.api.", "arena.evaluations.api."))]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += imports(files[name], {*files})
    readers = {f"arena.adapters.row_files.{name}" for name in ("row_file", "json_rows", "xlsx_rows", "reader_program")}
    assert reached & {*readers, "arena.adapters.images.decoder"} == set()


HOSTILE = {
    "one row of JSON with millions of lists": (
        "votes.json.gz",
        lambda: gzip.compress(b"[[" + b"[]," * 4_000_000 + b"[]]]", 1),
        "line 1: a row has more than",
    ),
    "one line of JSON with millions of objects": (
        "votes.jsonl.gz",
        lambda: gzip.compress(b'{"model_a":"x","y":[' + b"{}," * 4_000_000 + b"{}]}", 1),
        "a row is longer than 2 MB",
    ),
    "a cell of many megabytes": (
        "votes.csv.gz",
        lambda: gzip.compress(b"model_a,model_b,winner\nx,y," + b"a" * 50_000_000, 1),
        "line 2: a row is longer than 2 MB",
    ),
    "a cell of many lines": (
        "votes.csv.gz",
        lambda: gzip.compress(b'model_a,model_b,winner\nx,y,"' + b"a\n" * 25_000_000, 1),
        "line 2: a row is longer than 2 MB",
    ),
    "a header without end": ("votes.csv.gz", lambda: gzip.compress(b"a," * 25_000_000, 1), "line 1: a row is longer"),
    "a file cut off": ("votes.csv.gz", lambda: gzip.compress(TABLE)[:-9], "damaged or cut off"),
    "brackets without end": ("votes.json", lambda: b"[" * 1_000_000, "nested too deeply"),
}
"""The name of a file, what makes its content when a test needs it, and words of the refusal."""


def reset_memory() -> int:
    """The bytes of memory that this process has now, from which its peak is counted."""
    Path("/proc/self/clear_refs").write_text("5")
    return memory()


def memory() -> int:
    """Most bytes of memory that this process has had since the last reset."""
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) * 1024


@pytest.mark.parametrize("route", ["votes", "votes/preview"])
@pytest.mark.parametrize("case", HOSTILE)
async def test_a_hostile_file_of_votes_is_one_sentence_and_takes_no_memory_here(client, route, case):
    name, make, sentence = HOSTILE[case]
    body = make()
    before = reset_memory()
    headers = {"Content-Type": "application/octet-stream"}
    answer = await client.post(f"{API}/operator/{route}", params={"name": name}, content=body, headers=headers)
    # A file that is refused after its first rows has the status 200 and the problem in its last line.
    problem = answer.json() if answer.status_code == 422 else json.loads(answer.text.splitlines()[-1])["problem"]
    assert (problem["code"], problem["status"]) == ("invalid", 422)
    assert sentence in problem["detail"]
    assert tempfile.gettempdir() not in problem["detail"]
    assert memory() - before < 64 * 2**20


def sheet() -> bytes:
    """A spreadsheet of some kilobytes that unpacks to 90 MB, which are no valid XML."""
    book, file, bomb = Workbook(), io.BytesIO(), io.BytesIO()
    book.active.append(["question"])
    book.save(file)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            is_sheet = member == "xl/worksheets/sheet1.xml"
            new.writestr(member, b"<row><c/></row>" * 6_000_000 if is_sheet else old.read(member))
    return bomb.getvalue()


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("q.csv", lambda: b"id,question\n" + b"".join(b"same,Question number %d?\n" % n for n in range(4_000)), None),
        (
            "q.csv.gz",
            lambda: gzip.compress(b"question\n" + (b"a" * 99_999 + b"\n") * 1_400, 9),
            "unpacks to more than 128 MB",
        ),
        ("q.csv.gz", lambda: gzip.compress(b"question\n" + b"a" * 70 * 2**20, 9), "line 2: a row is longer than 64 MB"),
        (
            "q.json.gz",
            lambda: gzip.compress(b'[{"question":[' + b"{}," * 2_000_000 + b"{}]}]", 9),
            "more than 1,000,000 values",
        ),
        ("q.xlsx", sheet, "spreadsheet is damaged"),
        ("q.eval", lambda: b"PK\x03\x04" + b"\0" * 100, "zip file is damaged or cut off"),
        *((name, lambda: b"question\nWhy?\n", "rename it") for name in ("..", "题" * 190 + ".csv")),
        ("a\0b.csv", lambda: b"question\nWhy?\n", "cannot be stored"),
    ],
    ids=lambda part: part if isinstance(part, str) and part.isascii() and part.isprintable() else None,
)
async def test_a_hostile_file_of_questions_is_one_sentence_or_read(client, file, content, sentence):
    request = draft(base64.b64encode(content()).decode(), file)
    answer = await client.post(f"{API}/operator/evaluations", **request)
    if sentence is None:
        assert (answer.status_code, answer.json()["questions"]) == (201, 4_000)
    else:
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
        assert sentence in answer.json()["detail"]
