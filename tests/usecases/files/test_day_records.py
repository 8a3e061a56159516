"""Programs of others read the boards of a day as they are: those who collect leaderboards, and those who use them.

Neither is in a package, so each is named by an environment variable:

- ARENA_TEST_COLLECTOR: a clone of github.com/oolong-tea-2026/arena-ai-leaderboards (a2694df), whose schemas its own
  collector checks each file against before it writes it;
- ARENA_TEST_BOARD_READER: AI-Tools-Ranking/generate_data.py of github.com/aheos21-beep/MyRepo (a72d2e2), which builds
  its own ranking from those files.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BY_PROGRAM = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
"""
CHECKED = """
from pathlib import Path
schemas = Path(sys.argv[1]).parents[1] / "schemas"
folder = Path(sys.argv[2])
day = folder / json.loads((folder / "latest.json").read_text())["path"]
wrong = {}
for path in sorted(day.iterdir()):
    kind = "index" if path.name == "_index.json" else "leaderboard"
    validator = program.Draft202012Validator(json.loads((schemas / f"{kind}.json").read_text()))
    value = json.loads(path.read_text())
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
    kept = [row for row in value.get("models", []) if program.normalize_license(row["license"]) != row["license"]]
    wrong[path.name] = errors + kept
print(json.dumps(wrong))
"""
RANKED = """
program.BASE = sys.argv[2]
day = program.fetch_json(f"{program.BASE}/latest.json")["path"]
names = program.fetch_json(f"{program.BASE}/{day}/_index.json")["leaderboards"]
boards = {name: program.load_board(day, name, True) for name in names}
ranking, vendors = program.build_rankings(day)
print(json.dumps({"boards": boards, "ranking": ranking["tools"], "day": ranking["snapshot_date"]}))
"""


def at_hand(variable: str, inside: str = "") -> Path | None:
    """The file that an environment variable leads to."""
    path = Path(os.environ.get(variable, ""), inside)
    return path if path.is_file() else None


def printed(program: Path, then: str, argument: str) -> Any:
    """What a program's own code prints as JSON about our files."""
    command = [sys.executable, "-c", BY_PROGRAM + then, str(program), argument]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


async def test_the_schemas_and_the_rules_of_a_collector_find_nothing_wrong_with_a_day(published):
    program = at_hand("ARENA_TEST_COLLECTOR", "scripts/fetch_leaderboards.py")
    if program is None:
        pytest.skip("no collector of leaderboards is here; ARENA_TEST_COLLECTOR may name its repository")
    folder, _ = await published()
    errors = printed(program, CHECKED, str(folder / "data"))
    assert {"_index.json", "text.json"} < set(errors)
    assert not any(errors.values()), errors


async def test_a_reader_of_collected_leaderboards_reads_every_board_and_ranks_as_we_do(published):
    program = at_hand("ARENA_TEST_BOARD_READER")
    if program is None:
        pytest.skip("no reader of collected leaderboards is here; ARENA_TEST_BOARD_READER may name its file")
    folder, _ = await published()
    read = printed(program, RANKED, (folder / "data").as_uri())
    day = folder / "data" / read["day"]
    assert set(read["boards"]) == {path.stem for path in day.glob("*.json")} - {"_index"}
    for name, rows in read["boards"].items():
        assert rows == json.loads((day / f"{name}.json").read_text("utf-8"))["models"]
    (card,) = read["ranking"]  # one for each owner
    best = max(read["boards"]["text"], key=lambda row: row["score"])
    facts = {"model": best["model"], "company": best["vendor"], "arena_elo": best["score"], "arena_rank": 1}
    assert {name: card[name] for name in facts} == facts
    assert card["votes"] == best["votes"]
