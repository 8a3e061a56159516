"""Gradio's scripts are changed where they would make scripts of strings, and another Gradio is refused."""

from __future__ import annotations

import re

import pytest

from arena_frontend.bundle import FOLDERS, content, gradio_files
from arena_frontend.gradio_scripts import changed

CHANGED = ("statustracker-", "HTML-", "Blocks-")
FROM_STRINGS = re.compile(rb"\bFunction\((?:\.\.\.|`)|new \w\(`return")


@pytest.mark.parametrize("start", CHANGED)
def test_each_script_that_is_changed_is_there_once(start):
    found = [path for path in gradio_files().values() if path.name.startswith(start) and path.suffix == ".js"]
    assert len(found) == 1
    assert content(found[0]) != found[0].read_bytes()
    # Handlebars, which nothing calls any more, has its own ways; these are the ones that Gradio's components use.
    assert not FROM_STRINGS.search(content(found[0]))


@pytest.mark.parametrize("start", CHANGED)
def test_a_script_that_is_not_the_expected_one_stops_the_pages(start):
    with pytest.raises(RuntimeError, match=f"Gradio's {start}x.js has no"):
        changed(f"{start}x.js", b"export {}")


def test_other_scripts_stay_as_they_are():
    assert changed("index-x.js", b"Function(`a`)") == b"Function(`a`)"


def test_its_style_sheets_lie_in_a_layer_so_that_few_of_our_rules_need_force():
    sheets = [path for path in gradio_files().values() if path.suffix == ".css"]
    assert sheets
    for path in sheets:
        assert b"@import" not in path.read_bytes(), path.name  # a layer's block may not hold one
        assert content(path) == b"@layer gradio{" + path.read_bytes() + b"}"
    own = [path.read_text("utf-8") for folder in FOLDERS for path in folder.rglob("*.css")]
    assert sum(text.count("!important") for text in own) < 15
    assert not any(".svelte-" in text for text in own)
