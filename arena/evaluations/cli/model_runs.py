"""Results of commands that call models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.terminal.tables import show_json

if TYPE_CHECKING:
    from arena.evaluations.usecases.generation import ModelRun


def show_runs(runs: list[ModelRun], *, json: bool) -> None:
    """Print the numbers of calls of each model that are done, failed and left."""
    if json:
        show_json(runs)
        return
    for model in runs:
        detail = f"; stopped: {model.stopped}" if model.stopped else ""
        print(f"{model.name}: {model.done} done, {model.failed} failed, {model.left} left{detail}.")
