"""Pairs of answers for training come from votes that a release may have, with the gate's weights."""

import io
import json
import os
import subprocess
import sys
from datetime import timedelta

import pyarrow.json
import pytest

from arena.adapters.store import decisions
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.integrity import DecisionRow
from arena.domain.preference_pairs import pair_line
from arena.domain.terms import Outcome
from arena.usecases.releases.preference_pairs import export_pairs
from tests.conftest import NAMES, add_endpoints
from tests.usecases.releases.arenas import NOW, OLD, accept, add_battle
from tests.usecases.releases.test_builds import add_forbidden

LOAD = """
import json, sys, datasets
rows = datasets.load_dataset("json", data_files=sys.argv[1], split="train")
print(json.dumps([rows.column_names, rows[0]["prompt"], rows[0]["chosen"], rows[0]["rejected"], rows[0]["weight"]]))
"""


async def exported(database):
    out = io.BytesIO()
    counts = await export_pairs(database, out.write, 1, NOW)
    return list(map(json.loads, out.getvalue().splitlines())), counts


def message(role, text):
    return {"role": role, "content": text}


@pytest.mark.sqlite
async def test_the_answer_that_won_is_chosen_whatever_its_side_and_ties_are_counted(database):
    def fill(session):
        add_endpoints(session)
        accept(session, "ada")
        for outcome in Outcome:
            add_battle(session, f"the one for {outcome}", person="ada", outcome=outcome)

    await database.write(fill)
    rows, counts = await exported(database)
    assert counts == {"written": 2, "tie": 1, "both_bad": 1}
    for row, outcome, (won, lost) in zip(rows, "ab", (NAMES[:2], NAMES[1::-1]), strict=True):
        other = "b" if outcome == "a" else "a"
        assert row == {
            "prompt": [message("user", f"the one for {outcome}")],
            "chosen": [message("assistant", f"An answer. {outcome}")],
            "rejected": [message("assistant", f"An answer. {other}")],
            "chosen_model": won,
            "rejected_model": lost,
            "weight": 1.0,
        }


@pytest.mark.sqlite
async def test_no_vote_that_a_release_must_not_have_gives_a_pair(database):
    def fill(session):
        add_endpoints(session)
        accept(session, "person 1")
        forbidden = add_forbidden(session)
        add_battle(session, "the only one that may be told")
        return forbidden

    await database.write(fill)
    rows, counts = await exported(database)
    assert [row["prompt"][0]["content"] for row in rows] == ["the only one that may be told"]
    assert counts["written"] == 1
    assert {"phone", "email"} <= set(counts)
    assert not {"voter", "created_at", "id", "number"} & set(rows[0])


@pytest.mark.sqlite
async def test_votes_have_the_weights_of_the_decisions_and_those_without_weight_are_left_out(database):
    def fill(session):
        add_endpoints(session)
        accept(session, "ada")
        battles = [add_battle(session, f"prompt {name}", person="ada") for name in ("whole", "quarter", "none")]
        numbers = {vote.battle_id: vote.number for vote in session.query(VoteRow)}
        for battle, quarters in zip(battles[1:], (1, 0), strict=True):
            facts = {"reason": "burst", "method": "m", "finding": None, "by": "gate", "created_at": NOW}
            decisions.add(session, [DecisionRow(quarters=quarters, votes=[numbers[battle]], **facts)])

    await database.write(fill)
    rows, counts = await exported(database)
    assert {row["prompt"][0]["content"]: row["weight"] for row in rows} == {"prompt whole": 1, "prompt quarter": 0.25}
    assert counts == {"written": 2, "weight_0": 1}


@pytest.mark.sqlite
async def test_a_vote_becomes_a_pair_when_it_is_as_old_as_in_a_release(database):
    def fill(session):
        add_endpoints(session)
        accept(session, "ada", when=OLD)
        for days in (29, 31):
            add_battle(session, f"asked {days} days ago", person="ada", when=NOW - timedelta(days=days))

    await database.write(fill)
    rows, _ = await exported(database)
    assert [row["prompt"][0]["content"] for row in rows] == ["asked 31 days ago"]


def lines() -> bytes:
    two = pair_line(["first", "second"], ("gull", ["one", "two"]), ("heron", ["eins", "zwei"]), 1.0)
    return two + pair_line(["only"], ("heron", ["allein 中文"]), ("gull", ["x"]), 0.25)


def test_later_turns_follow_the_first_answer_on_each_side():
    (row,) = map(json.loads, pair_line(["first", "second"], ("g", ["one", "two"]), ("h", ["1", "2"]), 1).splitlines())
    assert row["prompt"] == [message("user", "first")]
    assert [entry["content"] for entry in row["chosen"]] == ["one", "second", "two"]
    assert [entry["role"] for entry in row["rejected"]] == ["assistant", "user", "assistant"]


def test_the_lines_are_one_table_for_the_reader_that_datasets_uses(tmp_path):
    (tmp_path / "pairs.jsonl").write_bytes(lines())
    table = pyarrow.json.read_json(tmp_path / "pairs.jsonl")
    assert table.column_names[:3] == ["prompt", "chosen", "rejected"]
    assert table["chosen"].to_pylist()[1] == [message("assistant", "allein 中文")]


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_datasets_loads_the_lines(tmp_path):
    python = tmp_path / "environment/bin/python"
    subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
    online = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([str(python), "-m", "pip", "install", "-q", "datasets"], check=True, env=online)
    (tmp_path / "pairs.jsonl").write_bytes(lines())
    place = online | {"HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1"}
    command = [str(python), "-c", LOAD, str(tmp_path / "pairs.jsonl")]
    done = subprocess.run(command, check=True, env=place, capture_output=True, text=True)
    columns, prompt, chosen, rejected, weight = json.loads(done.stdout.splitlines()[-1])
    assert columns == ["prompt", "chosen", "rejected", "chosen_model", "rejected_model", "weight"]
    assert prompt == [message("user", "first")]
    assert (len(chosen), rejected[-1], weight) == (3, message("assistant", "zwei"), 1.0)
