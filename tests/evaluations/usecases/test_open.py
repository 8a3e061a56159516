"""OPEN on the public sets: candidates against a baseline, judged by an endpoint in both orders, turn by turn.

`uv run pytest -n 0 -m heavy tests/evaluations/usecases/test_open.py` asks and judges the whole sets.
"""

from __future__ import annotations

import pytest

from arena.evaluations.store import judgements
from arena.evaluations.usecases import definition, generation
from arena.evaluations.usecases.definition import NewEvaluation
from arena.evaluations.usecases.judges import judging
from arena.evaluations.usecases.judges.judges_report import judges_report
from arena.evaluations.usecases.judges.judging_plan import JudgingRequest
from arena.evaluations.usecases.sets import importer, reader
from tests.conftest import NAMES, START, add_endpoints
from tests.evaluations.usecases.populated import caller
from tests.evaluations.usecases.sets.files import real
from tests.evaluations.usecases.test_judging import Referee, add_judge
from tests.scripted import ScriptedAnswer

SETS = {"mt_bench.jsonl": (80, 160), "arena_hard_v2.jsonl": (750, 750)}
"""Questions and turns of each."""


def longer(prompt: str) -> str:
    """The verdict of a judge that prefers the candidate's answer wherever it stands."""
    return "[[A>>B]]" if 0 <= prompt.find("LONG") < prompt.find("SHORT") else "[[B>>A]]"


@pytest.mark.sqlite
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("most", [4, pytest.param(None, marks=pytest.mark.heavy)])
async def test_a_public_set_runs_from_its_file_to_the_win_and_tie_rate(database, scripted, name, most, record_property):
    file = reader.read_set([real(name)], {})
    asked, (questions, turns) = file.questions[:most], SETS[name]
    assert (len(file.questions), file.refused) == (questions, [])
    assert sum(len(each.turns) for each in file.questions) == turns
    await database.write(add_endpoints)
    await database.write(lambda session: add_judge(session, "referee"))
    for model, text in zip(NAMES, ("A LONG answer", "A SHORT answer"), strict=True):
        scripted.parts[model] = ScriptedAnswer(pieces=[text])
    await importer.import_set(database, file.facts.model_copy(update={"name": "ours"}), asked, START)
    new = NewEvaluation("open", "ours", "pairwise", models=[NAMES[0]], baseline=NAMES[1])
    await definition.create(database, new, START)
    referee = Referee(scripted, longer)
    means = caller(database, referee)
    await generation.generate(means, "open", at_once=8)
    (run,) = await judging.judge(means, "open", JudgingRequest(("referee",), "grades", baseline=NAMES[1]), at_once=8)
    said = sum(len(each.turns) for each in asked)
    assert (run.done, run.failed, run.left, run.stopped) == (2 * said, 0, 0, "")
    rows = await database.read(lambda session: list(judgements.all_rows(session, 1)))
    assert len(rows) == len(referee.asked) == 2 * said
    (report,) = (await judges_report(database, "open")).judges
    candidate = next(each for each in report.models if each.name == NAMES[0])
    assert (report.flips.value, candidate.wins, candidate.losses, candidate.first_turn.value) == (0, said, 0, 1)
    assert candidate.later_turns.n == said - len(asked)
    record_property("judgements", len(rows))
