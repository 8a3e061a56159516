"""The public files of an arena with three hundred votes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from arena.cli.boards.publish import source_of
from arena.settings import Settings
from arena.usecases.exchange import importer
from arena.usecases.files.tree import publish_files
from arena.usecases.ranking.vote_columns import CountedLog
from tests.conftest import START
from tests.publication import publish_once
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.ranking.test_slice_boards import made

ADDRESS = "https://arena.test"


@pytest.fixture
def published(database, tmp_path):
    """Publish the files of an arena with votes in two languages and categories, `days` after the start."""

    async def published(days: int = 0, votes: int = 300, sources: dict | None = None):
        now = START + timedelta(days=days)
        await importer.import_votes(database, made(votes), START)
        with ThreadPoolExecutor(1) as executor:
            await publish_once(database, METHOD, CountedLog(), executor=executor, now=lambda: now)
        settings = Settings(data=tmp_path / "data", public_url=ADDRESS)
        folder = tmp_path / "tree"
        source = replace(source_of(settings, "org/board"), **sources or {})
        return folder, await publish_files(database, folder, source, now)

    return published
