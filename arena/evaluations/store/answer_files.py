"""Files of answers that were moved out of the database: one for each model of an evaluation, compressed JSON lines."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Damaged(Exception):
    """A file is missing, or its bytes are not those that were written."""


class Answer(NamedTuple):
    """The row of an answer, its question, and the texts of its turns."""

    row: int
    question: str
    texts: list[str]


@dataclass(frozen=True, slots=True)
class AnswerFiles:
    """The files in a folder, which only its user can read."""

    folder: Path

    @classmethod
    def within(cls, data: Path) -> AnswerFiles:
        """The files in a data folder."""
        return cls(data / "answers")

    def write(self, evaluation: int, model: int, answers: Iterable[Answer]) -> str:
        """Write the answers of a model, flushed to disk before the file has its name; returns its SHA-256."""
        path = self.path(evaluation, model)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = "".join(json.dumps(each._asdict(), ensure_ascii=False) + "\n" for each in answers)
        data = gzip.compress(content.encode(), mtime=0)
        part = path.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        return sha256(data).hexdigest()

    def read(self, evaluation: int, model: int, digest: str) -> list[Answer]:
        """Read the answers of a model back.

        Raises:
            Damaged: The file is not there, or is not the one with this digest.
        """
        path = self.path(evaluation, model)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise Damaged(f"{path}: {error.strerror}") from None
        if sha256(data).hexdigest() != digest:
            raise Damaged(f"{path} is not the file that was written")
        return [Answer(**json.loads(line)) for line in gzip.decompress(data).splitlines()]

    def delete(self, evaluation: int, model: int) -> None:
        """Delete the answers of a model, which are in the database again."""
        self.path(evaluation, model).unlink(missing_ok=True)

    def path(self, evaluation: int, model: int) -> Path:
        """Where the answers of a model are."""
        return self.folder / str(evaluation) / f"{model}.jsonl.gz"
