"""The report on a file of votes."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.stability import stability
from arena.domain.errors import Invalid
from tests.cli.test_rank import COLUMNS, VOTES

app = typer.Typer()
app.command()(stability)


def report(*arguments: str):
    result = CliRunner().invoke(app, [str(VOTES), *COLUMNS, "--orders", "40", *arguments])
    if isinstance(result.exception, Exception):
        raise result.exception
    return result.stdout


def test_a_file_gives_all_five_studies_as_text():
    text = report("--windows", "4")
    for part in ("4 windows of 200 votes", "40 orders", "Kendall", "7211.27", "Fewest votes", "Weaver 12k"):
        assert part in text


def test_the_numbers_are_json_and_the_same_twice():
    first = report("--json")
    assert first == report("--json")
    found = json.loads(first)
    assert found["votes"] == 200
    names = found["orders"]["names"]
    assert len(found["windows"]["running"]["elo"]["rating"]) == 10
    assert len(found["orders"]["rank_share"]) == len(names)
    assert len(found["agreement"]["kendall"]) == len(found["agreement"]["methods"])
    assert [row["accuracy"] for row in found["annotators"]][:2] == [0.5, 0.6]
    assert all(row["votes"] is None or row["votes"] >= 0 for row in found["fragility"])
    assert found["windows"]["alone"]["elo"]["rank"] != found["windows"]["running"]["elo"]["rank"]


def test_presets_and_seeds_reach_elo():
    published, llmeval = (json.loads(report("--json", *more)) for more in ((), ("--preset", "llmeval")))
    assert llmeval["orders"]["parameters"] == {"init": 1500.0, "k": 32.0, "base": 10.0, "scale": 400.0, "orders": 40}
    assert max(llmeval["orders"]["spread"]) > 4 * max(published["orders"]["spread"])
    assert json.loads(report("--json", "--seed", "1"))["orders"]["mean"] != published["orders"]["mean"]


def test_more_windows_than_votes_are_one_clear_error():
    with pytest.raises(Invalid, match="window"):
        report("--windows", "201")
