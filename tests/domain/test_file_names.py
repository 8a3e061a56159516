"""Names of strangers' files: what no file system or database takes is refused in one sentence, the rest is kept."""

import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.errors import Invalid
from arena.domain.file_names import MAX_NAME_BYTES, file_name

UNUSABLE_NAMES = ["a\0b.csv", "..", " . ", "votes/", "a\nb.csv", "题" * 190 + ".csv"]


@pytest.mark.parametrize("name", [*UNUSABLE_NAMES, "", "\ud800.csv"])
def test_what_is_no_name_of_a_file_is_refused(name):
    with pytest.raises(Invalid, match="rename it"):
        file_name(name)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.csv", "a.csv"),
        ("C:\\votes\\.csv", ".csv"),
        ("../../etc/passwd", "passwd"),
        ("题" * 80 + ".csv", "题" * 80 + ".csv"),
        ("at 3.04\u202fPM.csv", "at 3.04\u202fPM.csv"),
    ],
)
def test_other_names_lose_their_folders_only(path, name):
    assert file_name(path) == name


@given(st.text(st.characters(codec=None, exclude_categories=[]), max_size=300))
def test_whatever_is_accepted_is_a_file_in_its_folder(path):
    try:
        name = file_name(path)
    except Invalid:
        return
    assert name not in {".", ".."}
    assert "/" not in name
    assert "\0" not in name
    assert len(os.fsencode(name) if sys.getfilesystemencoding() == "utf-8" else name.encode()) <= MAX_NAME_BYTES
