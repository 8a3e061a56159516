from __future__ import annotations

import csv
import json
import os
import re
import sqlite3

from arena.cli.boards.leaderboards import MAX_MODELS
from tests.cli.commands import run
from tests.paths import FIXTURES

VOTES = FIXTURES / "llmfao_200.csv"
COLUMNS = ("--left", "left", "--right", "right", "--winner", "winner")


def rank(*arguments: str, **settings: str):
    return run("rank", *arguments, **settings)


def test_a_file_is_ranked_without_a_database_and_with_the_same_bits_twice(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "none")}
    first, second = (rank(str(VOTES), *COLUMNS, "--json", **settings) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    with VOTES.open() as file:
        names = {row[side] for row in csv.DictReader(file) for side in ("left", "right")}
    table = json.loads(first.stdout)
    assert {row["name"] for row in table["rows"]} == names
    assert not (tmp_path / "none").exists()


def test_presets_and_options_change_elo_alone():
    published = json.loads(rank(str(VOTES), *COLUMNS, "--json").stdout)["rows"]
    llmeval = json.loads(rank(str(VOTES), *COLUMNS, "--json", "--preset", "llmeval", "--orders", "50").stdout)
    for before, after in zip(published, llmeval["rows"], strict=True):
        assert before["points"] == after["points"]
        assert abs(after["elo"] - 1500) < 300
        assert abs(before["elo"] - 1000) < 60


def test_the_log_is_ranked_and_the_table_is_readable(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_RANK_ORDERS": "20"}
    assert rank(**settings).stdout == "There are no counted votes yet.\n"
    assert run("votes", "import", str(VOTES), *COLUMNS, **settings).returncode == 0
    table = rank(**settings).stdout
    assert "Bradley-Terry" in table
    rows = json.loads(rank("--json", **settings).stdout)["rows"]
    assert all(row["name"][:12] in table for row in rows)


def test_a_file_without_votes_is_not_warned_of_voters(tmp_path):
    for name, text in (("votes.json", "[]"), ("votes.csv", "model_a,model_b,winner\n")):
        (tmp_path / name).write_text(text)
        empty = rank(str(tmp_path / name))
        assert empty.stdout == "There are no counted votes yet.\n"
        assert not empty.stderr


def test_missing_columns_and_files_are_one_clear_line():
    for arguments, text in (
        ((str(VOTES), "--left", "x", "--right", "right", "--winner", "winner"), "x"),
        ((str(VOTES), "--left", "left"), "--winner"),
        (("nowhere.csv", *COLUMNS), "nowhere.csv"),
    ):
        wrong = rank(*arguments)
        assert wrong.returncode == 1
        assert len(wrong.stderr.splitlines()) == 1
        assert wrong.stderr.startswith("arena: ")
        assert text in wrong.stderr
    assert "ARENA_DATA" not in os.environ


def test_more_models_than_a_board_has_are_refused_in_one_sentence(tmp_path):
    file = tmp_path / "many.csv"
    rows = [f"m{number},m{number + 1},model_a" for number in range(MAX_MODELS)]
    file.write_text("\n".join(["model_a,model_b,winner", *rows]))
    refused = run("rank", str(file))
    assert refused.returncode == 1
    assert "on 3001 models; a board has at most 3,000" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_anybody_can_verify_a_published_leaderboard_from_public_files(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_RANK_ORDERS": "20"}
    run("votes", "import", str(VOTES), *COLUMNS, **settings)
    run("votes", "exclude", "7", "--reason", "test", **settings)
    rank(**settings)
    own = rank("verify", "1", **settings)
    assert own.returncode == 0, own.stderr
    assert "They agree" in own.stdout
    database = sqlite3.connect(tmp_path / "arena.db")
    columns = "id, method, parameters, seed, code_version, last_vote, last_exclusion, votes, digest, created_at"
    row = database.execute(f"SELECT {columns} FROM snapshots").fetchone()  # noqa: S608
    database.close()
    snapshot = dict(zip(columns.split(", "), row, strict=True)) | {"parameters": json.loads(row[2])}
    board, export = tmp_path / "board.json", tmp_path / "votes.jsonl"
    board.write_text(json.dumps({"snapshot": snapshot, "rows": [], "pairs": []}))
    assert run("votes", "export", str(export), **settings).returncode == 0
    public = rank("verify", "--from-export", str(export), "--board", str(board))
    assert public.returncode == 0, public.stderr
    tampered = export.read_text().splitlines(keepends=True)
    export.write_text("".join(tampered[1:]))
    caught = rank("verify", "--from-export", str(export), "--board", str(board))
    assert (caught.returncode, caught.stderr) == (1, "arena: They differ.\n")
    board.write_text(json.dumps({"snapshot": snapshot | {"code_version": "0.1.0"}, "rows": [], "pairs": []}))
    older = rank("verify", "--from-export", str(export), "--board", str(board))
    assert "version 0.1.0 of the arena computed the published ones" in older.stderr
    assert "`uvx --from battle-arena==0.1.0 arena rank verify`" in older.stderr


def test_verify_without_anything_to_verify_says_what_it_needs(tmp_path):
    nothing = rank("verify", ARENA_DATA=str(tmp_path))
    assert nothing.stderr == "arena: Give the number of a snapshot, or both --from-export and --board.\n"
    missing = rank("verify", "3", ARENA_DATA=str(tmp_path))
    assert missing.stderr == "arena: There is no snapshot 3.\n"


def test_an_export_is_ranked_by_inverse_probability_in_both_forms(tmp_path):
    file = tmp_path / "votes.jsonl"
    vote = {"format": "arena-vote", "version": 1, "counted": True, "reason": None}
    rows = [
        {**vote, "id": f"v{n}", "a": "ant", "b": ("bee", "cat")[n % 2], "outcome": "ab"[n % 3 == 0], "probability": p}
        for n, p in enumerate([0.9, 0.1] * 30)
    ]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    inverse = (str(file), "--weights", "inverse-probability")
    found = json.loads(rank(*inverse, "--json").stdout)
    assert (found["votes"], {row["name"] for row in found["rows"]}) == (60, {"ant", "bee", "cat"})
    table = rank(*inverse).stdout
    assert "difference" in table
    assert "hold at one look and take votes as independent" in table
    ranks = re.findall(r"^ *([0-9]\S*)", table, re.MULTILINE)
    assert ranks == ["1", "2", "3"]
    file.write_text("".join(f"{json.dumps({**row, 'probability': 2})}\n" for row in rows[:1]))
    assert "line 1: probability: not a probability above 0: 2" in rank(*inverse, "--strict").stderr
    file.write_text("".join(f"{json.dumps({**row, 'probability': 0.5})}\n" for row in rows))
    alike = "too few votes have the probability of their pair, or all have the same one."
    assert rank(*inverse).stderr == f"arena: {file}: {alike}\n"
    nothing = rank("--weights", "inverse-probability")
    assert nothing.stderr == "arena: --weights takes an export of votes: name its file.\n"


def test_models_that_have_met_none_of_the_first_group_have_no_place(tmp_path):
    votes = [("heron", "wren", "a"), ("wren", "heron", "b"), ("heron", "wren", "tie"), ("new", "other", "a")]
    file = tmp_path / "votes.csv"
    file.write_text("model_a,model_b,outcome\n" + "".join(f"{','.join(vote)}\n" for vote in votes))
    table = rank(str(file)).stdout.splitlines()[1:]
    places = {
        next(name for name in ("heron", "wren", "new", "other") if name in line): line.split()[0] for line in table
    }
    assert {name for name, place in places.items() if place == "-"} == {"new", "other"}
    assert places["heron"] == "1"


def test_a_file_without_voters_is_said_to_have_independent_votes():
    without, voters = rank(str(VOTES), *COLUMNS), rank(str(VOTES), *COLUMNS, "--voter", "worker")
    assert "all count as independent" in without.stdout + without.stderr
    assert "all count as independent" not in voters.stdout + voters.stderr


def test_a_file_in_which_each_vote_names_a_voter_of_its_own_is_not_told_to_name_them(tmp_path):
    file = tmp_path / "votes.csv"

    def told(*voters: str) -> str:
        rows = "".join(f"heron,wren,a,{voter}\n" for voter in voters)
        file.write_text(f"model_a,model_b,winner,voter\n{rows}")
        return rank(str(file)).stderr

    named = "Each vote of the file names a voter of its own, so all count as independent.\n"
    assert told("p1", "p2", "p3") == named
    assert "A column with the voter of each vote (--voter) mends that." in told("p1", "", "")
    assert told("p1", "p1", "") == ""
