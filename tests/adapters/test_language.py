"""Languages of prompts; tables of the classifier from files, in memory and by the library say the same."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from py3langid import langid

from arena.adapters import language
from arena.adapters.language import classifier, detect
from arena.domain.terms import LANGUAGES

TEXTS = (
    "Where is the station, please?",
    "Wo ist der Bahnhof, bitte?",
    "¿Dónde está la estación?",
    "कृपया मुझे बताओ",
    "駅はどこですか",
    "hi",
    "SELECT name FROM users;",
    "🙂 привет",
    "xq zzv",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    classifier(LANGUAGES, folder)
    return folder


@pytest.fixture
def kept(made, tmp_path):
    """A folder with tables; making them again would take a second."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def unpacked(monkeypatch):
    """How often the library's tables were unpacked."""
    make, times = language._make, []

    def noting(*args):
        times.append(args)
        return make(*args)

    monkeypatch.setattr(language, "_make", noting)
    return times


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Write a poem about the sea", "en"),
        ("hi", "en"),
        ("写一首诗", "zh"),
        ("你好", "zh"),
        ("What is 人工智能?", "zh"),
        ("请解释 Python 的 GIL", "zh"),
        ("こんにちは、元気ですか", "ja"),
        ("안녕하세요", "ko"),
        ("Bonjour, ça va?", "fr"),
        ("Привет, как дела?", "ru"),
        ("2+2", "other"),
        ("🙂", "other"),
    ],
)
def test_the_language_of_a_prompt_is_found(text, code):
    assert detect(text) == code


def test_only_the_beginning_of_a_long_prompt_is_read():
    assert detect("This is an English text. " * 100 + "这是中文" * 5_000) == "en"


@pytest.mark.process
def test_many_threads_may_ask_while_the_library_is_still_loading():
    code = """
import sys
from concurrent.futures import ThreadPoolExecutor
from arena.adapters.language import detect
sys.setswitchinterval(1e-6)
with ThreadPoolExecutor(8) as pool:
    print({language for language in pool.map(detect, ["Write a poem about the sea"] * 64)})
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "{'en'}\n"


RESIDENT = """
from pathlib import Path
import numpy
from arena.adapters.language import detect

def private() -> int:
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private"))

before = private()
assert detect("Wo ist der Bahnhof, bitte?") == "de"
print(private() - before)
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux about memory")
def test_telling_languages_apart_keeps_little_memory():
    result = subprocess.run([sys.executable, "-c", RESIDENT], capture_output=True, text=True, check=True)
    assert int(result.stdout) < 40_000


def test_kept_tables_classify_as_the_library_does_and_are_not_unpacked_again(kept, unpacked):
    library = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE)
    library.set_languages(LANGUAGES)
    assert list(map(classifier(LANGUAGES, kept), TEXTS)) == list(map(library.classify, TEXTS))
    assert not unpacked


def test_damaged_and_older_tables_are_replaced(kept, unpacked):
    (folder,) = kept.glob("languages-*")
    (folder / "rows.npy").write_bytes((folder / "rows.npy").read_bytes()[:-100])
    (kept / "languages-older").mkdir()
    assert classifier(LANGUAGES, kept)("Wo ist der Bahnhof, bitte?")[0] == "de"
    classifier(LANGUAGES, kept)
    assert len(unpacked) == 1
    assert list(kept.iterdir()) == [folder]


def test_a_folder_that_cannot_be_written_is_no_hindrance(tmp_path):
    (tmp_path / "file").touch()
    assert classifier(LANGUAGES, tmp_path / "file" / "folder")("Wo ist der Bahnhof, bitte?")[0] == "de"
