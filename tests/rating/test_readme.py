"""The programs of the library's README do as it says."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.paths import PYTHONPATH, ROOT

README = (ROOT / "packages/arena-rating/README.md").read_text(encoding="utf-8")


@pytest.mark.process
def test_the_first_program_prints_what_stands_below_it_with_each_rating_within_its_interval():
    ((program, printed),) = re.findall(r"```python\n([^`]*)```\n\n```\n([^`]*)```", README)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONPATH": PYTHONPATH}
    )
    assert done.stdout == printed
    rows = re.findall(r"(?m)^\d \w+ +([\d.]+) \[(\d+), (\d+)\]", printed)
    assert len(rows) == 3
    assert all(float(low) < float(rating) < float(high) for rating, low, high in rows)


def test_the_usual_names_of_the_table_are_those_that_are_read():
    from arena_rating import USUAL_COLUMNS

    rows = dict(re.findall(r"(?m)^\| (left|winner|voter|weight)[^|]*\| ([^|]*) \|", README))
    for role in ("winner", "voter", "weight"):
        assert re.findall(r"`(\w+)`", rows[role]) == list(USUAL_COLUMNS[role])
    assert set(re.findall(r"`(\w+)`", rows["left"])) <= {*USUAL_COLUMNS["left"], *USUAL_COLUMNS["right"]}
