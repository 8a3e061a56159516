"""Configurations are named settings of a model; they have versions and take part in evaluations like models."""

import json

from tests.cli.commands import run

BRIEF = ("configurations", "add", "short", "--model", "abacus-letter", "--max-tokens", "3")


def test_a_configuration_is_asked_with_its_own_settings_and_stays_in_the_exported_file(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    (tmp_path / "q.txt").write_text("17 + 25\nThe capital of France?\n")
    run("compare", str(tmp_path / "q.txt"), "-m", "abacus-brief", "-m", "abacus-letter", "--name", "first", **settings)
    done = run(*BRIEF, **settings)
    assert done.stdout.startswith("short, version 1: abacus-letter with max tokens; digest ")
    assert run(*BRIEF, **settings).stdout == done.stdout
    template = ("configurations", "add", "asked", "-m", "abacus-letter", "--template", "What is {prompt}?")
    assert run(*template, **settings).returncode == 0
    compared = ("compare", str(tmp_path / "q.txt"), "-m", "short", "-m", "asked", "--name", "second")
    assert "short against asked, blind" in run(*compared, **settings).stdout
    status = run("evaluations", "status", "second", **settings).stdout
    assert "short (abacus-letter)" in status
    assert "asked (abacus-letter)" in status
    run("evaluations", "export", "second", str(tmp_path / "out.jsonl"), **settings)
    facts, *answers = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert facts["configurations"]["asked"]["settings"] == {"template": "What is {prompt}?"}
    assert all(len(answer["answers"][0]) <= 12 for answer in answers if answer["model"] == "short")
    assert {answer["settings"]["max_tokens"] for answer in answers if answer["model"] == "short"} == {3}
    changed = run(*BRIEF[:-1], "4", "--json", **settings)
    assert json.loads(changed.stdout)["version"] == 2
    listed = json.loads(run("configurations", "list", "--json", **settings).stdout)
    assert [(each["name"], each["version"]) for each in listed] == [("asked", 1), ("short", 2)]


def test_what_cannot_be_a_configuration_is_refused_in_a_sentence(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    (tmp_path / "q.txt").write_text("17 + 25\n")
    run("compare", str(tmp_path / "q.txt"), "-m", "abacus-brief", "-m", "abacus-letter", **settings)

    def refused(*options, name="short", model="abacus-brief"):
        done = run("configurations", "add", name, "--model", model, *options, **settings)
        assert done.returncode == 1
        return done.stderr

    assert refused() == (
        "arena: A configuration sets something: a system prompt, a temperature, a template or another setting.\n"
    )
    assert refused("--template", "no place") == "arena: template: a template has {prompt} once.\n"
    assert "temperature: Input should be less than or equal to 2" in refused("--temperature", "3")
    assert "no endpoint 'gull'" in refused("--temperature", "1", model="gull")
    assert "is the name of an endpoint" in refused("--temperature", "1", name="abacus-letter")
    assert "name" in refused("--temperature", "1", name=" ")
