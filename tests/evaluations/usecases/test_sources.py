"""People, judges, and judges corrected by people: against plain means, and in worlds with known scores."""

from __future__ import annotations

import json

import numpy as np
import pytest

from arena.domain.schemas.questions import QuestionView
from arena.evaluations.usecases import importer
from arena.evaluations.usecases.reports.columns import ReportColumns
from arena.evaluations.usecases.reports.report import report
from arena.evaluations.usecases.reports.sources import sources_of
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation

QUESTIONS = [QuestionView(id=f"q{n}", turns=["?"], area="x" if n < 6 else "y") for n in range(10)]
MODELS = ("gull", "tern")


def scored(question: int, model: str, person: str, score: int, team: str) -> dict[str, object]:
    return {"question": f"q{question}", "model": model, "annotator": person, "score": score, "team": team}


async def reported(database, tmp_path, rows, protocol):
    await add_evaluation(database, questions=QUESTIONS, models=(), others=MODELS, protocol=protocol)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert (await importer.import_file(database, "taste", path, START)).refused == []
    return await report(database, "taste")


@pytest.mark.sqlite
async def test_totals_and_means_are_of_people_and_the_judge_stands_beside_them(database, tmp_path):
    rng, rows = np.random.default_rng(2), []
    people: dict[tuple[str, str], list[float]] = {}
    judge: dict[tuple[str, str], list[float]] = {}
    for number, question in enumerate(QUESTIONS):
        for model in MODELS:
            given = rng.integers(1, 11, 2).tolist()
            rows += [scored(number, model, f"p{place}", score, "onsite") for place, score in enumerate(given)]
            rows.append(scored(number, model, "gpt", int(rng.integers(1, 11)), "model"))
            people.setdefault((model, question.area or ""), []).append(float(np.mean(given)))
            judge.setdefault((model, question.area or ""), []).append(rows[-1]["score"])
    found = await reported(database, tmp_path, rows, "score")
    for source in found.sources:
        plain = [10 * np.mean([np.mean(part[source.model, area]) for area in "xy"]) for part in (people, judge)]
        assert [source.people, source.judges] == pytest.approx(plain)
        assert (source.corrected, source.weight, source.items) == (pytest.approx(source.people), 0.0, 10)
    assert {total.model: total.percent for total in found.totals} == pytest.approx(
        {source.model: source.people for source in found.sources}
    )
    assert {criterion.scores for criterion in found.criteria if not criterion.area} == {20}
    assert sorted(team.team for team in found.teams) == ["model", "onsite"]


@pytest.mark.sqlite
async def test_a_board_of_pairs_is_of_people_alone_where_there_are_any(database, tmp_path):
    pair = {"a": "gull", "b": "tern"}
    people = [pair | {"question": f"q{n}", "annotator": "p", "outcome": "a"} for n in range(4)]
    judge = [pair | {"question": f"q{n}", "annotator": "j", "outcome": "b", "team": "model"} for n in range(10)]
    found = await reported(database, tmp_path, [*people, *judge], "pairwise")
    assert [(row.name, row.points, row.battles) for row in found.board] == [("gull", 4, 4), ("tern", 0, 4)]
    assert [(row.model, row.people, row.judges) for row in found.sources] == [("gull", 100, 0), ("tern", 0, 100)]


@pytest.mark.sqlite
async def test_without_people_or_without_judges_there_is_no_such_table(database, tmp_path):
    rows = [scored(n, model, "gpt", 5, "model") for n in range(10) for model in MODELS]
    found = await reported(database, tmp_path, rows, "score")
    assert (found.sources, [total.percent for total in found.totals]) == ([], [50.0, 50.0])


def world(seed: int, items: int = 120, shared: int = 40, raters: int = 6) -> ReportColumns:
    """One model: raters of people on the first answers, one judge that is three points off on all."""
    rng = np.random.default_rng(seed)
    quality, taste = rng.normal(60, 12, items), rng.normal(0, 4, raters)
    item = np.concatenate([np.repeat(np.arange(shared), 3), np.arange(items)])
    person = np.concatenate([np.argsort(rng.random((shared, raters)))[:, :3].ravel(), np.full(items, raters)])
    own = np.concatenate([taste, [3.0]])[person] + rng.normal(0, 5, len(item))
    score = np.clip(np.round(quality[item] + own), 1, 100).astype(int)
    zeros = np.zeros(items, np.int32)
    values, code = np.unique(score.astype(str), return_inverse=True)
    return ReportColumns(
        item=item.astype(np.int32),
        person=person.astype(np.int32),
        repeat=np.zeros(len(item), bool),
        swapped=np.zeros(len(item), bool),
        code=code.astype(np.int32),
        milliseconds=np.full(len(item), np.nan),
        values=tuple(values.tolist()),
        people=tuple(map(str, range(raters + 1))),
        teams=("onsite",) * raters + ("model",),
        models=("gull",),
        first=zeros,
        second=zeros - 1,
        question=np.arange(items, dtype=np.int32),
        area=zeros,
        areas=("",),
        form=zeros,
        forms=("",),
        questions=items,
    )


def test_corrected_intervals_hold_the_mean_that_people_would_give_and_are_narrower(monkeypatch):
    found = [sources_of("score", world(seed))[0] for seed in range(300)]
    truth = 600.0
    for name in ("people", "corrected"):
        inside = [getattr(row, f"{name}_low") <= truth <= getattr(row, f"{name}_high") for row in found]
        assert 0.92 <= np.mean(inside) <= 0.995, name
    assert np.mean([row.judges_low <= truth <= row.judges_high for row in found]) < 0.9  # pyright: ignore[reportOperatorIssue]
    assert np.mean([row.weight for row in found]) > 0.3
    widths = [
        np.mean([getattr(row, f"{n}_high") - getattr(row, f"{n}_low") for row in found])
        for n in ("people", "corrected")
    ]
    assert widths[1] < widths[0]
