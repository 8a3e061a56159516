"""Evaluations: questions answered by models and judged by people under a protocol; what they say is never a vote.

`report` is a module of its own, as it alone needs the rating library.
"""

from arena.usecases.evaluations.annotations import annotate, items, undo
from arena.usecases.evaluations.annotators import AnnotatorState, invite, join, revoke, states, take_back
from arena.usecases.evaluations.archive import archive_due, restore
from arena.usecases.evaluations.changes import change, every
from arena.usecases.evaluations.definition import NewEvaluation, create
from arena.usecases.evaluations.export import export
from arena.usecases.evaluations.generation import ModelRun, generate
from arena.usecases.evaluations.importer import Imported, import_file
from arena.usecases.evaluations.judging import judge
from arena.usecases.evaluations.judging_material import NewJudging
from arena.usecases.evaluations.likelihood import LikelihoodRun, likelihood, run_models
from arena.usecases.evaluations.opening import close_evaluation, open_evaluation
from arena.usecases.evaluations.progress import ModelProgress, Progress, listed, progress
from arena.usecases.evaluations.public import judges, predictors, record, shown
from arena.usecases.evaluations.report_csv import as_csv
from arena.usecases.evaluations.thresholds import Thresholds, below, redistribute

__all__ = (
    "AnnotatorState",
    "Imported",
    "LikelihoodRun",
    "ModelProgress",
    "ModelRun",
    "NewEvaluation",
    "NewJudging",
    "Progress",
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
    "judges",
    "likelihood",
    "listed",
    "open_evaluation",
    "predictors",
    "progress",
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
