"""Costs of evaluations: importing questions, reports on many people and judges, and the next item for annotators."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from arena.adapters.store.engine import Database
from arena.evaluations.store.archived_answers import AnswerFiles
from arena.evaluations.usecases import archive, lifecycle
from arena.evaluations.usecases.generation import plan_answers
from benchmarks.evaluations import annotators as annotators_module
from benchmarks.evaluations import population
from benchmarks.load import service, store
from benchmarks.processes import cpu_seconds, driver, measure_call, peak_mb
from benchmarks.results import Row

T = TypeVar("T")
SQLITE: Final = "sqlite"
CPU: Final = "of processor"
MEMORY: Final = "≤ 500"
MODELS: Final = 100
_CLOSED: Final = datetime(2026, 2, 1, tzinfo=UTC)
Report = Callable[[Database], Coroutine[None, None, float]]
"""Function that makes a report and returns the CPU seconds of this process at its end."""


def measure(
    questions: Annotated[int, typer.Option(min=1, help="Questions to import.")] = 6_000,
    annotations: Annotated[int, typer.Option(min=1, help="Annotations of the report.")] = 1_000_000,
    judgements: Annotated[int, typer.Option(min=1, help="Judgements of the judges' report.")] = 100_000,
    answers: Annotated[int, typer.Option(min=100, help="Answers that move to files.")] = 100_000,
    annotators: Annotated[int, typer.Option(min=1, help="People who annotate at once.")] = 200,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long they annotate.")] = 60.0,
    pause: Annotated[float, typer.Option(min=0, help="Mean seconds that each takes for an item.")] = 5.0,
) -> Iterator[Row]:
    """Time the import of questions, two reports, the move of answers to files, and the next item of many annotators.

    Each has a SQLite file of its own. People take longer than five seconds: they read two answers, and then have three
    seconds to take their word back.
    """
    with store.sqlite() as (folder, url):
        yield _import_row(questions, folder, url)
    for add, report, name, goal in (
        (population.add_judged, _report, f"report over {annotations:,} annotations", "≤ 3"),
        (population.add_judgements, _judges_report, f"judges' report over {judgements:,} judgements", "≤ 1"),
    ):
        with store.sqlite() as (_, url):
            asyncio.run(_fill(url, add, annotations if report is _report else judgements))
            yield from _reports(url, report, name, goal)
    with store.sqlite() as (folder, url):
        yield from _answer_rows(answers, folder, url)
    with store.sqlite() as (folder, url):
        yield from _annotation_rows(annotators, seconds, pause, folder, url)


async def _fill(url: str, add: Callable[..., Coroutine[None, None, T]], *sizes: int) -> T:
    with store.opened(url) as database:
        return await add(database, *sizes)


def _import_row(questions: int, folder: Path, url: str) -> Row:
    file, env = folder / "questions.jsonl", service.settings(folder, url, 1)
    file.write_bytes(population.question_file(questions))
    _, _, cpu = measure_call(lambda: service.run("questions", "import", str(file), env=env))
    return Row(SQLITE, f"{questions:,} questions imported", cpu, "s", "≤ 5", CPU)


def _reports(url: str, report: Report, name: str, goal: str) -> Iterator[Row]:
    with ProcessPoolExecutor(1, get_context("spawn")) as child:
        first, repeat, memory = child.submit(_report_twice, url, report).result()
    yield Row(SQLITE, f"{name}, first of a process", first, "s", "", f"{CPU}, imports included")
    yield Row(SQLITE, name, repeat, "s", goal, CPU)
    yield Row(SQLITE, f"{name}: memory of the process", memory, "MB", MEMORY)


def _answer_rows(answers: int, folder: Path, url: str) -> Iterator[Row]:
    """Measure the start of a resumed run, and the move of answers to files and back."""
    asyncio.run(_fill(url, population.add_answered, answers, MODELS))
    files = AnswerFiles(folder / "answers")
    with ProcessPoolExecutor(1, get_context("spawn")) as child:
        resume_seconds, move_seconds, restore_seconds, memory = child.submit(_moved_and_back, url, files).result()
    name = f"{answers:,} answers of {MODELS} models"
    yield Row(SQLITE, f"{name}: what is left of a run", resume_seconds, "s", "", CPU)
    size = sum(path.stat().st_size for path in folder.glob("bench.db*")) / answers
    yield Row(SQLITE, f"{name}: moved to files", move_seconds, "s", "", CPU)
    yield Row(SQLITE, f"{name}: put back", restore_seconds, "s", "", CPU, {"database_bytes_each": size})
    yield Row(SQLITE, f"{name}: memory of the process", memory, "MB", MEMORY)


def _moved_and_back(url: str, files: AnswerFiles) -> tuple[float, float, float, float]:
    """CPU seconds to plan the rest of a run, to move all answers and to restore them; and peak memory in MB."""
    with store.opened(url) as database:
        return (*asyncio.run(_archive(database, files)), peak_mb())


async def _archive(database: Database, files: AnswerFiles) -> tuple[float, float, float]:
    start = cpu_seconds()
    await database.read(plan_answers, population.NAME, retry=False)
    resume_seconds = cpu_seconds() - start
    await lifecycle.close_evaluation(database, population.NAME, _CLOSED)
    close_time = cpu_seconds()
    await archive.archive_due(database, files, _CLOSED + timedelta(days=1))
    move_time = cpu_seconds()
    await archive.restore(database, files, population.NAME, _CLOSED)
    return resume_seconds, move_time - close_time, cpu_seconds() - move_time


def _annotation_rows(people: int, seconds: float, pause: float, folder: Path, url: str) -> Iterator[Row]:
    items = 2 * round(people * seconds / pause) + 2 * people
    links = asyncio.run(_fill(url, population.add_open, items, people))
    with service.serving(service.settings(folder, url, 1)) as server, driver(annotators_module) as crowd:
        start_cpu = server.cost().cpu
        crowd.send(json.dumps(asdict(annotators_module.Workload(server.port, links, seconds, pause))))
        report = crowd.report()
        cpu = server.cost().cpu - start_cpu
    name, statuses = f"{people} annotators", report["statuses"]
    rate, requests = report["items"] / seconds, sum(statuses.values())
    yield Row(SQLITE, f"{name}: next item, p95", report["item"]["p95"], "ms", "≤ 100", str(statuses), report["item"])
    yield Row(SQLITE, f"{name}: judgement kept, p95", report["kept"]["p95"], "ms", figures={"per_second": rate})
    yield Row(SQLITE, f"{name}: server CPU", 100 * cpu / seconds, "%")
    cost = 1e3 * cpu / max(1, requests)
    yield Row(SQLITE, f"{name}: server CPU per request", cost, "ms", figures={"requests": requests})


def _report_twice(url: str, report: Report) -> tuple[float, float, float]:
    """CPU seconds of the first and of the second report of this process, and its peak memory in MB."""
    start = cpu_seconds()
    with store.opened(url) as database:
        first = asyncio.run(report(database)) - start
        repeat = asyncio.run(report(database)) - start - first
    return first, repeat, peak_mb()


async def _report(database: Database) -> float:
    from arena.evaluations.usecases.reports.report import report  # its import is measured

    await report(database, population.NAME)
    return cpu_seconds()


async def _judges_report(database: Database) -> float:
    from arena.evaluations.usecases.judges.judges_report import judges_report  # its import is measured

    await judges_report(database, population.NAME)
    return cpu_seconds()
