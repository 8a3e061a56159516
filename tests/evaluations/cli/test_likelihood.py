"""`arena evaluations likelihood` on models that cannot tell likelihoods: one sentence each."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from arena.adapters.store.engine import open_database
from arena.usecases.endpoints.builtin import settle_builtin
from arena_providers.demo.practice_models import DEMO_ENDPOINTS
from tests.cli.commands import fixed_reply_server, run
from tests.evaluations.usecases.sets.files import own, question

ANSWERS = [{"text": "The sun rises.", "votes": 3}, {"text": "It does not.", "votes": 1}]


@pytest.fixture
def settings(tmp_path) -> dict[str, str]:
    given = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    (tmp_path / "ours.jsonl").write_text(own(question(answers=ANSWERS)))
    assert run("questions", "import", str(tmp_path / "ours.jsonl"), **given).returncode == 0
    return given


def test_a_server_that_closes_the_connection_is_one_sentence(settings):
    with fixed_reply_server(b"") as url:
        run("endpoints", "add", "gull", "--wire-model", "m", "--url", url, "--private", "--no-probe", **settings)
        run("endpoints", "use", "gull", "evaluations", **settings)
        done = run("evaluations", "likelihood", "gull", "ours", **settings)
    assert done.returncode == 1
    assert done.stderr.startswith("arena: gull cannot tell likelihoods: ")
    assert done.stderr.count("\n") == 1


def test_a_practice_model_is_one_sentence(settings, tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'data' / 'arena.db'}")
    asyncio.run(settle_builtin(database, DEMO_ENDPOINTS, "on", datetime.now(UTC)))
    database.close()
    done = run("evaluations", "likelihood", "abacus-brief", "ours", **settings)
    assert done.returncode == 1
    assert done.stderr == "arena: abacus-brief cannot tell likelihoods: it is a scripted model, which computes none.\n"
