"""LLMEval's tables 4, 5 and 8 out of LLMEval-2's published scores: one evaluation of people and GPT-4 gives all three.

The published files have no licence and stay where they are; a made file of the same layout is compared with plain sums.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from arena.evaluations.domain.schemas.evaluation_reports import EvaluationReportView
from arena.evaluations.usecases import importer
from arena.evaluations.usecases.reports.report import report
from arena.evaluations.usecases.sets.reader import read_set
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation
from tests.paths import ROOT

pytestmark = pytest.mark.sqlite

PROTOCOL = "stars-llmeval2"
HIGHEST = {"Correctness": 3, "Explanation Correctness": 2, "Accuracy": 5}
"""The other criteria have 3."""
TABLE_8 = {
    "GPT4": (86.72, 89.54),
    "GPT3.5": (80.71, 84.69),
    "xunfei": (78.05, 82.26),
    "baichuan-13b-chat": (77.51, 81.82),
    "minimax-abab5": (77.47, 80.64),
    "newbing": (77.28, 82.63),
    "claude": (75.57, 83.49),
    "moss-mars": (74.41, 79.21),
    "tiangong": (74.36, 79.31),
    "ziya-llama-13b-v1": (69.48, 70.92),
    "tongyiqianwen": (68.01, 71.02),
    "360": (67.97, 72.86),
    "zhigong": (67.27, 70.53),
    "chatglm2-6b": (67.07, 69.06),
    "Vicuna-33B": (66.53, 69.16),
    "internlm-7b": (66.52, 69.00),
    "chatglm": (66.05, 69.48),
    "tigerbot-180b": (65.90, 71.77),
    "AquilaChat-7b": (64.82, 68.19),
    "belle-7b-2m": (62.98, 65.27),
}
"""Totals by people and by GPT-4, as printed."""
WITHOUT_REPEATS = {"baichuan-13b-chat", "internlm-7b"}
"""Models whose printed means fit the number of answers in the file; those of others include tasks asked twice."""
SHARES = {
    "subjective accuracy": {"apart_2": 0.3705, "apart_4": 0.0699},
    "subjective fluency": {"apart_2": 0.0349},
    "subjective logic": {"apart_2": 0.0787},
    "subjective informativeness": {"apart_2": 0.0997},
    "objective correctness": {"apart_2": 0.1298},
    "objective explanation": {"apart_1": 0.2498},
}
"""Tables 4 and 5; the share that table 5 prints as "≥ 3" is that of at least two points."""


async def recomputed(database, people: list[Path], judge: list[Path]) -> EvaluationReportView:
    """The report of the stars in files of one subject each, by people and by a judge."""
    asked = read_set(people, {"name": "ours", "licence": "none"}).questions
    names = sorted({row["llm_name"] for path in people for row in json.loads(path.read_text("utf-8"))})
    await add_evaluation(database, questions=asked, models=(), others=names, protocol=PROTOCOL)
    for path in people:
        done = await importer.import_file(database, "taste", path, START, annotator="people", team="people")
        assert done.refused == []
    for path in judge:
        done = await importer.import_file(database, "taste", path, START, annotator="gpt-4", team="model")
        assert done.refused == []
    return await report(database, "taste")


def found_shares(found: EvaluationReportView) -> dict[str, dict[str, float]]:
    pairs = {pair.criterion: pair for pair in found.team_pairs}
    return {name: {k: getattr(pairs[name], k) for k in shares} for name, shares in SHARES.items()}


@pytest.mark.heavy
async def test_tables_4_5_and_8_come_out_of_one_evaluation_of_the_published_scores(database):
    folder = Path(os.environ.get("ARENA_TEST_DATA") or ROOT.parent / "shared" / "data") / "llmeval-2" / "results"
    if not folder.is_dir():
        pytest.skip("the published scores of LLMEval-2 are not here; ARENA_TEST_DATA may name their folder")
    found = await recomputed(database, *(sorted((folder / f"{who}-score").glob("*.json")) for who in ("human", "gpt")))
    totals = {row.model: (row.people, row.judges) for row in found.sources}
    for model, (people, judge) in TABLE_8.items():
        assert totals[model][1] == pytest.approx(judge, abs=0.006), model
        assert totals[model][0] == pytest.approx(people, abs=0.006 if model in WITHOUT_REPEATS else 0.36), model
    for name, shares in found_shares(found).items():
        assert {k: round(value, 4) for k, value in shares.items()} == SHARES[name], name


def dialogue(area: str, number: int, model: str, stars: dict[str, int]) -> dict[str, object]:
    said = [{"role": "user", "content": "？"}, {"role": "llm", "content": "答"}]
    name, kind = f"{area}_{number}", "A" if "Correctness" in stars else "B"
    return {"question_uuid": name, "llm_name": model, "type": kind, "dialog": said, "hint": "三年", "stars": stars}


def made(rng: np.random.Generator, area: str) -> list[dict[str, object]]:
    forms = [("Correctness", "Explanation Correctness"), ("Accuracy", "Fluency", "Logicality", "Informativeness")]
    return [
        dialogue(
            area, number, model, {name: int(rng.integers(1, HIGHEST.get(name, 3) + 1)) for name in forms[number % 2]}
        )
        for number in range(8)
        for model in ("gull", "tern")
    ]


def plain_total(rows: list[dict], model: str) -> float:
    """Mean over areas of points reached by points possible, in per cent."""
    areas: dict[str, list[float]] = {}
    for row in rows:
        if row["llm_name"] == model:
            part = areas.setdefault(row["question_uuid"].partition("_")[0], [0.0, 0.0])
            part[0] += sum(row["stars"].values())
            part[1] += sum(HIGHEST.get(name, 3) for name in row["stars"])
    return 100 * float(np.mean([reached / possible for reached, possible in areas.values()]))


async def test_totals_of_both_and_shares_of_differences_are_plain_sums_over_files_of_that_layout(database, tmp_path):
    rng, rows = np.random.default_rng(4), dict[str, list[dict]]()
    files = dict[str, list[Path]]()
    for who in ("human", "gpt"):
        for area in ("Law", "Optics"):
            content = made(rng, area)
            rows.setdefault(who, []).extend(content)
            path = tmp_path / f"{who}-{area}_data.json"
            path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
            files.setdefault(who, []).append(path)
    found = await recomputed(database, files["human"], files["gpt"])
    assert {row.model: (row.people, row.judges) for row in found.sources} == {
        model: pytest.approx([plain_total(rows[who], model) for who in ("human", "gpt")]) for model in ("gull", "tern")
    }
    for criterion, shares in found_shares(found).items():
        name = {"correctness": "Correctness", "explanation": "Explanation Correctness", "logic": "Logicality"}.get(
            criterion.split()[1], criterion.split()[1].capitalize()
        )
        apart = [
            abs(one["stars"][name] - other["stars"][name])
            for one, other in zip(rows["human"], rows["gpt"], strict=True)
            if name in one["stars"]
        ]
        for k, share in shares.items():
            assert share == pytest.approx(np.mean([gap >= int(k[-1]) for gap in apart]))
