"""Evaluations against the newest board: correlations, and forecasts of models without votes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from arena.adapters.store import snapshots
from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
from arena.domain.errors import NoBoard
from arena.domain.schemas.leaderboard import LeaderboardRowView, StandingsView
from arena.evaluations.cli.prediction_tables import show_expected, show_prediction
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.domain.predictors.prediction import predict
from arena.evaluations.domain.schemas.predictors import PredictorsView
from arena.evaluations.usecases import importer, views
from arena.evaluations.usecases.predictors.prediction import (
    OVERALL,
    BoardKey,
    BoardPredictions,
    predict_boards,
    publish_predictions,
    view,
)
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation

pytestmark = pytest.mark.sqlite

MODELS = [f"m{number:02}" for number in range(14)]
NEWCOMER = MODELS[7]
COUNTS = ("points", "points_per_battle", "win_rate", "carena_rate", "battles", "wins", "draws", "losses", "both_bad")
SAME = dict.fromkeys(("elo_error", "order_spread", "rank", "rank_low", "rank_high", *COUNTS), 1)


def board_row(name: str, **fields) -> LeaderboardRowView:
    plain = {"owner": "o", "elo": 1000, "bt": None, "bt_low": None, "bt_high": None}
    return LeaderboardRowView.model_validate({**SAME, "name": name, **plain, **fields})


def standings() -> str:
    """A board of all models but the newcomer, 50 points apart."""
    rows = [board_row(name, bt=1000 + 50 * number) for number, name in enumerate(MODELS) if name != NEWCOMER]
    return StandingsView(rows=rows, pairs=[]).model_dump_json()


def publish(session) -> None:
    facts = {"parameters": {}, "digest": "0", "votes": 1}
    head = {"method": "bt", "seed": 1, "code_version": "1", "last_vote": 1, "last_exclusion": 0}
    row = SnapshotRow(**facts, **head, payload=standings(), created_at=START)
    session.add(row)
    session.flush()
    part = {"snapshot_id": row.id, "kind": "board", "category": "code", "language": "zh"}
    snapshots.add_parts(session, [PartRow(**facts, **part, payload=standings())])


async def people_say(database, tmp_path) -> None:
    """An evaluation in which the stronger model mostly wins."""
    await add_evaluation(database, models=(), others=MODELS)
    rng, file = np.random.default_rng(4), tmp_path / "said.jsonl"
    lines = [
        {"question": question, "a": MODELS[a], "b": MODELS[b], "annotator": "p", "outcome": winner}
        for question in ("sum", "poem", "sea")
        for a in range(len(MODELS))
        for b in range(a + 1, len(MODELS))
        if (winner := "b" if rng.random() < 1 / (1 + 10 ** ((a - b) / 8)) else "a")
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    assert (await importer.import_file(database, "taste", file, START)).refused == []


async def test_people_predict_the_boards_and_a_newcomer_is_forecast_and_put_on_no_board(database, tmp_path, capsys):
    await database.write(publish)
    await people_say(database, tmp_path)
    before = await database.read(lambda session: snapshots.newest(session).payload)  # pyright: ignore[reportOptionalMemberAccess]
    found = await predict_boards(database, ["taste"], seed=1)
    assert set(found.boards) == {OVERALL, BoardKey("code", "zh")}
    (people,) = found.boards[OVERALL].predictors
    assert (people.name, people.models) == ("taste: people", 13)
    assert people.correlations.pearson.value > 0.9
    (expected,) = found.expected
    assert (expected.model, expected.forecast.models) == (NEWCOMER, 13)
    assert expected.forecast.low < 1350 < expected.forecast.high
    assert await database.read(lambda session: snapshots.newest(session).payload) == before  # pyright: ignore[reportOptionalMemberAccess]
    show_prediction(str(OVERALL), found.boards[OVERALL])
    show_expected(found.expected)
    assert "forecasts, not ratings" in capsys.readouterr().out


async def test_the_report_is_published_as_it_was_found_and_empty_before(database, tmp_path):
    assert await views.published_predictions(database) == PredictorsView()
    await database.write(publish)
    await people_say(database, tmp_path)
    found = await predict_boards(database, ["taste"], seed=1)
    published = await publish_predictions(database, found, START)
    shown = await views.published_predictions(database)
    assert shown == published
    assert [(each.category, each.language, each.mixed) for each in shown.boards] == [("", "", 13), ("code", "zh", 13)]
    (people,) = shown.boards[0].predictors
    assert people.pearson.value == found.boards[OVERALL].predictors[0].correlations.pearson.value
    assert [(each.model, each.models) for each in shown.expected] == [(NEWCOMER, 13)]


def test_a_mix_is_shown_with_the_band_without_one_model():
    strength = {name: float(number) for number, name in enumerate(MODELS)}
    other = {name: float(7 * number % 5) for number, name in enumerate(MODELS)}
    found = predict({"good": strength, "poor": other}, strength, rng=np.random.default_rng(1), rounds=50)
    mix = view(BoardPredictions({OVERALL: found}, ()), START).boards[0].mix
    assert mix is not None
    assert (mix.exploratory, [part.name for part in mix.parts]) == (False, ["good", "poor"])
    assert [part.weight for part in mix.parts] == pytest.approx([1, 0])
    assert [(part.low, part.high) for part in mix.parts] == [pytest.approx((1, 1)), pytest.approx((0, 0))]


async def test_without_a_board_or_an_evaluation_there_is_one_clear_error(database):
    with pytest.raises(EvaluationNotFound):
        await predict_boards(database, ["taste"], seed=1)
    await add_evaluation(database)
    with pytest.raises(NoBoard):
        await predict_boards(database, ["taste"], seed=1)
