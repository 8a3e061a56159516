"""Language detection of prompts, for leaderboards by language: py3langid on memory-mapped tables.

Unpacking the library's model takes a second and 100 MB. The tables, in files beside the byte code, open in 15 ms; of
their 45 MB a text needs a few pages, which all processes share and the system may drop.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import threading
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.domain.terms import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    Tables = Mapping[str, NDArray[np.generic]]
    Classifier = Callable[[str], tuple[str, float]]

CACHE_FOLDER: Final = Path(cache_from_source(__file__)).parent
"""Folder of this package's byte code; who may write there could change the code as well."""
SAMPLE: Final = 2_000
"""Characters that are examined; more would not change the result."""
_NAMES: Final = ("chances", "priors", "classes", "moves", "outputs", "rows")


_OTHER_SCRIPTS: Final = frozenset({"ar", "hi", "ja", "ko", "ru", "th", "zh"})
_LOCK = threading.Lock()
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_LETTER: Final = re.compile(r"[^\W\d_]")


def detect(text: str) -> str:
    """An ISO 639-1 code of `LANGUAGES`, or `other` for text without letters.

    Text without kana whose letters are at least one fifth Han is Chinese: a Chinese question about an English name is
    still Chinese. Everything else is classified by py3langid (naive Bayes over byte n-grams).
    """
    sample = text[:SAMPLE]
    letters = len(_LETTER.findall(sample))
    if not letters:
        return "other"
    if not _KANA.search(sample) and len(_HAN.findall(sample)) * 5 >= letters:
        return "zh"
    # py3langid uses a global object, and prompts are classified in several threads.
    with _LOCK:
        language = _classifier()(sample)[0]
    # The classifier's answer is arbitrary for a short ASCII text such as "hi", which has none of its n-grams.
    return "en" if sample.isascii() and language in _OTHER_SCRIPTS else language


def is_loaded() -> bool:
    """Whether `detect` answers at once; the first call on a machine takes a second."""
    return _classifier.cache_info().currsize > 0


@cache
def _classifier() -> Classifier:
    return classifier(LANGUAGES)


def classifier(languages: Sequence[str], store: Path = CACHE_FOLDER) -> Classifier:
    """The library's classifier for some languages, on files in the folder `store`, which it creates if necessary.

    Without permission to write there, the tables stay in memory.
    """
    folder = store / f"languages-{_key(languages)}"
    return _identifier(_read(folder) or _make(languages, folder))


def _key(languages: Sequence[str]) -> str:
    parts = " ".join([version("py3langid"), np.__version__, *languages])
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


def _identifier(tables: Tables) -> Classifier:
    library, arrays = _library(), {name: np.asarray(tables[name]) for name in _NAMES}
    # A memoryview reads single elements faster than an array, and as Python integers.
    moves, outputs, rows = (arrays[name].data for name in ("moves", "outputs", "rows"))
    classes: list[str] = arrays["classes"].tolist()
    identifier = library.LanguageIdentifier(arrays["chances"], arrays["priors"], classes, moves, outputs, tk_row=rows)
    return identifier.classify


def _read(folder: Path) -> Tables | None:
    """Map the files of a folder; None if one is missing or damaged."""
    with suppress(OSError, ValueError, EOFError):
        return {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in _NAMES}
    return None


def _make(languages: Sequence[str], folder: Path) -> Tables:
    """Unpack the library's tables and store them."""
    model = _library().LanguageIdentifier.from_model_file(_library().MODEL_FILE)
    model.set_languages(languages)
    numbers = model.tk_nextmove, np.array(model.tk_output, np.int32), model.tk_row
    arrays = model.nb_ptc, model.nb_pc, np.array(model.nb_classes), *numbers
    tables: Tables = {name: np.asarray(array) for name, array in zip(_NAMES, arrays, strict=True)}
    _keep(tables, folder)
    return _read(folder) or tables


def _keep(tables: Tables, folder: Path) -> None:
    """Write all files to a new folder, which then replaces older and damaged ones."""
    new = folder.with_name(f"new-{folder.name}-{os.getpid()}")
    with suppress(OSError):
        new.mkdir(parents=True)
        for name, array in tables.items():
            np.save(new / f"{name}.npy", array)
        for old in folder.parent.glob("languages-*"):
            shutil.rmtree(old, ignore_errors=True)
        new.rename(folder)
    shutil.rmtree(new, ignore_errors=True)


def _library() -> Any:  # noqa: ANN401 - it has no types
    from py3langid import langid  # pyright: ignore[reportMissingTypeStubs]

    return langid
