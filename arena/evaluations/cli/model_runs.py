"""Results of commands that call models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.cli.terminal.tables import show_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.evaluations.usecases.generation import ModelRun
    from arena.evaluations.usecases.judges.judging_plan import JudgeRun

_UNREADABLE: Final = (
    "Judgements are never replaced, so that nobody can ask until the verdict suits: {name} keeps these, and the "
    "report counts them as unreadable. Mend it, add it by another name (`arena endpoints add`), and judge by that."
)


def show_runs(runs: Sequence[ModelRun], *, json: bool) -> None:
    """Print the numbers of calls of each model that are done, failed (by kind of fault) and left."""
    if json:
        show_json(runs)
        return
    from arena.usecases.endpoints.probes import diagnostics
    from arena_providers import errors

    for model in runs:
        detail = f"; stopped: {model.stopped.rstrip('.')}" if model.stopped else ""
        faults = ", ".join(f"{fault} {count}" for fault, count in sorted(model.faults.items()))
        failed = f"{model.failed} failed{f' ({faults})' if faults else ''}"
        print(f"{model.name}: {model.done_part()}, {failed}, {model.left} left{detail}.")
        if errors.NOT_ALLOWED in model.faults:
            print(f"{model.name}: {diagnostics.TITLES[errors.NOT_ALLOWED]}")


def print_notes(runs: Sequence[JudgeRun]) -> None:
    """Print what to do about unreadable verdicts, what each judge does not judge, and what to do if that is all."""
    from arena.evaluations.domain.judges.relations import describe_related

    for run in runs:
        if run.unreadable:
            print(_UNREADABLE.format(name=run.name))
        if run.related:
            print(describe_related(run.name, run.related))
        if run.related and not (run.done or run.failed or run.left):
            print(f"So {run.name} has nothing to judge: take a judge of another family and owner.")
