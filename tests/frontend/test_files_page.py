"""The page of the public files, read without a browser."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from fastapi import FastAPI

from arena.domain.schemas.vote_files import PublicFilesView, PublicFileView
from arena_frontend.texts import LANGUAGES, texts

from .fake_api import FakeArena
from .html_tree import Reader

PATHS = (
    "votes.jsonl.gz",
    "text/latest-00000-of-00001.parquet",
    "boards/2026-11-25/overall.csv",
    "data/2026-11-25/text.json",
    "audit/2026-W46.jsonl",
    "eval_results/org%2Fname/.eval_results/arena.yaml",
)


def reading(fake: FakeArena, pages, listed: PublicFilesView) -> Reader:
    """A reader of pages whose API lists these files."""
    app = FastAPI()

    @app.get("/api/v1/files")
    async def files() -> PublicFilesView:
        return listed

    app.mount("/", pages)
    return Reader(fake, app)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_files_stand_by_kind_with_size_and_digest(fake, pages, language):
    files = [PublicFileView(path=path, bytes=2_000_000, sha256=f"{n}" * 64) for n, path in enumerate(PATHS)]
    listed = PublicFilesView(made_at=datetime(2026, 11, 25, 10, tzinfo=UTC), day=date(2026, 11, 25), files=files)
    page = await reading(fake, pages, listed).get(f"/files?lang={language}")
    words = texts(language)
    kinds = ("votes", "tables", "boards", "days", "audit", "results")
    assert page.texts(".//summary")[1:] == [f"{words[f'files.kind.{kind}']} 1" for kind in kinds]
    links = page.tree.findall(".//details[@class='a-files']//li/a")
    assert [link.text for link in links] == list(PATHS)
    assert links[-1].attrib["href"] == "/files/eval_results/org%252Fname/.eval_results/arena.yaml"
    assert page.texts(".//details[@class='a-files']//li/small") == ["2 MB"] * 6


@pytest.mark.parametrize(("written", "said"), [(False, "No files"), (True, "being written")])
async def test_a_tree_that_is_not_there_or_is_being_written_says_so(fake, pages, written, said):
    page = await reading(fake, pages, PublicFilesView(written=written)).get("/files?lang=en")
    assert page.status == 200
    assert said in page.text(".//p[@id='files-none']")
    assert "/api/v1/leaderboard.csv" in {link.attrib.get("href") for link in page.tree.findall(".//a")}


async def test_an_api_that_fails_is_told(fake, pages):
    app = FastAPI()  # it has no API at all
    app.mount("/", pages)
    page = await Reader(fake, app).get("/files")
    assert page.status == 503
    assert page.tree.find(".//p[@role='alert']") is not None
