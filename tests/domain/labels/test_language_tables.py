"""Tables of the classifier from files, in memory and by the library say the same; damaged files are made anew."""

from __future__ import annotations

import shutil

import pytest
from py3langid import langid

from arena.domain.labels import language_tables
from arena.domain.labels.language import LANGUAGES
from arena.domain.labels.language_tables import classifier

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
    make, times = language_tables._made, []

    def noting(*args):
        times.append(args)
        return make(*args)

    monkeypatch.setattr(language_tables, "_made", noting)
    return times


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
