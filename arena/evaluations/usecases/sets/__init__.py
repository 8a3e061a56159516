"""Sets of questions: read from files of several sources, kept as versions that never change, and given out again.

Each name is imported at its first use: a list of sets needs no reader of files.
"""

from typing import TYPE_CHECKING, Final

from arena.domain.first_use import first_use

if TYPE_CHECKING:
    from arena.evaluations.usecases.sets import conversion_reviews, question_drafts
    from arena.evaluations.usecases.sets.importer import SetImport, import_set
    from arena.evaluations.usecases.sets.prompt_ideas import ideas
    from arena.evaluations.usecases.sets.reader import ReadSet, Refusal, read_set
    from arena.evaluations.usecases.sets.sampling import sample_set
    from arena.evaluations.usecases.sets.sets import compare, export, listed, page, publish, question, record
    from arena.evaluations.usecases.sets.shipped import import_shipped, settle_shipped

_MODULES: Final = {
    "conversion_reviews": "",
    "question_drafts": "",
    "prompt_ideas": "ideas",
    "importer": "SetImport import_set",
    "reader": "ReadSet Refusal read_set",
    "sampling": "sample_set",
    "sets": "compare export listed page publish question record",
    "shipped": "import_shipped settle_shipped",
}

__all__ = (
    "ReadSet",
    "Refusal",
    "SetImport",
    "compare",
    "conversion_reviews",
    "export",
    "ideas",
    "import_set",
    "import_shipped",
    "listed",
    "page",
    "publish",
    "question",
    "question_drafts",
    "read_set",
    "record",
    "sample_set",
    "settle_shipped",
)

__getattr__ = first_use(__name__, _MODULES)
