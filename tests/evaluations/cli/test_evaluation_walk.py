"""docs/evaluations.md is walked through as it stands, with the built-in models and without their pauses."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime
from functools import partial

from arena.adapters.providers import registry
from arena.adapters.providers.demo.practice_models import DEMO_ENDPOINTS, DemoProvider
from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from arena.usecases.endpoints import builtin
from tests.cli.commands import run
from tests.paths import ROOT

PAGE = (ROOT / "docs/evaluations.md").read_text("utf-8")
FILES = re.findall(r"`([\w-]+\.(?:jsonl|csv))`[^`]*\n\n```(?:jsonl|csv)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"(?m)^uv run (arena .+)$", PAGE)


def test_every_step_of_the_walk_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "DemoProvider", partial(DemoProvider, wait=0))
    for name, content in FILES:
        (tmp_path / name).write_text(content)
    data = tmp_path / "data"
    data.mkdir()
    url = f"sqlite:///{data / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    asyncio.run(builtin.settle_builtin(database, DEMO_ENDPOINTS, "on", datetime.now(UTC)))
    database.close()
    said = [run(*line.split()[1:], ARENA_DATA=str(data), ARENA_LOCAL="off") for line in COMMANDS]
    assert [(line, done.stderr) for line, done in zip(COMMANDS, said, strict=True) if done.returncode] == []
    told = dict(zip(COMMANDS, said, strict=True))
    assert "abacus-letter: 3 done, 0 failed, 0 left." in told["arena evaluations run class-1"].stdout
    assert "3 annotations added" in told["arena evaluations import class-1 judged.csv"].stdout
    assert told["arena evaluations invite class-1 --number 3"].stdout.count("/annotate#") == 3
    assert "24" in told["arena evaluations report exam-1"].stdout
    assert (tmp_path / "class-1.jsonl").read_text().count('"kind":"annotation"') == 3
