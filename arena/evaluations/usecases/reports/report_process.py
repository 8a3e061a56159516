"""A report computed in a separate process, as the rating library takes 180 MB and a second to import."""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from typing import Any

from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database, open_database
from arena.evaluations.domain.schemas.evaluation_reports import EvaluationReportView


async def report_apart(database: Database, name: str) -> EvaluationReportView:
    """Compute the report of an evaluation in a new process.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    url = await database.read(_url)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        content = await asyncio.get_running_loop().run_in_executor(executor, _compute, url, name)
    return EvaluationReportView.model_validate(content)


def _url(session: Session) -> str:
    bind: Any = session.get_bind()
    return bind.url.render_as_string(hide_password=False)


def _compute(url: str, name: str) -> dict[str, object]:
    compute = import_module("arena.evaluations.usecases.reports.report").report
    database = open_database(url)
    try:
        return asyncio.run(compute(database, name)).model_dump(mode="json")
    finally:
        database.close()
