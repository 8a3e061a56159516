"""`arena evaluations run` dies by `kill -9` again and again: what was answered is kept, once, and not asked again."""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from dataclasses import dataclass

import pytest
from sqlalchemy import select

from arena.adapters.store import budgets, questions
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import Use
from arena.evaluations.store import evaluations as stored
from tests.conftest import NAMES, add_endpoints
from tests.evaluations.usecases.populated import add_evaluation
from tests.processes import PATIENCE, Process
from tests.usecases.endpoints.probes.vendor import ReceivedRequest, Vendor, good_stream

AT_ONCE = 2
IN_FLIGHT = AT_ONCE * len(NAMES)
"""Most questions on which a kill can come."""

Place = tuple[str, str]
"""A model and its prompt."""


@dataclass(frozen=True)
class Size:
    """A run is killed once it has asked so many questions, `seconds` after its first one or later."""

    questions: int
    asked: int
    seconds: float
    pause: float


SIZES = [
    pytest.param(Size(10, 2 * IN_FLIGHT, 0, 0.05), id="small"),
    pytest.param(Size(1_000, 2 * IN_FLIGHT, 10, 0.2), id="full", marks=pytest.mark.heavy),
]


def place(asked: ReceivedRequest) -> Place:
    content = json.loads(asked.body)
    return content["model"], content["messages"][-1]["content"]


def said(prompt: str) -> str:
    return f"This answers {prompt}"


def scripted_endpoint(pause: float) -> Vendor:
    """It answers each question in words of its own, and takes its time."""
    vendor = Vendor()
    vendor.faulty = lambda asked: good_stream(vendor.dialect, said(place(asked)[1]), pause=pause)
    return vendor


def add_private(session, url: str) -> None:
    """Two models of a server on this machine."""
    add_endpoints(session)
    session.flush()
    for row in session.scalars(select(EndpointRow)):
        row.dialect, row.url, row.private = "openai_chat", url, True
        budgets.allow(session, row.id, Use.EVALUATIONS, None)


def kept(session) -> dict[Place, list[str]]:
    """The texts of all answers that are stored; a second row or a failure is an error."""
    models = {each.id: each.name for each in stored.models(session, 1)}
    prompts = {each.id: each.body["turns"][0] for each in questions.list_all(session, 1)}
    rows = stored.answers(session, 1)
    assert {row.fault for row in rows} <= {None}
    found = {(models[row.model_id], prompts[row.question_id]): row.texts for row in rows}
    assert len(found) == len(rows)
    return found


async def killed_once(runner: Process, vendor: Vendor, size: Size) -> bool:
    """Run it until it is killed, or comes to its end before that."""
    before, clock, first = len(vendor.posted), asyncio.get_running_loop().time, math.inf
    await asyncio.to_thread(runner.start)
    async with asyncio.timeout(PATIENCE):
        while (asked := len(vendor.posted) - before) < size.asked or clock() - first < size.seconds:
            # Until then the process starts, which takes as long as the machine is busy.
            first = min(first, clock()) if asked else first
            if runner.process.poll() is not None:
                assert runner.process.returncode == 0, runner.log.read_text()
                return False
            await asyncio.sleep(0.01)
    await asyncio.to_thread(runner.kill)
    return True


@pytest.mark.parametrize("size", SIZES)
async def test_a_run_that_is_killed_again_and_again_loses_and_repeats_no_answer(
    size, url, database, process, record_property
):
    asked = [QuestionView(id=f"q{number}", turns=[f"Question {number}?"]) for number in range(size.questions)]
    runs: list[dict[Place, int]] = []
    async with scripted_endpoint(size.pause).listening() as vendor:
        await database.write(add_private, vendor.url)
        await add_evaluation(database, questions=asked)
        runner = process("evaluations", "run", "taste", "--at-once", str(AT_ONCE), ARENA_DATABASE_URL=url)
        while await killed_once(runner, vendor, size):
            counts = Counter(map(place, vendor.posted))
            runs.append({each: counts[each] for each in await database.read(kept)})
            assert counts.total() - len(runs[-1]) <= IN_FLIGHT * len(runs)
    answers, counts = await database.read(kept), Counter(map(place, vendor.posted))
    assert answers == {(name, each.turns[0]): [said(each.turns[0])] for name in NAMES for each in asked}
    # What was stored when a run was killed was never asked again; what was in flight may have been, once for each kill.
    assert [{each: counts[each] for each in run} for run in runs] == runs
    assert counts.total() - len(answers) <= IN_FLIGHT * len(runs)
    assert len(runs) >= 2
    record_property("kills", len(runs))
    record_property("asked again", counts.total() - len(answers))
