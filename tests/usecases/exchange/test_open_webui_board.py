from __future__ import annotations

import ast
import os
import random
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.usecases.exchange.open_webui_board import open_webui_board
from arena.usecases.exchange.reader import read_votes
from tests.usecases.exchange.files import export, feedback_row, write

Board = dict[str, tuple[int, int, int]]
"""Rating, won and lost by model."""


def by_rules(rows: Iterable[dict]) -> Board:
    """The documented algorithm, word by word: 1000 at first, K = 32, expectation on the scale of 400, no ties."""
    board: dict[str, list[float]] = {}
    for row in rows:
        data = row["data"]
        if str(data["rating"]) not in {"1", "-1"}:
            continue
        score = {"1": 1, "-1": 0}[str(data["rating"])]
        for sibling in data["sibling_model_ids"] or []:
            rated, other = (board.setdefault(name, [1000.0, 0, 0]) for name in (data["model_id"], sibling))
            expected = 1 / (1 + 10 ** ((other[0] - rated[0]) / 400))
            rated[0] += 32 * (score - expected)
            other[0] += 32 * ((1 - score) - (1 - expected))
            rated[2 - score] += 1
            other[1 + score] += 1
    return {name: (round(rating), int(won), int(lost)) for name, (rating, won, lost) in board.items()}


def generated(rng: random.Random) -> list[dict]:
    """Feedback in the order of its making, in whole seconds, some of it changed later."""
    models = [f"vendor/model:{number}" for number in range(rng.randint(1, 6))]
    created, rows = 1_735_689_600, []
    for number in range(rng.randint(0, 30)):
        created += rng.choice((0, 1, 60, 86_400))
        rated, *siblings = (rng.choice(models) for _ in range(rng.choice((1, 2, 2, 2, 4))))
        row = feedback_row(number, model_id=rated, sibling_model_ids=siblings or rng.choice(([], None)))
        row["data"]["rating"] = rng.choice((1, -1, "1", "-1", None))
        row["created_at"] = row["updated_at"] = created
        rows.append(row)
    for row in rows:
        if rng.random() < 0.3 and sum(other["created_at"] == row["created_at"] for other in rows) == 1:
            row["updated_at"] += rng.randrange(1_000_000)
    return rows


def check_boards(tmp_path: Path, expected: Callable[[list[dict]], Board]) -> None:
    rng = random.Random(35)
    for _ in range(1_000):
        rows, states = generated(rng), []
        read_votes(write(tmp_path / "feedback.json", export(rows) if rows else "[]"), watch=states.append)
        board = open_webui_board(states)
        assert {row.model: (row.rating, row.won, row.lost) for row in board} == expected(rows)
        assert [row.rating for row in board] == sorted((row.rating for row in board), reverse=True)


def test_a_thousand_random_exports_give_the_integers_of_the_documented_algorithm(tmp_path):
    check_boards(tmp_path, by_rules)


@pytest.mark.heavy
def test_a_thousand_random_exports_give_the_integers_of_open_webui_itself(tmp_path):
    """`ARENA_TEST_OPEN_WEBUI` is a wheel of it: `pip download --no-deps open-webui==0.12.4`."""
    wheel = os.environ.get("ARENA_TEST_OPEN_WEBUI")
    if not wheel:
        pytest.skip("ARENA_TEST_OPEN_WEBUI names no wheel of Open WebUI")
    with zipfile.ZipFile(wheel) as files:
        module = ast.parse(files.read("open_webui/routers/evaluations.py"))
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == "_calculate_elo"]
    names: dict = {"LeaderboardFeedbackData": SimpleNamespace}
    exec(compile(ast.Module([*functions], []), wheel, "exec"), names)  # noqa: S102 - the function of the real program

    def real(rows: list[dict]) -> Board:
        stats = names["_calculate_elo"]([SimpleNamespace(id=row["id"], data=row["data"]) for row in rows])
        return {name: (round(stat["rating"]), stat["won"], stat["lost"]) for name, stat in stats.items()}

    check_boards(tmp_path, real)


def test_the_board_from_the_newest_stands_beside_it(tmp_path):
    names = []
    rows = [feedback_row(1), feedback_row(2, rating=-1)]
    read_votes(write(tmp_path / "feedback.json", export(rows)), watch=names.append)
    board = {row.model: (row.rating, row.reversed) for row in open_webui_board(names)}
    assert board == {"red-7b": (999, 1001), "blue-7b": (1001, 999)}
