"""Results of commands that call models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.terminal.tables import show_json

if TYPE_CHECKING:
    from arena.evaluations.usecases.generation import ModelRun


def show_runs(runs: list[ModelRun], *, json: bool) -> None:
    """Print the numbers of calls of each model that are done, failed (by kind of fault) and left."""
    if json:
        show_json(runs)
        return
    from arena.usecases.endpoints.probes import diagnostics
    from arena_providers import errors

    for model in runs:
        detail = f"; stopped: {model.stopped}" if model.stopped else ""
        faults = ", ".join(f"{fault} {count}" for fault, count in sorted(model.faults.items()))
        failed = f"{model.failed} failed{f' ({faults})' if faults else ''}"
        print(f"{model.name}: {model.done} done, {failed}, {model.left} left{detail}.")
        if errors.NOT_ALLOWED in model.faults:
            print(f"{model.name}: {diagnostics.TITLES[errors.NOT_ALLOWED]}")
