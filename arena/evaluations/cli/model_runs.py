"""Results of commands that call models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.json_output import show_json

if TYPE_CHECKING:
    from arena.evaluations.usecases import ModelRun


def show_runs(runs: list[ModelRun], *, json: bool) -> None:
    """Print how many calls each model has answered, and how many are left."""
    if json:
        show_json([{"name": each.name, "done": each.done, "failed": each.failed, "left": each.left} for each in runs])
        return
    for each in runs:
        why = f"; stopped: {each.stopped}" if each.stopped else ""
        print(f"{each.name}: {each.done} done, {each.failed} failed, {each.left} left{why}.")
