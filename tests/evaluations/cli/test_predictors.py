"""`arena predictors` on the printed tables of SuperCLUE."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from arena.domain.errors import Invalid
from arena.evaluations.cli.predictors import predictors
from tests.evaluations.domain.predictors.superclue import CARENA, CLOSE, MULTI

app = typer.Typer()
app.command()(predictors)


@pytest.fixture
def files(tmp_path):
    scores, board = tmp_path / "scores.csv", tmp_path / "board.json"
    scores.write_text("model,close,multi\n" + "".join(f"{name},{CLOSE[name]},{MULTI[name]}\n" for name in CLOSE))
    board.write_text(json.dumps({"rows": [{"name": name, "carena": rate} for name, rate in CARENA.items()]}))
    return str(scores), "--board", str(board)


def report(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    if isinstance(result.exception, Exception):
        raise result.exception
    return result.stdout


def test_the_report_names_correlations_mix_and_how_few_models_it_rests_on(files):
    text = " ".join(report(*files, "--rating", "carena").split())
    for part in (
        "no interval below 8 models",
        "0.8985",
        "0.7950",
        "0.510 multi",
        "0.490 close",
        "r 0.9397",
        "5 models",
        "exploratory only",
    ):
        assert part in text


def test_the_numbers_are_json_and_the_same_twice(files):
    first = report(*files, "--rating", "carena", "--json")
    assert first == report(*files, "--rating", "carena", "--json")
    (found,) = json.loads(first).values()
    assert [each["name"] for each in found["predictors"]] == ["multi", "close"]
    assert found["predictors"][0]["correlations"]["kendall"]["low"] is None
    assert found["mix"]["exploratory"] is True
    assert len(found["mix"]["left_out"]) == len(found["mixed"]) == 5


def test_a_board_without_the_column_is_one_clear_error(files):
    with pytest.raises(Invalid, match="no numbers in a column 'bt'; there are carena"):
        report(*files)
