"""Programs of others read a release as it is: its metadata, its table, and the ratings that follow from it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
import pytest

from arena.domain.privacy.crowds import traits_of
from arena.domain.terms import Outcome
from arena.usecases.releases import documents, parquet
from arena.usecases.releases.conversations import Conversation, Turn
from arena.usecases.releases.rows import Row, rows
from arena_rating import OUTCOMES, Comparisons, bradley_terry, pair_counts
from tests.usecases.releases.other_readers import CROISSANT, LOAD, LOADER, RANK, RATE, VALIDATE, run_reader

MODELS = ("gull", "heron", "ibis", "jay", "kite")


def released(count: int) -> list[Row]:
    """Rows of a release with votes on five models of different strength."""
    rng = Random(1)
    chosen = [
        Conversation(
            battle=f"battle {number}",
            person=f"person {number % 30}",
            a=a,
            b=b,
            outcome=rng.choices(list(Outcome), weights=(3 if a < b else 2, 2, 1, 1))[0],
            traits=traits_of(date(2026, 3, 1 + number % 28), "en", "knowledge", 0),
            turns=(Turn("Explain how rivers find their way.", f"An answer by {a}.", f"An answer by {b}."),),
        )
        for number in range(count)
        for a, b in [rng.sample(MODELS, 2)]
    ]
    return rows([(conversation, conversation.traits) for conversation in chosen], b"salt")


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> tuple[Path, list[Row]]:
    folder = tmp_path_factory.mktemp("release")
    rows_written = released(2_000)
    (folder / "data").mkdir()
    parquet.written(folder / "data" / "arena.parquet", rows_written)
    return folder, rows_written


def own_ratings(found: Sequence[Row]) -> dict[str, float]:
    names = sorted(MODELS)
    words = {"model_a": "a", "model_b": "b"}
    left, right = (np.array([names.index(row[side]) for row in found], np.int32) for side in ("model_a", "model_b"))
    outcome = np.array([OUTCOMES.index(words.get(row["winner"], row["winner"])) for row in found], np.uint8)
    votes = Comparisons(left, right, outcome, None, None, None, tuple(names))
    fit = bradley_terry(pair_counts(votes), prior=0)
    return dict(zip(names, fit.rating.tolist(), strict=True))


@pytest.mark.process
def test_arena_ranks_own_loader_reads_the_table_and_gives_our_ratings(table):
    folder, rows_written = table
    their_ratings = run_reader(RANK, RATE, folder / "data" / "arena.parquet")
    if their_ratings is None:
        pytest.skip("arena-rank is not installed, or there is no Python 3.12")
    our_ratings = own_ratings(rows_written)
    mean = sum(their_ratings.values()) / len(their_ratings) - sum(our_ratings.values()) / len(our_ratings)
    assert {name: rating - mean for name, rating in their_ratings.items()} == pytest.approx(our_ratings, abs=1e-6)


def test_judge_arenas_own_loader_reads_the_table(table):
    folder, rows_written = table
    loader = Path(os.environ.get("ARENA_TEST_JUDGEARENA", ""))
    read = run_reader(LOADER, LOAD, loader, folder) if (loader / "judgearena").is_dir() else None
    if read is None:
        pytest.skip("JudgeArena's loader is not here; ARENA_TEST_JUDGEARENA may name its repository")
    words = {"both_bad": "tie (bothbad)"}
    assert read == sorted(
        [row["id"], row["model_a"], row["model_b"], words.get(row["winner"], row["winner"]), seconds(row["timestamp"])]
        for row in rows_written
    )


def seconds(moment: datetime) -> int:
    return int(moment.replace(tzinfo=UTC).timestamp())


@pytest.mark.process
def test_mlcroissant_finds_nothing_wrong_with_the_metadata(tmp_path):
    files = dict.fromkeys(("arena.parquet", "votes.jsonl"), b"{}")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    digests = {name: sha256(data).hexdigest() for name, data in files.items()}
    path = tmp_path / "croissant.json"
    licence = "https://creativecommons.org/licenses/by/4.0/"
    path.write_text(documents.croissant("2026-09", digests, licence, date(2026, 9, 1)), "utf-8")
    result = run_reader(CROISSANT, VALIDATE, path)
    if result is None:
        pytest.skip("mlcroissant is not installed, or there is no Python 3.12")
    assert result == {"name": "arena-2026-09", "errors": [], "sets": ["battles"]}


def test_the_metadata_name_every_column_that_they_describe(table):
    folder, _ = table
    columns = set(parquet.read(folder / "data" / "arena.parquet")[0])
    document = json.loads(documents.croissant("x", {"arena.parquet": "0" * 64}, "l", date(2026, 9, 1)))
    assert {field["name"] for field in document["recordSet"][0]["field"]} <= columns
