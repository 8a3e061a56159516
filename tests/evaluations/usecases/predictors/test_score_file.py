"""Files of scores: CSV and JSON, empty cells, and one clear error for each thing wrong."""

from __future__ import annotations

import json

import pytest

from arena.domain.errors import Invalid
from arena.evaluations.usecases.predictors.score_file import read_scores


def test_csv_and_json_say_the_same_and_what_is_no_number_is_left_out(tmp_path):
    rows = [{"name": "a", "owner": "x", "bt": "1100.5", "open": ""}, {"name": "b", "owner": "y", "bt": 7, "open": 3}]
    as_csv, as_json, board = (tmp_path / name for name in ("s.csv", "s.json", "board.json"))
    as_csv.write_text("name,owner,bt,open\na,x,1100.5,\nb,y,7,3\n")
    as_json.write_text(json.dumps(rows))
    board.write_text(json.dumps({"snapshot": None, "rows": rows}))
    for path in (as_csv, as_json, board):
        assert read_scores(path) == {"bt": {"a": 1100.5, "b": 7}, "open": {"b": 3}}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no numbers"),
        ("model,bt\na,none\n", "no numbers"),
        ("model,bt\na,nan\nb,inf\n", "no numbers"),
        ("who,bt\na,1\n", "line 2: no model in a column model or name"),
        ("model,bt\na,1\na,2\n", "line 3: 'a' once more"),
        ("model,bt,bt\na,1,2\n", "same name"),
        ("model,bt\na\n", "line 2: 1 cell where the header has 2"),
        ("[1]", "line 1: not a JSON object"),
        ('{"rows": 3}', "no list of rows"),
        ("[" * 100_000, "nested too deeply"),
        ('{"rows": ' + "[" * 100_000, "not JSON"),
    ],
)
def test_what_is_wrong_is_one_sentence(tmp_path, text, reason):
    path = tmp_path / "scores"
    path.write_text(text)
    with pytest.raises(Invalid, match=reason):
        read_scores(path)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(Invalid, match="No such file"):
        read_scores(tmp_path / "absent")
