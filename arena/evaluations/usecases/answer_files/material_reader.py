"""Reader of files with questions and finished answers, merged: every question once, with all its answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from unicodedata import normalize

from arena.adapters.row_files.rows import Refusal, Unusable, shown
from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.usecases.answer_files.entries import Entry, FileAnswer, Line
from arena.evaluations.usecases.answer_files.material import Material, MaterialAnswer
from arena.evaluations.usecases.answer_files.material_process import MaterialPart
from arena.evaluations.usecases.answer_files.registry import entries
from arena.evaluations.usecases.sets.formats.fields import Unused, name_by_content
from arena.evaluations.usecases.sets.formats.registry import UnknownFormat
from arena.evaluations.usecases.sets.reader import ReadSet, bounded, facts_of_set, question_of, read_set
from arena.evaluations.usecases.sets.refusals import MAX_REFUSALS, no_question

NAME_LIMIT: Final = 80
"""Most characters of a model's name."""
_FORMATS: Final = (
    "Read are questions (one a line as .txt, or a field question or prompt, as MT-bench, Arena-Hard and others have it)"
    " and finished answers (question, model and answer; tables with a column for each model; logs of Inspect and"
    " promptfoo; outputs of AlpacaEval; answers of Arena-Hard and MT-bench)."
)
LONGEST_SUFFIX: Final = 24
"""Most characters of a file's name that is appended to a model's; longer ones are replaced by a number."""


def read_material(paths: Sequence[Path], name: str, *, wide: bool, limit: int = sys.maxsize) -> Material:
    """Read files as one set of questions called `name`, with its answers.

    With `wide` the columns of a table are models. `limit` bounds the rows of each file, and all answers. The name of a
    model in several files gets the file's name appended.

    Raises:
        Invalid: A file cannot be read, there is no question, or there are more rows or answers.
    """
    unused = Unused()
    sources = {path: entries(path, unused, wide=wide) for path in paths}
    sets = [path for path, lines in sources.items() if lines is None]
    set_file = _questions(sets, name, limit) if sets else None
    reader = _Reader({question.id: question for question in set_file.questions} if set_file else {}, limit)
    for path, lines in sources.items():
        if lines is not None:
            reader.add_file(path, lines)
    questions = list(reader.questions.values())
    if not questions:
        raise no_question(paths[0], reader.refused, [*unused])
    facts = set_file.facts if set_file else facts_of_set({"name": name}, questions, paths[0])
    if set_file is None:
        return Material(facts, questions, reader.answers(), reader.refused, unused=[*unused], places=reader.places)
    refused = [*set_file.refused, *reader.refused]
    columns = dict.fromkeys([*set_file.unused, *unused])
    places = {**reader.places, **set_file.places}
    return Material(facts, questions, reader.answers(), refused, set_file.same_text, [*columns], places)


def _questions(paths: Sequence[Path], name: str, limit: int) -> ReadSet:
    """The questions of files; one of no format is refused with the formats of answers too."""
    try:
        return read_set(paths, {"name": name}, limit=limit)
    except UnknownFormat as error:
        raise Invalid(f"{error} {_FORMATS}", rule="file_format") from None


def material_parts(path: Path, _reach: object, *, name: str, wide: bool, limit: int) -> Iterator[MaterialPart]:
    """The parts of one file, as `read_apart` calls it; of refused rows the first ones.

    Raises:
        Invalid: The file cannot be read, there is no question, or there are more rows or answers than `limit`.
    """
    material = read_material([path], name, wide=wide, limit=limit)
    refused, same_text, unused = len(material.refused), material.same_text, material.unused
    yield MaterialPart(facts=material.facts, refused=refused, same_text=same_text, unused=unused)
    for question in material.questions:
        yield MaterialPart(question=question, place=material.places[question.id])
    yield from (MaterialPart(answer=answer) for answer in material.answers)
    yield from (MaterialPart(refusal=refusal) for refusal in material.refused[:MAX_REFUSALS])


@dataclass(slots=True)
class _Reader:
    questions: dict[str, QuestionView]
    limit: int
    refused: list[Refusal] = field(default_factory=list[Refusal])
    places: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """File and line of each question by its id."""
    _answers: dict[tuple[str, str, str], MaterialAnswer] = field(
        default_factory=dict[tuple[str, str, str], MaterialAnswer]
    )

    def add_file(self, path: Path, lines: Iterator[Line]) -> None:
        """Add the entries of a file."""
        for line, entry in bounded(lines, path, self.limit):
            try:
                if isinstance(entry, Unusable):
                    raise entry
                question = self._question(entry)
                self.places.setdefault(question.id, (path.name, line))
                self._add(path, question, entry.answers)
            except Unusable as error:
                self.refused.append(Refusal(path.name, line, str(error), params=error.params or None))

    def answers(self) -> list[MaterialAnswer]:
        """The answers; the name of a model in several files gets the file's name appended."""
        files: dict[str, dict[str, int]] = {}
        for file, model, _ in self._answers:
            files.setdefault(model, {}).setdefault(file, len(files[model]) + 1)
        return [
            replace(answer, model=_model_name(model, file, files[model]))
            for (file, model, _), answer in self._answers.items()
        ]

    def _question(self, entry: Entry) -> QuestionView:
        """The question of an entry, found by id or by a text that is an id, or a new one."""
        first = entry.turns[0].strip() if entry.turns else entry.name or ""
        if (entry.name is None or not entry.turns) and first in self.questions:
            return self.questions[first]
        if not entry.turns:
            problem = f"question: none of these files has it: {shown(entry.name)}"
            raise Unusable(problem, rule="unasked", value=shown(entry.name))
        name = entry.name or name_by_content(*entry.turns)
        question = question_of({**entry.facts, "id": name, "turns": entry.turns})
        earlier_question = self.questions.setdefault(question.id, question)
        if earlier_question.turns != question.turns:
            problem = f"id: another question of these files has it with another text: {shown(name)}"
            raise Unusable(problem, rule="id", value=shown(name))
        return earlier_question

    def _add(self, path: Path, question: QuestionView, answers: Sequence[FileAnswer]) -> None:
        for answer in answers:
            if len(answer.texts) != len(question.turns):
                problem = f"answer: {len(answer.texts)} texts to {len(question.turns)} turns"
                raise Unusable(problem, rule="turns", count=len(answer.texts), turns=len(question.turns))
            model = normalize("NFC", answer.model.strip())
            if not 0 < len(model) <= NAME_LIMIT or not model.isprintable():
                problem = f"model: 1 to {NAME_LIMIT} printable characters: {shown(answer.model)}"
                raise Unusable(problem, rule="model", limit=NAME_LIMIT, value=shown(answer.model))
            place = (path.name.split(".")[0], model, question.id)
            if place in self._answers:
                problem = f"answer: {shown(model)} has answered this question already"
                raise Unusable(problem, rule="answered", name=model)
            if len(self._answers) >= self.limit:
                sentence = f"{path}: more than {self.limit:,} answers; split the file."
                raise Invalid(sentence, rule="file_answers", limit=self.limit)
            self._answers[place] = MaterialAnswer(question.id, model, answer.texts, answer.scores)


def _model_name(model: str, file: str, files: Mapping[str, int]) -> str:
    """The name of a model, with that of the file appended if several files have it, or its number if that is long."""
    mark = file if len(file) <= LONGEST_SUFFIX else str(files[file])
    return model if len(files) == 1 else f"{model[: NAME_LIMIT - len(mark) - 3]} ({mark})"
