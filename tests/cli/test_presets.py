"""A vendor is named by its preset; what is said besides wins over the row."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.providers.dialects import DIALECTS
from tests.serving.test_serve import run


def add(folder: Path, *arguments: str):
    return run("endpoints", "add", *arguments, "--wire-model", "m", "--no-probe", ARENA_DATA=str(folder / "arena-data"))


def stored(folder: Path, name: str) -> dict:
    (path,) = (folder / "arena-data").glob("*.db")
    with closing(sqlite3.connect(path)) as database, database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute("select * from endpoints where name = ?", (name,)).fetchone())
    database.close()
    return row | {"aliases": json.loads(row["aliases"])}


def test_a_preset_fills_in_address_dialect_aliases_and_where_the_key_is(tmp_path):
    added = add(tmp_path, "acme", "--preset", "anthropic")
    assert added.returncode == 0, added.stderr
    where = "in the environment of `arena serve`, and start that again, if it is not set there yet; it is not set here."
    assert f"Set ANTHROPIC_API_KEY {where}" in added.stdout.splitlines()
    row = stored(tmp_path, "acme")
    assert (row["dialect"], row["url"]) == ("anthropic", "https://api.anthropic.com/v1")
    assert row["key_env"] == "ANTHROPIC_API_KEY"
    assert "Claude" in row["aliases"]
    assert not row["private"]


def test_what_is_said_besides_wins_over_the_preset(tmp_path):
    said = ("--url", "https://gate.example/v1", "--dialect", "openai_chat", "--key-env", "GATE", "--alias", "Zed")
    assert add(tmp_path, "acme", "--preset", "anthropic", *said).returncode == 0
    row = stored(tmp_path, "acme")
    assert (row["dialect"], row["url"], row["key_env"]) == ("openai_chat", "https://gate.example/v1", "GATE")
    assert row["aliases"][0] == "Zed"
    assert "Claude" in row["aliases"]


def test_a_local_preset_opens_its_own_address_and_no_other(tmp_path):
    assert add(tmp_path, "mine", "--preset", "ollama").returncode == 0
    row = stored(tmp_path, "mine")
    assert (row["dialect"], row["url"], row["key_env"]) == ("ollama", "http://127.0.0.1:11434", None)
    assert row["private"]
    moved = add(tmp_path, "moved", "--preset", "ollama", "--url", "http://10.0.0.5:11434")
    assert moved.returncode == 1
    assert moved.stderr.startswith("arena: url: ")


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ((), "arena: url: give an address, or a vendor by its preset\n"),
        (("--preset", "opnai"), "arena: preset: one of openai, "),
        (
            ("--url", "https://acme.example/v1", "--dialect", "klingon"),
            f"arena: dialect: one of {', '.join(dialect.name for dialect in DIALECTS)}\n",
        ),
    ],
)
def test_a_word_that_nobody_knows_is_one_clear_line(tmp_path, said, line):
    wrong = add(tmp_path, "acme", *said)
    assert wrong.returncode == 1
    assert wrong.stderr.startswith(line)
    assert wrong.stderr.count("\n") == 1


def test_the_presets_are_listed(tmp_path):
    listed = run("endpoints", "presets", COLUMNS="240")
    assert listed.returncode == 0
    for word in ("deepseek", "DASHSCOPE_API_KEY", "https://api.moonshot.cn/v1", "通义千问", "http://127.0.0.1:11434"):
        assert word in listed.stdout


def test_facts_that_readers_compare_are_stored_as_said(tmp_path):
    said = (
        "--open-weights",
        "--billions",
        "70.6",
        "--context-tokens",
        "131072",
        "--price-in",
        "0.3",
        "--price-out",
        "1.2",
    )
    assert add(tmp_path, "acme", "--preset", "anthropic", *said).returncode == 0
    row = stored(tmp_path, "acme")
    assert (row["open_weights"], row["billions"], row["context_tokens"]) == (1, 70.6, 131_072)
    assert (row["price_in"], row["price_out"], row["energy"]) == (0.3, 1.2, None)
    assert add(tmp_path, "other", "--preset", "anthropic", "--price-in", "-1").returncode == 1
