"""LLMEval's table 2 out of its published scores, which come as a file of judgements and leave as a report."""

import csv
import json
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from arena.domain.schemas.questions import QuestionView
from arena.evaluations.usecases import importer
from arena.evaluations.usecases.reports.report import report
from arena_rating.research import kendall, spearman
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation
from tests.paths import ROOT

pytestmark = pytest.mark.sqlite

ANNOTATORS = 1_000
"""A mean of three decimals is that of a thousand whole scores."""
CRITERIA = ("accuracy", "informativeness", "fluency", "logic", "harmlessness")
TABLE_2 = {
    ("stars_people", "pairwise_people"): (0.9387, 0.8397),
    ("stars_gpt4", "pairwise_gpt4"): (0.9650, 0.8788),
    ("stars_people", "stars_gpt4"): (0.9492, 0.8397),
    ("pairwise_people", "pairwise_gpt4"): (0.9021, 0.7879),
}


def published() -> list[dict[str, str]]:
    folder = Path(os.environ.get("ARENA_TEST_DATA") or ROOT.parent / "shared" / "data")
    path = folder / "llmeval1_results.csv"
    if not path.is_file():
        pytest.skip("the published scores of LLMEval are not here; ARENA_TEST_DATA may name their folder")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def starred(rows: list[dict[str, str]], by: str) -> Iterator[dict]:
    """Whole stars whose mean by criterion is the published one."""
    for row in rows:
        totals = [round(ANNOTATORS * float(row[f"{by}_{name.replace('logic', 'logicality')}"])) for name in CRITERIA]
        for person in range(ANNOTATORS):
            scores = {name: (total + person) // ANNOTATORS for name, total in zip(CRITERIA, totals, strict=True)}
            yield {"question": "all", "model": row["model"], "annotator": str(person), **scores}


def compared(rows: list[dict[str, str]], by: str) -> Iterator[dict]:
    """Wins and losses against the field whose points per pair are the published score."""
    for row, person in product(rows, range(ANNOTATORS)):
        won = person < round(ANNOTATORS * float(row[by]))
        sides = {"a": row["model"], "b": "the field", "outcome": "a" if won else "b"}
        yield {"question": "all", "annotator": str(person), **sides}


async def recomputed(database, folder: Path, rows: list[dict[str, str]], by: str) -> list[float]:
    """Scores of the models, in the order of the file, as the report of an imported evaluation has them."""
    stars = by.startswith("stars")
    models, others = [row["model"] for row in rows], [] if stars else ["the field"]
    chosen = {"models": (), "others": [*models, *others], "protocol": "stars" if stars else "pairwise"}
    await add_evaluation(database, by, [QuestionView(id="all", turns=["All of them."])], **chosen)
    path = folder / f"{by}.jsonl"
    judged = starred(rows, by) if stars else compared(rows, by)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in judged))
    done = await importer.import_file(database, by, path, START)
    assert (done.annotations, done.refused) == (ANNOTATORS * len(rows), [])
    found = await report(database, by)
    scores = {each.model: each.percent for each in found.totals}
    scores |= {each.name: each.points_per_battle for each in found.board}
    return [round(scores[name], 6) for name in models]


async def test_llmevals_table_2_comes_out_of_its_published_scores(database, tmp_path):
    rows = published()
    columns = {by: np.array(await recomputed(database, tmp_path, rows, by)) for by in dict.fromkeys(sum(TABLE_2, ()))}
    assert columns["pairwise_people"].tolist() == [float(row["pairwise_people"]) for row in rows]
    overall = [float(row["stars_people_overall"]) for row in rows]
    assert columns["stars_people"] * 3 / 100 == pytest.approx(overall, abs=1e-3)
    for (first, second), figures in TABLE_2.items():
        x, y = columns[first], columns[second]
        assert (round(spearman(x, y), 4), round(kendall(x, y), 4)) == figures
