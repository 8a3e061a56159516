"""`arena integrity` as an operator types it: files in, JSON and tables out."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import numpy as np
import pytest

from arena_rating import OUTCOMES
from arena_trust.integrity.simulation.attack_kinds import Place
from tests.cli.commands import run
from tests.trust.integrity.logs import under_attack


def rows(log):
    for i in range(len(log)):
        yield {
            "number": int(log.number[i]),
            "created_at": datetime.fromtimestamp(int(log.second[i]), UTC).isoformat(),
            "model_a": log.names[log.left[i]],
            "model_b": log.names[log.right[i]],
            "outcome": OUTCOMES[log.outcome[i]],
            "voter": f"voter {log.voter[i]}",
            "network": f"network {log.network[i]}",
            "cookie_age_days": float(log.age[i]),
            "language": f"language {log.language[i]}",
            "check": f"tier {log.check[i]}",
            "seconds": float(log.reading[i]),
        }


@pytest.fixture(scope="module")
def attack(tmp_path_factory):
    _, both, theirs = under_attack(50, Place.NETWORK, votes=5_000)
    path = tmp_path_factory.mktemp("votes") / "votes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(both)))
    return path, both, theirs


def test_the_gate_prints_decisions_weights_and_both_boards(attack):
    path, both, theirs = attack
    done = run("integrity", "gate", "--from", str(path), "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert {"decisions", "weights", "with", "without"} <= set(found)
    assert [int(number) for number in found["weights"]] == both.number.tolist()
    assert {each["number"]: each["weight"] for each in found["decisions"]} == {
        int(number): weight for number, weight in found["weights"].items() if weight < 1
    }
    pushing = both.number[theirs & ((both.left == 10) | (both.right == 10))]
    assert np.mean([found["weights"][str(number)] == 0 for number in pushing]) > 0.9
    rated = {kind: {row["name"]: row["bt"] for row in found[kind]} for kind in ("with", "without")}
    assert rated["without"]["model-010"] - rated["with"]["model-010"] > 30
    assert [row["bt"] for row in found["with"]] == sorted(rated["with"].values(), reverse=True)


def test_voters_are_named_for_a_person_to_look_at_and_nothing_follows(attack, tmp_path):
    path, both, _ = attack
    told = [json.loads(run("integrity", "voters", "--from", str(path), "--json").stdout) for _ in range(2)]
    assert told[0] == told[1]
    assert {each["first"] for each in told[0]} <= set(both.number.tolist())
    shown = run("integrity", "voters", "--from", str(path)).stdout
    assert f"{len(told[0])} voters with five votes or more" in shown
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    refused = run("integrity", "voters", "--from", str(empty))
    assert (refused.returncode, "there are no votes" in refused.stderr) == (1, True)


def test_the_order_of_the_rows_changes_nothing(attack, tmp_path):
    path, *_ = attack
    turned = tmp_path / "turned.jsonl"
    turned.write_text("\n".join(reversed(path.read_text().splitlines())))
    one, two = (json.loads(run("integrity", "gate", "--from", str(each), "--json").stdout) for each in (path, turned))
    assert one == two


def test_without_json_there_is_a_table(attack):
    done = run("integrity", "gate", "--from", str(attack[0]))
    assert "weigh less" in done.stdout
    assert "model-010" in done.stdout


def test_bad_rows_are_named_and_the_others_judged(attack, tmp_path):
    path, broken = attack[0], tmp_path / "broken.jsonl"
    lines = path.read_text().splitlines()[:100]
    lines[4], lines[9] = "{", lines[9].replace('"outcome": "', '"outcome": "x')
    broken.write_text("\n".join(lines))
    done = run("integrity", "gate", "--from", str(broken), "--json")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        f"{broken}: line 5: not JSON",
        f"{broken}: line 10: outcome: one of a, b, tie, both_bad",
    ]
    assert len(json.loads(done.stdout)["weights"]) == 98
    strict = run("integrity", "gate", "--from", str(broken), "--json", "--strict")
    assert (strict.returncode, strict.stdout) == (1, "")
    assert strict.stderr == f"arena: {broken}: line 5: not JSON\n"


def test_of_many_bad_rows_twenty_are_named_and_the_others_counted(attack, tmp_path):
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join(["{"] * 23 + attack[0].read_text().splitlines()[:100]))
    for command in ("gate", "voters"):
        lines = run("integrity", command, "--from", str(broken), "--json").stderr.splitlines()
        assert lines == [*(f"{broken}: line {n}: not JSON" for n in range(1, 21)), "and 3 more bad rows"]


@pytest.mark.parametrize("command", ["gate", "voters"])
def test_an_export_of_the_arena_is_refused_by_one_sentence_that_names_what_is_wanted(tmp_path, command):
    export = tmp_path / "votes.jsonl"
    row = {"number": 1, "a": "x", "b": "y", "outcome": "a", "voter": "v", "created_at": "2026-11-01T12:00:00Z"}
    export.write_text("".join(json.dumps(row | {"number": number}) + "\n" for number in range(30)))
    done = run("integrity", command, "--from", str(export))
    (line,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert line.startswith(f"arena: {export}: none of 30 rows can be used; line 1: model_a: it is missing.")
    assert "number, created_at, model_a, model_b, outcome and voter" in line
    assert "an export of the arena has no origins" in line


def test_a_file_without_votes_is_one_clear_error(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    done = run("integrity", "gate", "--from", str(empty))
    assert (done.returncode, done.stderr) == (1, f"arena: {empty}: there are no votes.\n")


def test_the_simulator_prints_a_row_for_each_attack():
    short = ("--votes", "2000", "--bots", "20", "--attack", "random", "--attack", "slow-drip", "--seeds", "2")
    done = run("integrity", "simulate", *short, "--json", "--hide", "0.5")
    found = json.loads(done.stdout)
    assert [(row["attack"], row["seed"]) for row in found] == [
        ("random", 0),
        ("slow-drip", 0),
        ("random", 1),
        ("slow-drip", 1),
    ]
    assert {"attack", "bots", "hide", "seed", "undefended", "defended", "honest_lost"} <= set(found[0])
    assert {row["hide"] for row in found} == {0.5}
    table = run("integrity", "simulate", *short).stdout.splitlines()
    assert table[0].split()[:4] == ["attack", "place", "bots", "hide"]
    assert len(table) == 6
