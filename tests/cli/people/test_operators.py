"""`arena operators`: keys of persons, and what commands leave behind."""

import json

import pytest

from arena.cli import context
from tests.cli.commands import run

HINT = "This key is shown only now. It holds at once: at /operator, and in the API as “Authorization: Bearer KEY”."


def test_a_person_gets_a_key_once_and_it_can_be_withdrawn(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_OPERATOR_NAME": "Grace"}
    first = run("operators", "add", "Ada", "--role", "moderator", **settings)
    assert first.stdout.startswith("arena_")
    assert len(first.stdout.split()) == 1
    assert first.stderr == f"{HINT}\n"
    again = run("operators", "add", "ada", **settings)
    assert (again.returncode, again.stdout) == (1, "")
    (listed,) = json.loads(run("operators", "list", "--json", **settings).stdout)
    assert (listed["name"], listed["role"], listed["withdrawn"]) == ("Ada", "moderator", None)
    assert "no key any more" in run("operators", "withdraw", "Ada", **settings).stdout
    assert run("operators", "withdraw", "Ada", **settings).returncode == 1
    acts = json.loads(run("operators", "acts", "--json", **settings).stdout)
    assert [(act["kind"], act["who"], act["via"], act["target"]) for act in acts] == [
        ("operator_withdrawn", "Grace", "command", "Ada"),
        ("operator_added", "Grace", "command", "Ada"),
    ]


def test_what_a_command_does_is_kept_under_the_name_of_who_ran_it(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "LOGNAME": "ada"}
    run("flags", "close", "voting", "--reason", "moving house", **settings)
    run("flags", "list", **settings)
    file = tmp_path / "acts.csv"
    run("operators", "acts", "--csv", str(file), **settings)
    head, line = file.read_text().splitlines()
    assert head == "number,at,who,via,role,kind,target,why,nonce"
    assert ",ada,command,owner,part_closed,voting,moving house," in line


CHANGES = {
    ("secrets", "rotate"): "master_key_rotated",
    ("questions", "shipped"): "questions_imported",
    ("questions", "publish", "everyday-en", "--off"): "questions_published",
    ("labels", "run", "flags", "--questions", "everyday-en"): "labels_given",
    ("labels", "sample", "flags", "--questions", "everyday-en"): "label_sample_drawn",
    ("flags", "close", "voting"): "part_closed",
}


def test_a_command_that_changes_something_is_an_act(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_OPERATOR_NAME": "Grace"}
    for words in CHANGES:
        assert run(*words, **settings).returncode == 0, words
    acts = json.loads(run("operators", "acts", "--json", **settings).stdout)
    assert [(act["kind"], act["who"]) for act in reversed(acts)] == [(kind, "Grace") for kind in CHANGES.values()]


def test_a_command_that_is_no_act_can_write_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_DATA", str(tmp_path))
    with pytest.raises(TypeError, match="act of an operator"):
        context.run(lambda database, _settings: database.write(lambda _session: None))
