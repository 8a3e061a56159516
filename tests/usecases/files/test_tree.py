"""The static tree of public files: layouts that others read, digests, and what happens on further days."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import re
from datetime import timedelta

import pytest
import yaml
from pyarrow import parquet
from sqlalchemy import select

from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.api.boards import documents
from arena.cli.boards.publish import source_of
from arena.domain.errors import NoBoard
from arena.domain.terms import Outcome
from arena.settings import Settings
from arena.usecases.exchange import importer
from arena.usecases.files import hub_tables
from arena.usecases.files.board_tables import COLUMNS, FileBoard, boards_of
from arena.usecases.files.day_records import day_records
from arena.usecases.files.drafts import NOTES
from arena.usecases.files.tree import publish_files
from tests.conftest import START
from tests.frontend import fake_api
from tests.usecases.files.conftest import ADDRESS
from tests.usecases.ranking.test_slice_boards import made

DAY = START.date().isoformat()
NAMED = (("", ""), ("creative_writing", ""), ("", "zh-hant"), ("web page", "zh"))
LATEST, FULL = (f"text/{kind}-00000-of-00001.parquet" for kind in ("latest", "full"))


async def test_without_a_board_there_is_nothing_to_publish(database, tmp_path):
    with pytest.raises(NoBoard):
        await publish_files(database, tmp_path / "tree", source_of(Settings(data=tmp_path)), START)
    assert not (tmp_path / "tree").exists()


async def test_every_file_stands_in_the_list_with_its_digest_and_the_list_in_the_log(database, published):
    folder, files = await published()
    paths = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {file.path for file in files} == paths - {"index.json", "SHA256SUMS", NOTES}
    sums = (folder / "SHA256SUMS").read_text()
    for line in sums.splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    index = json.loads((folder / "index.json").read_text())
    assert [entry["path"] for entry in index["files"]] == [file.path for file in files]
    (leaf,) = await database.read(lambda session: session.scalars(select(LeafRow.data).filter_by(kind="files")).all())
    assert json.loads(leaf)["digest"] == hashlib.sha256(sums.encode()).hexdigest()


async def test_the_list_has_the_days_of_this_month_and_a_list_of_each_earlier_one(published):
    first = timedelta(days=32 - START.day)
    counts = []
    for days in (0, first.days, first.days + 62, first.days + 124):
        folder, files = await published(days, 300 + days)
        index = json.loads((folder / "index.json").read_text())
        counts.append(len(index["files"]))
        paths = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert {file.path for file in files} == paths - {"index.json", "SHA256SUMS", NOTES}
        months = [entry["path"] for entry in index["files"] if entry["path"].startswith("months/")]
        of_months = [entry for path in months for entry in json.loads((folder / path).read_text())["files"]]
        listed = [*index["files"], *of_months]
        assert sorted(entry["path"] for entry in listed) == [file.path for file in files]
        for entry in listed:
            assert hashlib.sha256((folder / entry["path"]).read_bytes()).hexdigest() == entry["sha256"]
        sums = [line.partition("  ")[2] for line in (folder / "SHA256SUMS").read_text().splitlines()]
        assert sums == [entry["path"] for entry in index["files"]]
    assert counts == [counts[0], counts[0] + 1, counts[0] + 2, counts[0] + 3]


async def test_tables_have_the_columns_and_splits_of_public_data_sets_of_leaderboards(database, published):
    folder, _ = await published()
    boards = {board.name: board for board in await database.read(boards_of)}
    rows = parquet.read_table(folder / LATEST).to_pylist()
    assert list(rows[0]) == list(COLUMNS)
    assert {row["category"] for row in rows} == set(boards)
    whole = [row for row in rows if row["category"] == "overall"]
    assert [(row["model_name"], row["rank"], row["rating"]) for row in whole] == [
        (row.name, row.rank, row.bt) for row in boards["overall"].rows
    ]
    assert all(row["rating_lower"] < row["rating"] < row["rating_upper"] for row in whole)
    half = (whole[0]["rating_upper"] - whole[0]["rating_lower"]) / 2
    assert whole[0]["variance"] == pytest.approx((half / 1.96) ** 2, rel=1e-3)
    assert {row["leaderboard_publish_date"] for row in rows} == {DAY}


async def test_ranks_in_files_are_those_of_the_page_on_which_practice_models_have_none(database, published):
    await importer.import_votes(database, made(), START)
    best = made()[0].a if made()[0].outcome is Outcome.A else made()[0].b
    await database.write(lambda session: session.query(EndpointRow).filter_by(name=best).update({"demo": True}))
    folder, _ = await published()
    board = (await database.read(documents.whole)).view
    places = [(row.name, row.rank) for row in board.rows if not row.component]
    assert best not in dict(places)
    assert [rank for _, rank in places] == list(range(1, len(places) + 1))
    whole = [row for row in parquet.read_table(folder / LATEST).to_pylist() if row["category"] == "overall"]
    assert [(row["model_name"], row["rank"]) for row in whole] == places
    day = json.loads((folder / "data" / DAY / "text.json").read_text())
    assert [(row["model"], row["rank"]) for row in day["models"]] == places
    rows = list(csv.DictReader(io.StringIO((folder / "boards" / DAY / "overall.csv").read_text())))
    assert [(row["name"], int(row["component"]), int(row["rank"])) for row in rows] == [
        (row.name, row.component, row.rank) for row in board.rows
    ]
    cards = {path.parents[1].name for path in folder.rglob("arena.yaml")}
    assert cards == set(dict(places))


async def test_full_keeps_the_days_before_and_a_day_that_is_published_again_once(published):
    folder, _ = await published()
    await published()
    await published(days=1, votes=320)
    days = [row["leaderboard_publish_date"] for row in parquet.read_table(folder / FULL).to_pylist()]
    count = len(parquet.read_table(folder / LATEST).to_pylist())
    assert sorted(set(days)) == [DAY, (START + timedelta(days=1)).date().isoformat()]
    assert days.count(days[0]) == days.count(days[-1]) == count
    assert (folder / "boards" / DAY / "overall.csv").is_file()


async def test_boards_of_a_day_are_csv_with_all_columns(database, published):
    folder, _ = await published()
    for board in await database.read(boards_of):
        rows = list(csv.DictReader(io.StringIO((folder / "boards" / DAY / f"{board.file_name}.csv").read_text())))
        assert [(row["name"], float(row["win_rate"])) for row in rows] == [(r.name, r.win_rate) for r in board.rows]
        assert (folder / "boards" / DAY / f"{board.file_name}.parquet").is_file()


SLUG, DAYS, MOMENT = (re.compile(form) for form in (r"[a-z0-9-]+", r"\d{4}-\d\d-\d\d", r"[-\d]+T[:.\d]+\+00:00"))


def test_names_of_boards_in_days_are_those_that_collectors_take():
    boards = [FileBoard(category, language, START.date(), fake_api.board(4).rows) for category, language in NAMED]
    paths = day_records([*boards, FileBoard("math", "", START.date(), [])], ADDRESS, START)
    assert [*paths] == [
        *(f"{DAY}/{name}.json" for name in ("text", "creative-writing", "zh-hant", "web-page-zh", "_index")),
        "latest.json",
    ]
    assert json.loads(paths["latest.json"]) == {"date": DAY, "path": DAY}


async def test_a_collector_that_follows_latest_finds_each_board_of_the_index_in_its_form(published):
    """The schemas of the collector: no other key, and each value of the type and form that they name."""
    folder, _ = await published()
    data = folder / "data"
    latest = json.loads((data / "latest.json").read_text())
    index = json.loads((data / latest["path"] / "_index.json").read_text())
    assert DAYS.fullmatch(index["date"])
    assert MOMENT.fullmatch(index["fetched_at"])
    assert index["leaderboards"]
    for name, facts in index["leaderboards"].items():
        board = json.loads((data / latest["path"] / f"{name}.json").read_text())
        assert SLUG.fullmatch(board["meta"]["leaderboard"])
        assert MOMENT.fullmatch(board["meta"]["fetched_at"])
        assert facts["model_count"] >= 1
        for model in board["models"]:
            assert model["rank"] >= 1
            assert model["model"]
            assert model["license"] in {"proprietary", "open", None}
            assert {type(model[key]) for key in ("score", "ci", "votes")} <= {int, type(None)}


async def test_a_day_as_json_has_the_layout_of_those_who_collect_leaderboards(published):
    folder, _ = await published()
    index = json.loads((folder / "data" / DAY / "_index.json").read_text())
    assert (set(index), index["date"]) == ({"date", "fetched_at", "leaderboards", "errors"}, DAY)
    for name, facts in index["leaderboards"].items():
        board = json.loads((folder / "data" / DAY / f"{name}.json").read_text())
        assert set(board["meta"]) == {"leaderboard", "source_url", "fetched_at", "last_updated", "model_count"}
        assert board["meta"]["model_count"] == facts["model_count"] == len(board["models"])
        for model in board["models"]:
            assert list(model) == ["rank", "model", "vendor", "license", "score", "ci", "votes"]
            assert [type(model[name]) for name in ("rank", "model", "score", "votes")] == [int, str, int, int]
    assert json.loads((folder / "data" / DAY / "code.json").read_text())["meta"]["source_url"] == (
        f"{ADDRESS}/leaderboard?category=code"
    )


async def test_a_model_gets_its_scores_for_its_own_repository(published):
    folder, _ = await published()
    entries = yaml.safe_load((folder / "eval_results" / "dog" / ".eval_results" / "arena.yaml").read_text())
    first = entries[0]
    assert first["dataset"] == {"id": "org/board", "task_id": "overall"}
    assert (first["date"], first["source"]["url"]) == (DAY, f"{ADDRESS}/model?name=dog")
    assert isinstance(first["value"], float)
    assert {entry["dataset"]["task_id"] for entry in entries} > {"overall", "code", "zh"}


async def test_the_hub_reads_every_score_of_a_model_and_nothing_in_them_is_foreign_to_its_form(published):
    hub = pytest.importorskip("huggingface_hub")
    folder, _ = await published()
    for path in (folder / "eval_results").rglob("*.yaml"):
        written = yaml.safe_load(path.read_text())
        entries = hub.parse_eval_result_entries(written)
        assert hub.eval_result_entries_to_yaml(entries) == written
        assert {entry.dataset_id for entry in entries} == {"org/board"}


async def test_votes_are_the_public_export(published):
    folder, _ = await published()
    lines = gzip.decompress((folder / "votes.jsonl.gz").read_bytes()).splitlines()
    votes = [json.loads(line) for line in lines]
    assert sum("outcome" in vote for vote in votes) == 300


async def test_without_pyarrow_there_are_csv_and_json(published, monkeypatch):
    monkeypatch.setattr(hub_tables, "can_write", lambda: False)
    _, files = await published()
    assert not [file.path for file in files if file.path.endswith(".parquet")]
    assert f"boards/{DAY}/overall.csv" in {file.path for file in files}
