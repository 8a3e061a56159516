"""Sets of questions: read from files of several sources, kept as versions that never change, and given out again."""

from arena.evaluations.usecases.sets.ideas import ideas
from arena.evaluations.usecases.sets.importer import SetImport, import_set
from arena.evaluations.usecases.sets.reader import ReadSet, Refusal, read_set
from arena.evaluations.usecases.sets.sampling import sample_set
from arena.evaluations.usecases.sets.sets import compare, export, listed, page, publish, question, record
from arena.evaluations.usecases.sets.shipped import import_shipped, settle_shipped

__all__ = (
    "ReadSet",
    "Refusal",
    "SetImport",
    "compare",
    "export",
    "ideas",
    "import_set",
    "import_shipped",
    "listed",
    "page",
    "publish",
    "question",
    "read_set",
    "record",
    "sample_set",
    "settle_shipped",
)
