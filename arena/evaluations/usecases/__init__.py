"""Evaluations: questions answered by models and judged by people under a protocol; what they say is never a vote.

`report` is a module of its own, as it alone needs the rating library. Each name is imported at its first use: a command
that lists takes a second less than one that calls models.
"""

from typing import TYPE_CHECKING, Final

from arena.domain.first_use import first_use

if TYPE_CHECKING:
    from arena.evaluations.usecases.archive import archive_due, restore
    from arena.evaluations.usecases.definition import NewEvaluation, create
    from arena.evaluations.usecases.generation import ModelRun, generate
    from arena.evaluations.usecases.importer import Imported, import_file
    from arena.evaluations.usecases.judges.judging import judge
    from arena.evaluations.usecases.judges.judging_plan import NewJudging
    from arena.evaluations.usecases.lifecycle import close_evaluation, lacking, open_evaluation
    from arena.evaluations.usecases.likelihood import LikelihoodRun, measure_likelihood, run_models
    from arena.evaluations.usecases.people.annotations import annotate, items, undo
    from arena.evaluations.usecases.people.annotators import (
        AnnotatorState,
        Invited,
        invite,
        join,
        revoke,
        states,
        take_back,
    )
    from arena.evaluations.usecases.people.redistribution import Thresholds, below, redistribute
    from arena.evaluations.usecases.published_reports import published_judges, published_predictions
    from arena.evaluations.usecases.reports.export import export
    from arena.evaluations.usecases.revision import change
    from arena.evaluations.usecases.views import (
        as_csv,
        every,
        listed,
        progress,
        record,
        shown,
    )

_MODULES: Final = {
    "archive": "archive_due restore",
    "definition": "NewEvaluation create",
    "generation": "ModelRun generate",
    "importer": "Imported import_file",
    "judges.judging": "judge",
    "judges.judging_plan": "NewJudging",
    "lifecycle": "close_evaluation lacking open_evaluation",
    "likelihood": "LikelihoodRun measure_likelihood run_models",
    "people.annotations": "annotate items undo",
    "people.annotators": "AnnotatorState Invited invite join revoke states take_back",
    "people.redistribution": "Thresholds below redistribute",
    "published_reports": "published_judges published_predictions",
    "reports.export": "export",
    "revision": "change",
    "views": "as_csv every listed progress record shown",
}

__all__ = (
    "AnnotatorState",
    "Imported",
    "Invited",
    "LikelihoodRun",
    "ModelRun",
    "NewEvaluation",
    "NewJudging",
    "Thresholds",
    "annotate",
    "archive_due",
    "as_csv",
    "below",
    "change",
    "close_evaluation",
    "create",
    "every",
    "export",
    "generate",
    "import_file",
    "invite",
    "items",
    "join",
    "judge",
    "lacking",
    "listed",
    "measure_likelihood",
    "open_evaluation",
    "progress",
    "published_judges",
    "published_predictions",
    "record",
    "redistribute",
    "restore",
    "revoke",
    "run_models",
    "shown",
    "states",
    "take_back",
    "undo",
)

__getattr__ = first_use(__name__, _MODULES)
