"""A classifier of questions, trained on labels by people, and measured on held-out sources.

Scikit-learn's linear SVM on character n-grams of the prompts. It generalises badly to other sources, so its accuracy is
measured for each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.store import labels
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.errors import Invalid
from arena.domain.labels.confusion import Confusion, confusion
from arena.domain.schemas.questions import SetFactsView
from arena.evaluations.domain.questions import lines
from arena.evaluations.usecases.sets.importer import questions_of
from arena.evaluations.usecases.sets.sets import set_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.evaluations.domain.terms import Level

    Lessons = list[tuple[str, str]]
    """Prompts with their labels by people."""

MIN_ACCURACY: Final = 0.6
"""Least accuracy on a held-out source for a classifier that labels questions."""
LONGEST: Final = 600
"""Most characters of a prompt that are used."""
_FOLDS: Final = 5
_LEAST_LABELS: Final = 20
"""Fewest labels of a source."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Result of a classifier trained on `trained_on` on the labels of a source, `right` of them equal to people's."""

    source: str
    trained_on: str
    labels: list[str]
    questions: int
    right: int
    confusion: Confusion

    @property
    def share(self) -> float:
        """The share of right labels."""
        return self.right / self.questions


async def measure(database: Database, sources: Sequence[str], samples: Sequence[str], by: Level) -> list[HeldOut]:
    """Measure accuracy on each source when it is held out, and by five-fold cross-validation within it.

    Sources are sets of questions with names at the level `by`, and samples that people have labelled at `/operator`.

    Raises:
        QuestionSetNotFound: There is no such set.
        Invalid: A source has too few labels, or scikit-learn is missing.
    """
    return held_out(await _sources(database, sources, samples, by))


async def place(
    database: Database, name: str, sources: Sequence[str], samples: Sequence[str], by: Level
) -> tuple[list[bytes], int]:
    """The file of a set with labels for questions without one, to be corrected and imported, and their number.

    Raises:
        QuestionSetNotFound: There is no such set.
        Invalid: A source has too few labels, every question has a label, or scikit-learn is missing.
    """
    lessons = [pair for pairs in (await _sources(database, sources, samples, by)).values() for pair in pairs]
    return await _sort_questions(database, name, lessons, by)


def held_out(sources: dict[str, Lessons]) -> list[HeldOut]:
    """Measure each source by a classifier of the other sources, if there are any, and by cross-validation."""
    results: list[HeldOut] = []
    for source, source_pairs in sources.items():
        other_pairs = [pair for name, pairs in sources.items() if name != source for pair in pairs]
        if other_pairs:
            results.append(_held_out(source, "others", [(other_pairs, source_pairs)]))
        sample = Random(1).sample(source_pairs, len(source_pairs))
        folds = [sample[start::_FOLDS] for start in range(_FOLDS)]
        parts = [([pair for part in folds if part is not fold for pair in part], fold) for fold in folds]
        results.append(_held_out(source, "itself", parts))
    return results


def guesses(lessons: Lessons, prompts: Sequence[str]) -> list[str]:
    """Labels of prompts by a classifier trained on prompts with labels.

    Raises:
        Invalid: Scikit-learn is missing.
    """
    names = {label for _, label in lessons}
    if len(names) == 1:
        return [*names] * len(prompts)
    try:
        words, model = import_module("sklearn.feature_extraction.text"), import_module("sklearn.svm")
    except ModuleNotFoundError:
        raise Invalid("A classifier needs scikit-learn: install the extra battle-arena[classifier].") from None
    letters: Any = words.TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 3), sublinear_tf=True)
    classifier: Any = model.LinearSVC(C=0.5, class_weight="balanced", random_state=0)
    classifier.fit(letters.fit_transform([text for text, _ in lessons]), [label for _, label in lessons])
    return list(map(str, classifier.predict(letters.transform(list(prompts)))))


def _held_out(source: str, trained_on: str, parts: Iterable[tuple[Lessons, Lessons]]) -> HeldOut:
    pairs = [
        (label, guess)
        for lessons, test_pairs in parts
        for (_, label), guess in zip(test_pairs, guesses(lessons, [text for text, _ in test_pairs]), strict=True)
    ]
    names = sorted({label for pair in pairs for label in pair})
    matrix = confusion(names, [([label], [guess]) for label, guess in pairs])
    return HeldOut(source, trained_on, names, len(pairs), sum(label == guess for label, guess in pairs), matrix)


@read_transaction
def _sources(session: Session, sources: Sequence[str], samples: Sequence[str], by: Level) -> dict[str, Lessons]:
    results = {name: _of_set(session, name, by) for name in sources}
    results |= {f"sample of {name}": _of_sample(session, name) for name in samples}
    if not results:
        raise Invalid("A classifier learns from at least one source: --from a set, or --labels of a sample.")
    for name, pairs in results.items():
        if len(pairs) < _LEAST_LABELS:
            raise Invalid(
                f"{name} has {len(pairs)} labels by people; a classifier learns from {_LEAST_LABELS} or more."
            )
    return results


def _of_set(session: Session, name: str, by: Level) -> Lessons:
    questions = questions_of(session, set_row(session, name, None))
    return [(_text(question.turns), label) for question in questions if (label := getattr(question, by))]


def _of_sample(session: Session, name: str) -> Lessons:
    """Prompts and first label of the last labelling of each item."""
    rows, readings = labels.sample(session, name), labels.readings(session, name)
    texts = [(row, values[-1][2]) for row in rows if (values := readings.get(row.number))]
    return [
        (_text(prompts), values[0])
        for row, values in texts
        if values and (prompts := labels.sample_prompts(session, row))
    ]


@read_transaction
def _sort_questions(session: Session, name: str, lessons: Lessons, by: Level) -> tuple[list[bytes], int]:
    row = set_row(session, name, None)
    questions = questions_of(session, row)
    unlabelled_questions = [question for question in questions if not getattr(question, by)]
    if not unlabelled_questions:
        raise Invalid(f"Every question of {name} has its {by} already.")
    values = guesses(lessons, [_text(question.turns) for question in unlabelled_questions])
    places = {question.id: value for question, value in zip(unlabelled_questions, values, strict=True)}
    questions_with_places = [
        question.model_copy(update={by: places.get(question.id, getattr(question, by))}) for question in questions
    ]
    return list(lines(SetFactsView.model_validate(row), questions_with_places)), len(unlabelled_questions)


def _text(turns: Sequence[str]) -> str:
    return "\n".join(turns)[:LONGEST]
