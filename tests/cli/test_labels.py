"""`arena labels`, from a set of questions to exported rows: by rules, and by an endpoint."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from arena.usecases.endpoints import builtin
from arena_providers.demo.practice_models import DEMO_ENDPOINTS
from tests.cli.commands import run
from tests.evaluations.usecases.sets.files import own, question


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    """An arena with the practice models and two questions."""
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    asyncio.run(builtin.settle_builtin(database, DEMO_ENDPOINTS, "on", datetime.now(UTC)))
    database.close()
    found = {"ARENA_DATA": str(tmp_path), "ARENA_LOCAL": "off"}
    file = tmp_path / "ours.jsonl"
    file.write_text(own(question(), question(id="code", turns=["Write a Python function that sorts a list."])))
    assert run("questions", "import", str(file), **found).returncode == 0
    return found


def rows(settings: dict[str, str], file: Path) -> list[tuple[str, list[str]]]:
    assert run("labels", "export", str(file), **settings).returncode == 0
    found = [json.loads(line) for line in file.read_text().splitlines()]
    return [(each["labeller"], each["values"]) for each in found if "values" in each]


def test_questions_are_labelled_by_rules_counted_and_exported(settings, tmp_path):
    assert "capabilities" in run("labels", "sets", **settings).stdout
    ask = ("labels", "run", "capabilities", "--questions", "ours")
    assert run(*ask, **settings).stdout == "2 labels are given by the rules.\n"
    assert run(*ask, **settings).stdout == "0 labels are given by the rules.\n"
    assert "rules" in run("labels", "status", **settings).stdout
    assert ("rules", ["code"]) in rows(settings, tmp_path / "labels.jsonl")
    assert run("labels", "run", **settings).stdout == "0 labels are given by the rules.\n"
    assert '"values":["code"]' in run("labels", "export", "-", **settings).stdout.replace(" ", "")


def test_an_endpoint_is_asked_for_each_text_once(settings, tmp_path):
    ask = ("labels", "ask", "capabilities/abacus-brief/1", "--questions", "ours")
    # A practice model says no word of the set: that is an answer without labels, and is not asked again.
    assert run(*ask, **settings).stdout == "2 labelled by 2 calls.\n"
    assert run(*ask, **settings).stdout == "0 labelled by 0 calls.\n"
    assert rows(settings, tmp_path / "labels.jsonl") == [("abacus-brief", [])] * 2
    status = run("labels", "status", **settings).stdout
    assert "abacus-brief" in status


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("ask", "capabilities/rules/2"), "label by themselves"),
        (("ask", "capabilities/people/1"), "label by themselves"),
        (("ask", "capabilities/owl/1", "--questions", "ours"), "There is no endpoint 'owl' to label."),
        (("ask", "capabilities/abacus-brief/1"), "see ARENA_LABEL_TERMS"),
        (("ask", "cooking/owl/1"), "cooking"),
        (("run", "--questions", "nowhere"), "There is no such set of questions."),
        (("run", "cooking"), "cooking"),
        (("sample", "capabilities", "--questions", "nowhere"), "There is no such set of questions."),
    ],
)
def test_a_wrong_source_set_or_endpoint_is_one_line(settings, arguments, why):
    done = run("labels", *arguments, **settings)
    assert done.returncode == 1
    assert why in done.stderr
    assert done.stderr.startswith("arena: ")
    assert done.stderr.count("\n") == 1
