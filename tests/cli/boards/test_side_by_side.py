from __future__ import annotations

import json

from tests.cli.commands import run
from tests.usecases.exchange.files import export, feedback_row, write


def rows(count: int) -> list[dict]:
    """Feedback of some people on three models, of which the first wins most, and thumbs on single answers."""
    others = (["blue-7b"], ["green"], None)
    return [
        feedback_row(
            number, sibling_model_ids=others[number % 3], rating=-1 if number % 5 == 0 else 1, user_id=number % 7
        )
        for number in range(1, count)
    ]


def test_both_boards_of_a_feedback_file_stand_side_by_side_without_a_database(tmp_path):
    path = write(tmp_path / "feedback-history-export-1.json", export(rows(60)))
    table = run("rank", str(path), ARENA_DATA=str(tmp_path / "none"))
    assert table.returncode == 0, table.stderr
    assert table.stderr == "20 ratings of an answer that no other model's stood beside: no comparison.\n"
    titles, first, *_, note = table.stdout.splitlines()
    assert "95 %" in titles
    assert "Open WebUI" in titles
    assert first.startswith("1 (1-")
    assert "takes one pass of Elo" in note
    assert not (tmp_path / "none").exists()


def test_json_has_both_boards_and_what_differs(tmp_path):
    path = write(tmp_path / "feedback.json", export(rows(60)))
    boards = json.loads(run("rank", str(path), "--json").stdout)
    assert {row["name"] for row in boards["rows"]} == {row["model"] for row in boards["open_webui"]}
    assert sum(row["won"] for row in boards["open_webui"]) == sum(row["wins"] for row in boards["rows"]) == 39
    moved = max(boards["open_webui"], key=lambda row: abs(row["rating"] - row["reversed"]))
    assert f"{moved['model']} would have {moved['reversed']} instead of {moved['rating']}" in boards["difference"]


def test_a_file_of_thumbs_alone_says_that_there_is_nothing_to_compare(tmp_path):
    path = write(tmp_path / "feedback.json", export([feedback_row(1, sibling_model_ids=None)]))
    done = run("rank", str(path))
    assert (done.returncode, done.stdout) == (
        0,
        "No feedback says which of several models is better: both boards are empty.\n",
    )


def test_a_cut_export_adds_nothing_and_a_whole_one_adds_what_it_compares(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data")}
    text = export(rows(30))
    path = write(tmp_path / "feedback.json", text[:-200])
    cut = run("votes", "import", str(path), **settings)
    assert cut.returncode == 1
    assert cut.stderr.startswith("arena: line 1: ")
    path = write(path, text)
    assert "19 votes added, 0 already in the log" in run("votes", "import", str(path), **settings).stderr
    assert "0 votes added, 19 already in the log" in run("votes", "import", str(path), **settings).stderr
