"""Costs of evaluations: importing questions, reports on many people and judges, and the next item for annotators."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from arena.adapters.store.engine import Database, open_database
from arena.evaluations import usecases as evaluations
from arena.evaluations.store.answer_files import AnswerFiles
from arena.evaluations.usecases.generation import plan_answers
from benchmarks.evaluations import annotators, population
from benchmarks.jobs import peak_mb
from benchmarks.load import databases, service
from benchmarks.load.drivers import driver
from benchmarks.load.load_rows import Row

SQLITE: Final = "sqlite"
_CLOSED: Final = datetime(2026, 2, 1, tzinfo=UTC)
IMPORT: Final = 5.0
REPORT: Final = 3.0
JUDGED: Final = 1.0
MEMORY: Final = 500.0
NEXT_ITEM: Final = 100.0
"""Goals in seconds, MB and milliseconds."""
Report = Callable[[Database], Coroutine[None, None, float]]
"""Makes a report and returns the processor's seconds then."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes of a run; an annotator takes `pause` seconds for an item, as a mean.

    Five seconds are less than people take, who read two answers and then have three seconds to take their word back.
    """

    questions: int = 6_000
    annotations: int = 1_000_000
    judgements: int = 100_000
    answers: int = 100_000
    models: int = 100
    annotators: int = 200
    seconds: float = 60.0
    pause: float = 5.0


def measure(plan: Plan) -> Iterator[Row]:
    """Measure all in turn, each on a SQLite file of its own."""
    for part in (_imported, _reported, _judged, _answered, _annotated):
        with tempfile.TemporaryDirectory() as folder, databases.sqlite(Path(folder)) as url:
            yield from part(plan, Path(folder), url)


def _imported(plan: Plan, folder: Path, url: str) -> Iterator[Row]:
    file, env = folder / "questions.jsonl", service.settings(folder, url, 1)
    file.write_bytes(population.question_file(plan.questions))
    before = _processor()
    service.run("questions", "import", str(file), env=env)
    yield Row(SQLITE, f"{plan.questions:,} questions imported", _processor() - before, "s", IMPORT, "of processor")


def _reported(plan: Plan, _folder: Path, url: str) -> Iterator[Row]:
    asyncio.run(_filled(url, plan.annotations))
    yield from _told(url, _report, f"report over {plan.annotations:,} annotations", REPORT)


def _judged(plan: Plan, _folder: Path, url: str) -> Iterator[Row]:
    asyncio.run(_filled_by_judges(url, plan.judgements))
    yield from _told(url, _judges_report, f"judges' report over {plan.judgements:,} judgements", JUDGED)


def _told(url: str, report: Report, what: str, goal: float) -> Iterator[Row]:
    with ProcessPoolExecutor(1, get_context("spawn")) as child:
        first, again, memory = child.submit(_report_twice, url, report).result()
    yield Row(SQLITE, f"{what}, first of a process", first, "s", None, "of processor, imports included")
    yield Row(SQLITE, what, again, "s", goal, "of processor")
    yield Row(SQLITE, f"{what}: memory of the process", memory, "MB", MEMORY)


def _answered(plan: Plan, folder: Path, url: str) -> Iterator[Row]:
    """Measure what a run that goes on reads, and answers that move to files and come back."""
    asyncio.run(_with_answers(url, plan))
    files = AnswerFiles(folder / "answers")
    with ProcessPoolExecutor(1, get_context("spawn")) as child:
        resumed, moved, back, memory = child.submit(_moved_and_back, url, files).result()
    what = f"{plan.answers:,} answers of {plan.models} models"
    yield Row(SQLITE, f"{what}: what is left of a run", resumed, "s", None, "of processor")
    size = sum(path.stat().st_size for path in folder.glob("bench.db*")) / plan.answers
    yield Row(SQLITE, f"{what}: moved to files", moved, "s", None, "of processor")
    yield Row(SQLITE, f"{what}: put back", back, "s", None, f"of processor; {size:,.0f} bytes of database for each")
    yield Row(SQLITE, f"{what}: memory of the process", memory, "MB", MEMORY)


async def _with_answers(url: str, plan: Plan) -> None:
    with closing(open_database(url)) as database:
        await population.add_answered(database, plan.answers, plan.models)


def _moved_and_back(url: str, files: AnswerFiles) -> tuple[float, float, float, float]:
    """Processor seconds to find what is left of a run, to move all answers and to put them back; memory in MB."""
    with closing(open_database(url)) as database:
        return (*asyncio.run(_archive(database, files)), peak_mb())


async def _archive(database: Database, files: AnswerFiles) -> tuple[float, float, float]:
    start = _processor()
    await database.read(plan_answers, population.NAME, retry=False)
    resumed = _processor() - start
    await evaluations.close_evaluation(database, population.NAME, _CLOSED, None)
    closed = _processor()
    await evaluations.archive_due(database, files, _CLOSED + timedelta(days=1))
    moved = _processor()
    await evaluations.restore(database, files, population.NAME, _CLOSED)
    return resumed, moved - closed, _processor() - moved


def _annotated(plan: Plan, folder: Path, url: str) -> Iterator[Row]:
    items = 2 * round(plan.annotators * plan.seconds / plan.pause) + 2 * plan.annotators
    links = asyncio.run(_opened(url, items, plan.annotators))
    with service.serving(service.settings(folder, url, 1)) as served, driver(annotators) as people:
        before = served.cost().cpu
        people.send(json.dumps(asdict(annotators.Workload(served.port, links, plan.seconds, plan.pause))))
        found = people.report()
        spent = served.cost().cpu - before
    what = f"{plan.annotators} annotators"
    rate, requests = found["items"] / plan.seconds, sum(found["statuses"].values())
    note = f"p50 {found['item']['p50']:.1f} ms, p99 {found['item']['p99']:.1f} ms; {found['statuses']}"
    yield Row(SQLITE, f"{what}: next item, p95", found["item"]["p95"], "ms", NEXT_ITEM, note)
    yield Row(SQLITE, f"{what}: judgement kept, p95", found["kept"]["p95"], "ms", None, f"{rate:.1f} a second")
    yield Row(SQLITE, f"{what}: server CPU", 100 * spent / plan.seconds, "%")
    yield Row(SQLITE, f"{what}: server CPU per request", 1e3 * spent / max(1, requests), "ms", None, f"{requests:,}")


async def _filled(url: str, number: int) -> None:
    with closing(open_database(url)) as database:
        await population.add_judged(database, number)


async def _filled_by_judges(url: str, number: int) -> None:
    with closing(open_database(url)) as database:
        await population.add_judgements(database, number)


async def _opened(url: str, items: int, people: int) -> list[str]:
    with closing(open_database(url)) as database:
        return await population.add_open(database, items, people)


def _report_twice(url: str, report: Report) -> tuple[float, float, float]:
    """Processor seconds of the first report of this process and of the next, and its peak of memory in MB."""
    start = _processor()
    with closing(open_database(url)) as database:
        first = asyncio.run(report(database)) - start
        again = asyncio.run(report(database)) - start - first
    return first, again, peak_mb()


async def _report(database: Database) -> float:
    from arena.evaluations.usecases.reports.report import report  # noqa: PLC0415 - its import is measured

    await report(database, population.NAME)
    return _processor()


async def _judges_report(database: Database) -> float:
    from arena.evaluations.usecases.reports.judges import judges_report  # noqa: PLC0415 - its import is measured

    await judges_report(database, population.NAME)
    return _processor()


def _processor() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
